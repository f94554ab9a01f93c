CREATE TABLE `audit_anchors` (
	`team_id` blob PRIMARY KEY NOT NULL,
	`position` integer NOT NULL,
	`hash` blob NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `audit` ADD `position` integer;--> statement-breakpoint
ALTER TABLE `audit` ADD `hash` blob;