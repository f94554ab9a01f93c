CREATE TABLE `canned_replies` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`name` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `canned_replies_team` ON `canned_replies` (`team_id`,`id`);