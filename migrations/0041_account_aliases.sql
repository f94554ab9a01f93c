CREATE TABLE `account_aliases` (
	`team_id` blob NOT NULL,
	`email` text NOT NULL,
	`account_id` blob NOT NULL,
	PRIMARY KEY(`team_id`, `email`)
);
--> statement-breakpoint
CREATE INDEX `account_aliases_account` ON `account_aliases` (`account_id`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `aliases` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `send_as` text;--> statement-breakpoint
ALTER TABLE `messages` ADD `sent_as` text;--> statement-breakpoint
CREATE TRIGGER `aliases_of_new_account` AFTER INSERT ON `accounts` WHEN new.`aliases` <> '[]' BEGIN
	INSERT INTO `account_aliases` SELECT new.`team_id`, json_extract(value, '$.email'), new.`id` FROM json_each(new.`aliases`);
END;--> statement-breakpoint
CREATE TRIGGER `aliases_of_account` AFTER UPDATE OF `aliases` ON `accounts` WHEN new.`aliases` <> old.`aliases` BEGIN
	DELETE FROM `account_aliases` WHERE `account_id` = old.`id`;
	INSERT INTO `account_aliases` SELECT new.`team_id`, json_extract(value, '$.email'), new.`id` FROM json_each(new.`aliases`);
END;--> statement-breakpoint
CREATE TRIGGER `aliases_of_gone_account` AFTER DELETE ON `accounts` BEGIN
	DELETE FROM `account_aliases` WHERE `account_id` = old.`id`;
END;
