CREATE TABLE `erasure_receipts` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`lead_id` blob NOT NULL,
	`hash` blob NOT NULL,
	`actor` text NOT NULL,
	`request_id` text,
	`asked_at` integer NOT NULL,
	`erased_at` integer NOT NULL,
	`completed_at` integer,
	`removed` text NOT NULL,
	`repeats` text NOT NULL,
	`event_id` blob
);
--> statement-breakpoint
CREATE INDEX `erasure_receipts_team` ON `erasure_receipts` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `erasure_receipts_hash` ON `erasure_receipts` (`hash`);--> statement-breakpoint
CREATE INDEX `erasure_receipts_lead` ON `erasure_receipts` (`lead_id`);--> statement-breakpoint
CREATE INDEX `erasure_receipts_open` ON `erasure_receipts` (`completed_at`) WHERE "erasure_receipts"."completed_at" is null;