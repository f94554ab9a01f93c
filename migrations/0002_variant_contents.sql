DROP INDEX `exposures_replied`;--> statement-breakpoint
ALTER TABLE `variants` ADD `contents` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `experiment_tallies` DROP COLUMN `sent_at_sum`;