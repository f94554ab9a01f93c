CREATE TABLE `file_slices` (
	`file_id` blob NOT NULL,
	`team_id` blob NOT NULL,
	`place` integer NOT NULL,
	`data` blob NOT NULL,
	PRIMARY KEY(`file_id`, `place`)
);
--> statement-breakpoint
CREATE TABLE `files` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` blob NOT NULL,
	`state` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `files_team` ON `files` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `files_unkept` ON `files` (`id`) WHERE "files"."state" <> 'kept';