DROP INDEX `enrollments_campaign`;--> statement-breakpoint
CREATE INDEX `enrollments_campaign` ON `enrollments` (`campaign_id`,`id`,`domain`);