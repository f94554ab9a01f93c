DROP INDEX `enrollments_new`;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `spread` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `enrollments_new` ON `enrollments` (`campaign_id`,`spread`,`zone`,`due_at`,`id`) WHERE "enrollments"."due_at" is not null and "enrollments"."account_id" is null;