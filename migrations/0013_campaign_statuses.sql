DROP INDEX `enrollments_of_lead`;--> statement-breakpoint
DROP INDEX `enrollments_lead`;--> statement-breakpoint
CREATE INDEX `enrollments_status` ON `enrollments` (`campaign_id`,`status`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_interest` ON `enrollments` (`campaign_id`,`interest`,`id`) WHERE "enrollments"."interest" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_lead` ON `enrollments` (`lead_id`,`campaign_id`);--> statement-breakpoint
ALTER TABLE `campaigns` ADD `statuses` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE `campaigns` SET `statuses` = (SELECT json_group_object(`status`, `n`) FROM (SELECT `status`, count(*) AS `n` FROM `enrollments` WHERE `campaign_id` = `campaigns`.`id` GROUP BY `status`));