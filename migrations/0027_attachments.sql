CREATE TABLE `message_files` (
	`message_id` blob NOT NULL,
	`team_id` blob NOT NULL,
	`place` integer NOT NULL,
	`file_id` blob NOT NULL,
	`is_inline` integer NOT NULL,
	`name` text NOT NULL,
	`media_type` text NOT NULL,
	`bytes` integer NOT NULL,
	`sha256` blob NOT NULL,
	PRIMARY KEY(`message_id`, `place`)
);
--> statement-breakpoint
CREATE INDEX `message_files_file` ON `message_files` (`file_id`);--> statement-breakpoint
ALTER TABLE `steps` ADD `attachment_ids` text DEFAULT '[]' NOT NULL;