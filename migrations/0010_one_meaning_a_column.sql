ALTER TABLE `messages` ALTER COLUMN `campaign_id` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ALTER COLUMN `enrollment_id` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ALTER COLUMN `lead_id` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ALTER COLUMN `step_id` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ALTER COLUMN `step_position` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `harms` ALTER COLUMN `campaign_id` DROP NOT NULL;--> statement-breakpoint
ALTER TABLE `messages` ADD `thread_id` blob;--> statement-breakpoint
ALTER TABLE `messages` ADD `placement_test_id` blob;--> statement-breakpoint
UPDATE `messages` SET `placement_test_id` = `enrollment_id`, `campaign_id` = NULL, `enrollment_id` = NULL, `lead_id` = NULL, `step_id` = NULL, `step_position` = NULL WHERE `campaign_id` = zeroblob(16) AND `kind` = 'placement';--> statement-breakpoint
UPDATE `messages` SET `thread_id` = `enrollment_id`, `campaign_id` = NULL, `enrollment_id` = NULL, `lead_id` = nullif(`lead_id`, zeroblob(16)), `step_id` = NULL, `step_position` = NULL WHERE `campaign_id` = zeroblob(16) AND `kind` = 'manual';--> statement-breakpoint
UPDATE `messages` SET `thread_id` = `enrollment_id`, `lead_id` = nullif(`lead_id`, zeroblob(16)), `step_id` = NULL, `step_position` = NULL WHERE `rowid` IN (SELECT `rowid` FROM `messages` WHERE `step_id` NOT IN (SELECT `id` FROM `steps`)) AND `kind` = 'manual';--> statement-breakpoint
UPDATE `harms` SET `campaign_id` = NULL WHERE `campaign_id` = zeroblob(16);--> statement-breakpoint
CREATE INDEX `messages_thread` ON `messages` (`thread_id`) WHERE "messages"."thread_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `messages_placement_test` ON `messages` (`placement_test_id`) WHERE "messages"."placement_test_id" is not null;
