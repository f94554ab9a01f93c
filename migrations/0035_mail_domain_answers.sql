ALTER TABLE `mail_domains` ADD `mx` text DEFAULT 'unknown' NOT NULL;--> statement-breakpoint
ALTER TABLE `mail_domains` ADD `looked_up_at` integer;--> statement-breakpoint
CREATE INDEX `mail_domains_looked_up` ON `mail_domains` (`looked_up_at`);