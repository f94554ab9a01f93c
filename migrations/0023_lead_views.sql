CREATE TABLE `lead_views` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`author` text NOT NULL,
	`shared` integer NOT NULL,
	`name` text NOT NULL,
	`filter` text NOT NULL,
	`sort` text NOT NULL,
	`columns` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `lead_views_team` ON `lead_views` (`team_id`,`id`);