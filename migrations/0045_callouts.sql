CREATE TABLE `callouts` (
	`name` text PRIMARY KEY NOT NULL,
	`next_at` integer NOT NULL,
	`day` integer NOT NULL,
	`count` integer NOT NULL,
	`catch_all` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE INDEX `callouts_next` ON `callouts` (`next_at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `verify_addresses` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `accounts` ADD `callout_at` integer;--> statement-breakpoint
ALTER TABLE `accounts` ADD `callout_troubles` text;--> statement-breakpoint
CREATE INDEX `accounts_callout` ON `accounts` (`callout_at`) WHERE "accounts"."callout_at" is not null;--> statement-breakpoint
ALTER TABLE `leads` ADD `callout` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `callout_at` integer;