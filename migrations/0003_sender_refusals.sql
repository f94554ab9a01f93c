CREATE TABLE `mail_domains` (
	`domain` text PRIMARY KEY NOT NULL,
	`provider` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `mail_domains_provider` ON `mail_domains` (`provider`,`domain`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `refusals` text;