CREATE TABLE `provider_days` (
	`team_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`date` text NOT NULL,
	`provider` text NOT NULL,
	`accepted` integer NOT NULL,
	`deferred` integer NOT NULL,
	`refused` integer NOT NULL,
	`bounced` integer NOT NULL,
	`replied` integer NOT NULL,
	PRIMARY KEY(`account_id`, `date`, `provider`)
);
--> statement-breakpoint
CREATE INDEX `provider_days_team` ON `provider_days` (`team_id`,`date`);