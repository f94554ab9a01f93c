CREATE TABLE `experiment_shares` (
	`experiment_id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`id` blob NOT NULL,
	`shows_texts` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `experiment_shares_id` ON `experiment_shares` (`id`);