CREATE TABLE `left_places` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`campaign_id` blob NOT NULL,
	`steps_before` integer NOT NULL,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `left_places_campaign` ON `left_places` (`campaign_id`);--> statement-breakpoint
ALTER TABLE `campaigns` ADD `reschedule_after` blob;--> statement-breakpoint
CREATE INDEX `campaigns_reschedule` ON `campaigns` (`id`) WHERE "campaigns"."reschedule_after" is not null;--> statement-breakpoint
ALTER TABLE `steps` ADD `place_id` blob DEFAULT x'' NOT NULL;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `place_id` blob;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `next_place_id` blob;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `waits_from` integer;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `booked_at` integer;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `not_before` integer;--> statement-breakpoint
CREATE INDEX `enrollments_place` ON `enrollments` (`campaign_id`,`place_id`,`id`) WHERE "enrollments"."status" in ('pending', 'active', 'paused');--> statement-breakpoint
UPDATE `steps` SET `place_id` = `id`;
--> statement-breakpoint
UPDATE `enrollments` SET `waits_from` = nullif(max(coalesce(`last_sent_at`, 0), coalesce((SELECT max(t.`done_at`) FROM `tasks` t WHERE t.`enrollment_id` = `enrollments`.`id`), 0)), 0),
	`not_before` = CASE WHEN `status` = 'paused' OR `first_attempt_at` IS NOT NULL THEN `due_at` END;
--> statement-breakpoint
UPDATE `enrollments` SET `place_id` = (SELECT s.`id` FROM `steps` s WHERE s.`campaign_id` = `enrollments`.`campaign_id` AND s.`position` <= `enrollments`.`current_step` ORDER BY s.`position` DESC LIMIT 1) WHERE `current_step` > 0;
--> statement-breakpoint
UPDATE `enrollments` SET `next_place_id` = coalesce((SELECT s.`id` FROM `messages` m JOIN `steps` s ON s.`id` = m.`step_id` WHERE m.`enrollment_id` = `enrollments`.`id` AND m.`status` IN ('sending', 'unknown') ORDER BY m.`claimed_at` DESC LIMIT 1),
	(SELECT s.`id` FROM `tasks` t JOIN `steps` s ON s.`id` = t.`step_id` WHERE t.`enrollment_id` = `enrollments`.`id` AND t.`done_at` IS NULL ORDER BY t.`created_at` DESC LIMIT 1))
	WHERE `status` IN ('pending', 'active', 'paused') AND `due_at` IS NULL;
--> statement-breakpoint
UPDATE `enrollments` SET `booked_at` = `due_at` WHERE `status` IN ('pending', 'active') AND `due_at` IS NOT NULL AND `waits_from` IS NOT NULL AND `not_before` IS NULL
	AND (`due_at` - `waits_from`) / 86400000.0 - (SELECT s.`wait_days` FROM `steps` s WHERE s.`campaign_id` = `enrollments`.`campaign_id` AND s.`position` = `enrollments`.`current_step` + 1) NOT BETWEEN -0.2 AND 8;
--> statement-breakpoint
ALTER TABLE `enrollments` DROP COLUMN `current_step`;