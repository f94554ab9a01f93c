CREATE TABLE `workspaces` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`provider` text NOT NULL,
	`domains` text NOT NULL,
	`tenant` text,
	`client_id` text NOT NULL,
	`client_number` text,
	`key_id` text,
	`secret` text,
	`status` text NOT NULL,
	`last_error` text,
	`check_at` integer,
	`checked_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `workspaces_team` ON `workspaces` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `workspaces_check` ON `workspaces` (`check_at`) WHERE "workspaces"."check_at" is not null;--> statement-breakpoint
ALTER TABLE `accounts` ADD `workspace_id` blob REFERENCES workspaces(id);--> statement-breakpoint
CREATE INDEX `accounts_workspace` ON `accounts` (`workspace_id`) WHERE "accounts"."workspace_id" is not null;