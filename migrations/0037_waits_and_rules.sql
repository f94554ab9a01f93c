ALTER TABLE `enrollments` ADD `moved_from` blob;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `moved_on` text;--> statement-breakpoint
CREATE INDEX `enrollments_moved` ON `enrollments` (`moved_from`) WHERE "enrollments"."moved_from" is not null;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `rules` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `moved` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `steps` ADD `wait_minutes` integer DEFAULT 0 NOT NULL;