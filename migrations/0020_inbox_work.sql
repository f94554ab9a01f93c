CREATE TABLE `thread_notes` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`thread_id` blob NOT NULL,
	`author` text NOT NULL,
	`body` text NOT NULL,
	`mentions` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `thread_notes_thread` ON `thread_notes` (`thread_id`,`id`);--> statement-breakpoint
CREATE INDEX `thread_notes_mentions` ON `thread_notes` (`team_id`) WHERE "thread_notes"."mentions" <> '[]';--> statement-breakpoint
DROP INDEX `threads_open`;--> statement-breakpoint
ALTER TABLE `threads` ADD `assignee_id` blob;--> statement-breakpoint
ALTER TABLE `threads` ADD `snoozed_until` integer;--> statement-breakpoint
CREATE INDEX `threads_assignee` ON `threads` (`team_id`,`assignee_id`,`last_mail_at`,`id`) WHERE "threads"."assignee_id" is not null;--> statement-breakpoint
CREATE INDEX `threads_snoozed` ON `threads` (`snoozed_until`) WHERE "threads"."snoozed_until" is not null;--> statement-breakpoint
CREATE INDEX `threads_open` ON `threads` (`team_id`,`last_mail_at`,`id`) WHERE "threads"."folder" not in ('snoozed', 'done');--> statement-breakpoint
CREATE TRIGGER `notes_of_thread` AFTER DELETE ON `threads` BEGIN DELETE FROM `thread_notes` WHERE `thread_id` = old.`id`; END;--> statement-breakpoint
CREATE TRIGGER `tags_of_thread` AFTER DELETE ON `threads` BEGIN DELETE FROM `tags` WHERE `target_id` = old.`id`; END;