ALTER TABLE `imports` ALTER COLUMN `campaign_id` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `reason` text;--> statement-breakpoint
CREATE TABLE `tags` (
	`team_id` blob NOT NULL,
	`kind` text NOT NULL,
	`target_id` blob NOT NULL,
	`name` text NOT NULL,
	PRIMARY KEY(`target_id`, `name`)
);
--> statement-breakpoint
CREATE INDEX `tags_name` ON `tags` (`team_id`,`kind`,`name`,`target_id`);--> statement-breakpoint
CREATE TRIGGER `tags_of_lead` AFTER DELETE ON `leads` BEGIN DELETE FROM `tags` WHERE `target_id` = old.`id`; END;--> statement-breakpoint
CREATE TRIGGER `tags_of_campaign` AFTER DELETE ON `campaigns` BEGIN DELETE FROM `tags` WHERE `target_id` = old.`id`; END;--> statement-breakpoint
CREATE TRIGGER `tags_of_account` AFTER DELETE ON `accounts` BEGIN DELETE FROM `tags` WHERE `target_id` = old.`id`; END;
