CREATE TABLE `domain_reports` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`domain` text NOT NULL,
	`kind` text NOT NULL,
	`reporter` text NOT NULL,
	`report_id` text NOT NULL,
	`verified` integer NOT NULL,
	`begin_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`received_at` integer NOT NULL,
	`passed` integer NOT NULL,
	`failed` integer NOT NULL,
	`failures` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domain_reports_once` ON `domain_reports` (`team_id`,`domain`,`verified`,`kind`,`reporter`,`report_id`);--> statement-breakpoint
CREATE INDEX `domain_reports_of` ON `domain_reports` (`team_id`,`domain`,`received_at`);--> statement-breakpoint
CREATE INDEX `domain_reports_age` ON `domain_reports` (`received_at`);--> statement-breakpoint
CREATE TABLE `domain_sources` (
	`team_id` blob NOT NULL,
	`domain` text NOT NULL,
	`day` integer NOT NULL,
	`reporter` text NOT NULL,
	`ip` text NOT NULL,
	`verified` integer NOT NULL,
	`messages` integer NOT NULL,
	`passed` integer NOT NULL,
	`spf` integer NOT NULL,
	`dkim` integer NOT NULL,
	`quarantined` integer NOT NULL,
	`rejected` integer NOT NULL,
	PRIMARY KEY(`team_id`, `domain`, `verified`, `day`, `reporter`, `ip`)
);
--> statement-breakpoint
CREATE INDEX `domain_sources_age` ON `domain_sources` (`day`);--> statement-breakpoint
CREATE TABLE `domains` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`domain` text NOT NULL,
	`due_at` integer NOT NULL,
	`checked_at` integer,
	`report` text,
	`watched` text NOT NULL,
	`hosts` text NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `domains_name` ON `domains` (`team_id`,`domain`);--> statement-breakpoint
CREATE INDEX `domains_due` ON `domains` (`due_at`);--> statement-breakpoint
INSERT INTO `domains` (`id`, `team_id`, `domain`, `due_at`, `watched`, `hosts`)
SELECT min(`id`), `team_id`, substr(`email`, instr(`email`, '@') + 1), min(`created_at`),
	'{"known":{},"changes":[],"broken":[],"listings":[]}', '{}'
FROM `accounts` GROUP BY `team_id`, substr(`email`, instr(`email`, '@') + 1);
