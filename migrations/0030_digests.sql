CREATE TABLE `digests` (
	`id` blob PRIMARY KEY NOT NULL,
	`account_id` blob NOT NULL,
	`hour` integer NOT NULL,
	`timezone` text NOT NULL,
	`due_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `memberships`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `digests_due` ON `digests` (`due_at`);