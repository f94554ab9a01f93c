CREATE TABLE `deleted` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`kind` text NOT NULL,
	`name` text NOT NULL,
	`deleted_at` integer NOT NULL,
	`secrets` text,
	`campaigns` text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE INDEX `deleted_team` ON `deleted` (`team_id`,`deleted_at`,`id`);--> statement-breakpoint
CREATE INDEX `deleted_age` ON `deleted` (`deleted_at`);--> statement-breakpoint
CREATE TABLE `deleted_rows` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` blob NOT NULL,
	`deleted_id` blob NOT NULL,
	`lead_id` blob,
	`origin` text NOT NULL,
	`cells` text NOT NULL,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `deleted_rows_of` ON `deleted_rows` (`deleted_id`,`seq`);--> statement-breakpoint
CREATE INDEX `deleted_rows_lead` ON `deleted_rows` (`lead_id`) WHERE "deleted_rows"."lead_id" is not null;