CREATE TABLE `lead_aliases` (
	`team_id` blob NOT NULL,
	`email` text NOT NULL,
	`lead_id` blob NOT NULL,
	`former_id` blob NOT NULL,
	PRIMARY KEY(`team_id`, `email`),
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `lead_aliases_lead` ON `lead_aliases` (`lead_id`);--> statement-breakpoint
DROP INDEX `enrollments_lead`;--> statement-breakpoint
ALTER TABLE `enrollments` ADD `merged` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_lead` ON `enrollments` (`lead_id`,`campaign_id`,`merged`);