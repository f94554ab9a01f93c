CREATE TABLE `forwards` (
	`message_id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`mail_id` blob,
	`lead_id` blob
);
--> statement-breakpoint
CREATE INDEX `forwards_lead` ON `forwards` (`lead_id`) WHERE "forwards"."lead_id" is not null;--> statement-breakpoint
CREATE TABLE `message_copies` (
	`message_id` blob NOT NULL,
	`team_id` blob NOT NULL,
	`address` text NOT NULL,
	`is_blind` integer NOT NULL,
	PRIMARY KEY(`message_id`, `address`)
);
--> statement-breakpoint
CREATE INDEX `message_copies_address` ON `message_copies` (`team_id`,`address`);--> statement-breakpoint
ALTER TABLE `inbound_mails` ADD `others` text;