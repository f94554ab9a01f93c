CREATE TABLE `domain_lookups` (
	`domain` text PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL
);
--> statement-breakpoint
ALTER TABLE `enrollments` ADD `risk_accepted` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `address_reasons` text;--> statement-breakpoint
CREATE INDEX `leads_unchecked` ON `leads` (`id`) WHERE "leads"."address_reasons" is null;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `risky_addresses` text DEFAULT 'send' NOT NULL;