CREATE TABLE `erasures` (
	`team_id` blob NOT NULL,
	`hash` blob NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`team_id`, `hash`)
);
--> statement-breakpoint
ALTER TABLE `campaigns` ADD `erased` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `recipient_hash` blob;--> statement-breakpoint
CREATE INDEX `inbound_reports` ON `inbound_mails` (`team_id`) WHERE "inbound_mails"."kind" in ('bounce', 'notice', 'complaint');--> statement-breakpoint
UPDATE `campaigns` SET `erased` = max(0, `enrolled` -
	(SELECT count(*) FROM `enrollments` WHERE `enrollments`.`campaign_id` = `campaigns`.`id`));
