DROP INDEX `enrollments_held`;--> statement-breakpoint
CREATE INDEX `enrollments_on_hold` ON `enrollments` (`campaign_id`,`hold_reason`,`id`) WHERE "enrollments"."hold_reason" is not null;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `on_hold` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
UPDATE `campaigns` SET `on_hold` = (SELECT json_group_object(`hold_reason`, `n`) FROM (SELECT `hold_reason`, count(*) AS `n` FROM `enrollments` WHERE `campaign_id` = `campaigns`.`id` AND `hold_reason` IS NOT NULL GROUP BY `hold_reason`));--> statement-breakpoint
UPDATE `campaigns` SET `status` = 'active' WHERE `status` = 'completed' AND `open` = 0 AND `on_hold` <> '{}';--> statement-breakpoint
UPDATE `campaigns` SET `open` = `open` + (SELECT count(*) FROM `enrollments` WHERE `campaign_id` = `campaigns`.`id` AND `hold_reason` IS NOT NULL) WHERE `on_hold` <> '{}';
