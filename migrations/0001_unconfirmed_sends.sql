ALTER TABLE `accounts` ADD `unconfirmed` text;--> statement-breakpoint
CREATE INDEX `accounts_unconfirmed` ON `accounts` (`team_id`,`id`) WHERE "accounts"."unconfirmed" is not null;