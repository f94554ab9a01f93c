ALTER TABLE `teams` ADD `unsubscribe_text` text;--> statement-breakpoint
ALTER TABLE `teams` ADD `language` text DEFAULT 'en' NOT NULL;