CREATE TABLE `accounts` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`email` text NOT NULL,
	`display_name` text,
	`signature` text,
	`provider` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`not_ready_reason` text,
	`timezone` text NOT NULL,
	`health_score` integer NOT NULL,
	`health` text NOT NULL,
	`health_at` integer,
	`daily_limit` integer NOT NULL,
	`hourly_limit` integer NOT NULL,
	`min_gap_seconds` integer NOT NULL,
	`max_gap_seconds` integer,
	`ramp` text,
	`smtp` text,
	`imap` text,
	`save_sent` integer NOT NULL,
	`secrets` text,
	`dkim` text,
	`dkim_due_at` integer,
	`consecutive_smtp_errors` integer NOT NULL,
	`last_error` text,
	`backoff_until` integer,
	`probe_at` integer,
	`probes` integer DEFAULT 0 NOT NULL,
	`wake_at` integer,
	`last_claim_at` integer,
	`last_campaign_id` blob,
	`last_other_campaign_id` blob,
	`poll_cursor` text DEFAULT '' NOT NULL,
	`poll_at` integer,
	`poll_errors` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `accounts_email` ON `accounts` (`team_id`,`email`);--> statement-breakpoint
CREATE INDEX `accounts_team` ON `accounts` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_wake` ON `accounts` (`wake_at`,`id`) WHERE "accounts"."wake_at" is not null;--> statement-breakpoint
CREATE INDEX `accounts_poll` ON `accounts` (`poll_at`,`id`) WHERE "accounts"."poll_at" is not null;--> statement-breakpoint
CREATE INDEX `accounts_dkim` ON `accounts` (`dkim_due_at`) WHERE "accounts"."dkim_due_at" is not null;--> statement-breakpoint
CREATE INDEX `accounts_health` ON `accounts` (`health_at`) WHERE "accounts"."health_at" is not null;--> statement-breakpoint
CREATE INDEX `accounts_probe` ON `accounts` (`probe_at`) WHERE "accounts"."probe_at" is not null;--> statement-breakpoint
CREATE TABLE `usage` (
	`owner` blob NOT NULL,
	`kind` text NOT NULL,
	`bucket` text NOT NULL,
	`count` integer NOT NULL,
	`touched_at` integer NOT NULL,
	PRIMARY KEY(`owner`, `kind`, `bucket`)
);
--> statement-breakpoint
CREATE INDEX `usage_age` ON `usage` (`touched_at`);--> statement-breakpoint
CREATE TABLE `checkouts` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`plan` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `checkouts_age` ON `checkouts` (`expires_at`);--> statement-breakpoint
CREATE TABLE `limit_notices` (
	`team_id` blob NOT NULL,
	`limit` text NOT NULL,
	`period` text NOT NULL,
	`level` text NOT NULL,
	PRIMARY KEY(`team_id`, `limit`, `period`, `level`)
);
--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`team_id` blob PRIMARY KEY NOT NULL,
	`plan` text NOT NULL,
	`source` text NOT NULL,
	`limits` text,
	`started_at` integer NOT NULL,
	`ends_at` integer,
	`licence_id` text,
	`stripe_customer` text,
	`stripe_subscription` text,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `campaigns` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`status_reason` text,
	`stop_on_reply` integer NOT NULL,
	`stop_on_auto_reply` integer NOT NULL,
	`send_window` text NOT NULL,
	`max_leads_per_day` integer NOT NULL,
	`daily_limit` integer,
	`priority` text NOT NULL,
	`max_per_domain_per_day` integer,
	`stop_company_on_reply` integer NOT NULL,
	`track_opens` integer NOT NULL,
	`track_clicks` integer NOT NULL,
	`evergreen` integer NOT NULL,
	`account_ids` text NOT NULL,
	`started_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`enrolled` integer DEFAULT 0 NOT NULL,
	`open` integer DEFAULT 0 NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`replied` integer DEFAULT 0 NOT NULL,
	`auto_replied` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`unsubscribed` integer DEFAULT 0 NOT NULL,
	`completed` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`guard_sends` integer DEFAULT 0 NOT NULL,
	`guard_bounces` integer DEFAULT 0 NOT NULL,
	`guard_complaints` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `campaigns_team` ON `campaigns` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_status` ON `campaigns` (`team_id`,`status`);--> statement-breakpoint
CREATE INDEX `campaigns_plan` ON `campaigns` (`team_id`) WHERE "campaigns"."status_reason" = 'plan_limit';--> statement-breakpoint
CREATE TABLE `steps` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`campaign_id` blob NOT NULL,
	`position` integer NOT NULL,
	`type` text NOT NULL,
	`subject` text,
	`body` text,
	`wait_days` integer NOT NULL,
	`sent` integer DEFAULT 0 NOT NULL,
	`replied` integer DEFAULT 0 NOT NULL,
	`bounced` integer DEFAULT 0 NOT NULL,
	`unsubscribed` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `steps_campaign` ON `steps` (`campaign_id`,`position`);--> statement-breakpoint
CREATE TABLE `consents` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`ticket` blob NOT NULL,
	`state_hash` blob,
	`browser_hash` blob,
	`verifier` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `consents_ticket` ON `consents` (`ticket`);--> statement-breakpoint
CREATE UNIQUE INDEX `consents_state` ON `consents` (`state_hash`);--> statement-breakpoint
CREATE INDEX `consents_age` ON `consents` (`expires_at`);--> statement-breakpoint
CREATE TABLE `experiment_epochs` (
	`team_id` blob NOT NULL,
	`experiment_id` blob NOT NULL,
	`number` integer NOT NULL,
	`allocation` text NOT NULL,
	`since` integer NOT NULL,
	PRIMARY KEY(`experiment_id`, `number`),
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `experiments` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`campaign_id` blob NOT NULL,
	`step_id` blob,
	`step_position` integer NOT NULL,
	`name` text NOT NULL,
	`status` text NOT NULL,
	`primary_metric` text NOT NULL,
	`optimization_mode` text NOT NULL,
	`duration_days` integer NOT NULL,
	`attribution_window_days` integer NOT NULL,
	`early_stopping` integer NOT NULL,
	`auto_drop` integer NOT NULL,
	`started_at` integer NOT NULL,
	`ends_at` integer NOT NULL,
	`first_sent_at` integer,
	`paused_at` integer,
	`paused_ms` integer NOT NULL,
	`closed_at` integer,
	`epoch` integer NOT NULL,
	`replanned` integer NOT NULL,
	`step_changed_at` integer,
	`due_at` integer,
	`winner_variant_id` blob,
	`applied_at` integer,
	`result` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `experiments_team` ON `experiments` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `experiments_campaign` ON `experiments` (`campaign_id`,`id`);--> statement-breakpoint
CREATE INDEX `experiments_open` ON `experiments` (`campaign_id`) WHERE "experiments"."closed_at" is null;--> statement-breakpoint
CREATE INDEX `experiments_due` ON `experiments` (`due_at`,`id`) WHERE "experiments"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `exposures` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`experiment_id` blob NOT NULL,
	`variant_id` blob NOT NULL,
	`enrollment_id` blob NOT NULL,
	`lead_id` blob NOT NULL,
	`message_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`provider` text NOT NULL,
	`epoch` integer NOT NULL,
	`propensity` real NOT NULL,
	`assigned_at` integer NOT NULL,
	`sent_at` integer,
	`replied_at` integer,
	`interested` integer NOT NULL,
	`bounced` integer NOT NULL,
	`due_at` integer,
	`judged` integer NOT NULL,
	`window_ms` integer NOT NULL,
	`metric` text NOT NULL,
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `exposures_lead` ON `exposures` (`experiment_id`,`lead_id`);--> statement-breakpoint
CREATE INDEX `exposures_enrollment` ON `exposures` (`enrollment_id`);--> statement-breakpoint
CREATE INDEX `exposures_of_lead` ON `exposures` (`lead_id`);--> statement-breakpoint
CREATE INDEX `exposures_due` ON `exposures` (`due_at`) WHERE "exposures"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `exposures_open` ON `exposures` (`experiment_id`,`due_at`) WHERE "exposures"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `exposures_unsent` ON `exposures` (`experiment_id`) WHERE "exposures"."sent_at" is null;--> statement-breakpoint
CREATE INDEX `exposures_replied` ON `exposures` (`team_id`,`id`) WHERE "exposures"."replied_at" is not null and "exposures"."judged";--> statement-breakpoint
CREATE TABLE `experiment_tallies` (
	`team_id` blob NOT NULL,
	`experiment_id` blob NOT NULL,
	`variant_id` blob NOT NULL,
	`kind` text NOT NULL,
	`bucket` text NOT NULL,
	`sent` integer NOT NULL,
	`replies` integer NOT NULL,
	`interested` integer NOT NULL,
	`bounced` integer NOT NULL,
	`successes` integer NOT NULL,
	`failures` integer NOT NULL,
	`sent_at_sum` real NOT NULL,
	PRIMARY KEY(`experiment_id`, `kind`, `variant_id`, `bucket`),
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `variants` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`experiment_id` blob NOT NULL,
	`place` integer NOT NULL,
	`name` text NOT NULL,
	`config` text NOT NULL,
	`weight` real NOT NULL,
	`out_at` integer,
	`out_reason` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`experiment_id`) REFERENCES `experiments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `variants_experiment` ON `variants` (`experiment_id`,`place`);--> statement-breakpoint
CREATE TABLE `figures` (
	`owner` blob NOT NULL,
	`slot` integer NOT NULL,
	`sent` integer NOT NULL,
	`replied` integer NOT NULL,
	`bounced` integer NOT NULL,
	`unsubscribed` integer NOT NULL,
	`opened` integer NOT NULL,
	`clicked` integer NOT NULL,
	PRIMARY KEY(`owner`, `slot`)
);
--> statement-breakpoint
CREATE INDEX `figures_slot` ON `figures` (`slot`);--> statement-breakpoint
CREATE TABLE `account_health` (
	`team_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`date` text NOT NULL,
	`sends` integer NOT NULL,
	`hard_bounces` integer NOT NULL,
	`complaints` integer NOT NULL,
	`score` integer NOT NULL,
	`points` text NOT NULL,
	PRIMARY KEY(`account_id`, `date`)
);
--> statement-breakpoint
CREATE TABLE `harms` (
	`message_id` blob NOT NULL,
	`kind` text NOT NULL,
	`team_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`campaign_id` blob NOT NULL,
	`date` text NOT NULL,
	`at` integer NOT NULL,
	PRIMARY KEY(`message_id`, `kind`)
);
--> statement-breakpoint
CREATE TABLE `import_changes` (
	`seq` integer PRIMARY KEY NOT NULL,
	`import_id` blob NOT NULL,
	`lead_id` blob NOT NULL,
	`before` text NOT NULL,
	`at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `import_changes_import` ON `import_changes` (`import_id`,`seq`);--> statement-breakpoint
CREATE INDEX `import_changes_lead` ON `import_changes` (`lead_id`);--> statement-breakpoint
CREATE TABLE `import_lines` (
	`seq` integer PRIMARY KEY NOT NULL,
	`import_id` blob NOT NULL,
	`line` integer NOT NULL,
	`outcome` text NOT NULL,
	`reason` text,
	`email` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `import_lines_import` ON `import_lines` (`import_id`,`seq`);--> statement-breakpoint
CREATE TABLE `import_slices` (
	`seq` integer PRIMARY KEY NOT NULL,
	`import_id` blob NOT NULL,
	`first_id` blob NOT NULL,
	`last_id` blob NOT NULL
);
--> statement-breakpoint
CREATE INDEX `import_slices_import` ON `import_slices` (`import_id`,`first_id`);--> statement-breakpoint
CREATE TABLE `imports` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`campaign_id` blob NOT NULL,
	`status` text NOT NULL,
	`format` text NOT NULL,
	`file_name` text,
	`dry_run` integer NOT NULL,
	`existing` text NOT NULL,
	`skip_if_in_other_campaign` integer NOT NULL,
	`encoding` text,
	`delimiter` text,
	`newline` text,
	`columns` text,
	`offset` integer NOT NULL,
	`line` integer NOT NULL,
	`total_bytes` integer,
	`counts` text NOT NULL,
	`kept` integer NOT NULL,
	`removed` integer NOT NULL,
	`left_alone` integer NOT NULL,
	`error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`finished_at` integer
);
--> statement-breakpoint
CREATE INDEX `imports_team` ON `imports` (`team_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `imports_running` ON `imports` (`status`) WHERE "imports"."status" in ('running', 'undoing');--> statement-breakpoint
CREATE INDEX `imports_age` ON `imports` (`created_at`);--> statement-breakpoint
CREATE TABLE `effects` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`cause_id` blob NOT NULL,
	`type` text NOT NULL,
	`subject_id` blob NOT NULL,
	`before` text,
	`after` text
);
--> statement-breakpoint
CREATE INDEX `effects_cause` ON `effects` (`cause_id`,`id`);--> statement-breakpoint
CREATE INDEX `effects_subject` ON `effects` (`subject_id`,`type`,`id`);--> statement-breakpoint
CREATE TABLE `lifts` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`cause_id` blob NOT NULL
);
--> statement-breakpoint
CREATE TABLE `threads` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`enrollment_id` blob,
	`lead_id` blob,
	`campaign_id` blob,
	`from_address` text NOT NULL,
	`from_name` text NOT NULL,
	`subject` text NOT NULL,
	`snippet` text NOT NULL,
	`kind` text NOT NULL,
	`interest` text,
	`mails` integer NOT NULL,
	`unread` integer NOT NULL,
	`last_mail_at` integer NOT NULL,
	`answered_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `threads_team` ON `threads` (`team_id`,`last_mail_at`,`id`);--> statement-breakpoint
CREATE INDEX `threads_unread` ON `threads` (`team_id`,`last_mail_at`,`id`) WHERE "threads"."unread" > 0;--> statement-breakpoint
CREATE INDEX `threads_kind` ON `threads` (`team_id`,`kind`,`last_mail_at`,`id`);--> statement-breakpoint
CREATE INDEX `threads_campaign` ON `threads` (`campaign_id`,`last_mail_at`,`id`);--> statement-breakpoint
CREATE INDEX `threads_account` ON `threads` (`account_id`,`last_mail_at`,`id`);--> statement-breakpoint
CREATE INDEX `threads_interest` ON `threads` (`team_id`,`interest`,`last_mail_at`,`id`) WHERE "threads"."interest" is not null;--> statement-breakpoint
CREATE INDEX `threads_lead` ON `threads` (`lead_id`);--> statement-breakpoint
CREATE TABLE `audit` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` blob NOT NULL,
	`actor` text NOT NULL,
	`action` text NOT NULL,
	`target` text NOT NULL,
	`at` integer NOT NULL,
	`before` text,
	`after` text,
	`request_id` text
);
--> statement-breakpoint
CREATE INDEX `audit_team` ON `audit` (`team_id`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_target` ON `audit` (`team_id`,`target`,`seq`);--> statement-breakpoint
CREATE INDEX `audit_age` ON `audit` (`at`);--> statement-breakpoint
CREATE TABLE `events` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`id` blob NOT NULL,
	`team_id` blob NOT NULL,
	`type` text NOT NULL,
	`created_at` integer NOT NULL,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `events_id` ON `events` (`id`);--> statement-breakpoint
CREATE INDEX `events_team` ON `events` (`team_id`,`seq`);--> statement-breakpoint
CREATE INDEX `events_type` ON `events` (`team_id`,`type`,`seq`);--> statement-breakpoint
CREATE TABLE `facts` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `enrollments` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`campaign_id` blob NOT NULL,
	`lead_id` blob NOT NULL,
	`account_id` blob,
	`status` text NOT NULL,
	`current_step` integer NOT NULL,
	`due_at` integer,
	`zone` text NOT NULL,
	`domain` text NOT NULL,
	`hold_reason` text,
	`hold_detail` text,
	`stop_reason` text,
	`interest` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`first_attempt_at` integer,
	`last_sent_at` integer,
	`enrolled_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`campaign_id`) REFERENCES `campaigns`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`lead_id`) REFERENCES `leads`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `enrollments_lead` ON `enrollments` (`campaign_id`,`lead_id`);--> statement-breakpoint
CREATE INDEX `enrollments_campaign` ON `enrollments` (`campaign_id`,`id`);--> statement-breakpoint
CREATE INDEX `enrollments_of_lead` ON `enrollments` (`lead_id`);--> statement-breakpoint
CREATE INDEX `enrollments_new` ON `enrollments` (`campaign_id`,`zone`,`due_at`,`id`) WHERE "enrollments"."due_at" is not null and "enrollments"."account_id" is null;--> statement-breakpoint
CREATE INDEX `enrollments_follow_up` ON `enrollments` (`account_id`,`campaign_id`,`zone`,`due_at`,`id`) WHERE "enrollments"."due_at" is not null and "enrollments"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `enrollments_company` ON `enrollments` (`account_id`,`domain`) WHERE "enrollments"."account_id" is not null;--> statement-breakpoint
CREATE INDEX `enrollments_held` ON `enrollments` (`campaign_id`,`id`) WHERE "enrollments"."hold_reason" is not null;--> statement-breakpoint
CREATE TABLE `lead_counts` (
	`team_id` blob PRIMARY KEY NOT NULL,
	`leads` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leads` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`email` text NOT NULL,
	`first_name` text,
	`last_name` text,
	`company` text,
	`website` text,
	`phone` text,
	`timezone` text,
	`variables` text NOT NULL,
	`soft_bounces` integer DEFAULT 0 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_email` ON `leads` (`team_id`,`email`);--> statement-breakpoint
CREATE INDEX `leads_team` ON `leads` (`team_id`,`id`);--> statement-breakpoint
CREATE TABLE `suppressions` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`hash` blob NOT NULL,
	`email` text,
	`reason` text NOT NULL,
	`created_at` integer NOT NULL,
	`sweep_after` blob
);
--> statement-breakpoint
CREATE UNIQUE INDEX `suppressions_hash` ON `suppressions` (`team_id`,`hash`);--> statement-breakpoint
CREATE INDEX `suppressions_team` ON `suppressions` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `suppressions_sweep` ON `suppressions` (`id`) WHERE "suppressions"."sweep_after" is not null;--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`campaign_id` blob NOT NULL,
	`enrollment_id` blob NOT NULL,
	`lead_id` blob NOT NULL,
	`step_id` blob NOT NULL,
	`subject` text,
	`body` text,
	`note` text,
	`created_at` integer NOT NULL,
	`done_at` integer,
	`skipped` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`enrollment_id`) REFERENCES `enrollments`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tasks_team` ON `tasks` (`team_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tasks_step` ON `tasks` (`enrollment_id`,`step_id`);--> statement-breakpoint
CREATE TABLE `inbound_mails` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`folder` text NOT NULL,
	`uid` text NOT NULL,
	`message_id` text,
	`references_chain` text NOT NULL,
	`reply_to` text,
	`from_address` text NOT NULL,
	`from_name` text NOT NULL,
	`subject` text NOT NULL,
	`received_at` integer NOT NULL,
	`stored_at` integer NOT NULL,
	`kind` text NOT NULL,
	`severity` text,
	`evidence` text NOT NULL,
	`reading` text NOT NULL,
	`matched_by` text,
	`labelled_by` text,
	`effective_at` integer NOT NULL,
	`thread_id` blob NOT NULL,
	`replies_to` blob,
	`enrollment_id` blob,
	`lead_id` blob,
	`campaign_id` blob,
	`text` text NOT NULL,
	`raw` blob NOT NULL,
	`size_bytes` integer,
	`read` integer DEFAULT false NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `inbound_uid` ON `inbound_mails` (`account_id`,`folder`,`uid`);--> statement-breakpoint
CREATE INDEX `inbound_message_id` ON `inbound_mails` (`account_id`,`message_id`);--> statement-breakpoint
CREATE INDEX `inbound_team` ON `inbound_mails` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `inbound_enrollment` ON `inbound_mails` (`enrollment_id`);--> statement-breakpoint
CREATE INDEX `inbound_thread` ON `inbound_mails` (`thread_id`,`received_at`,`id`);--> statement-breakpoint
CREATE INDEX `inbound_lead` ON `inbound_mails` (`lead_id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`kind` text DEFAULT 'step' NOT NULL,
	`campaign_id` blob NOT NULL,
	`enrollment_id` blob NOT NULL,
	`lead_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`step_id` blob NOT NULL,
	`step_position` integer NOT NULL,
	`status` text NOT NULL,
	`message_id` text NOT NULL,
	`in_reply_to` text,
	`references_chain` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	`html` text NOT NULL,
	`attempts` integer NOT NULL,
	`claimed_at` integer NOT NULL,
	`data_at` integer,
	`sent_at` integer,
	`response` text,
	`code` integer,
	`bounced_at` integer,
	`replied_at` integer,
	`reserved` text NOT NULL,
	`copy_due_at` integer,
	`due_at` integer,
	`provider_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `messages_message_id` ON `messages` (`message_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_step` ON `messages` (`enrollment_id`,`step_id`);--> statement-breakpoint
CREATE INDEX `messages_campaign` ON `messages` (`campaign_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_lead` ON `messages` (`lead_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_recipient` ON `messages` (`account_id`,`recipient`,`id`);--> statement-breakpoint
CREATE INDEX `messages_under_way` ON `messages` (`account_id`) WHERE "messages"."status" = 'sending';--> statement-breakpoint
CREATE INDEX `messages_due` ON `messages` (`account_id`,`due_at`) WHERE "messages"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `messages_provider_id` ON `messages` (`provider_id`) WHERE "messages"."provider_id" is not null;--> statement-breakpoint
CREATE INDEX `messages_copy` ON `messages` (`copy_due_at`) WHERE "messages"."copy_due_at" is not null;--> statement-breakpoint
CREATE TABLE `entry_links` (
	`id` blob PRIMARY KEY NOT NULL,
	`hash` blob NOT NULL,
	`for_user` blob,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `entry_links_hash` ON `entry_links` (`hash`);--> statement-breakpoint
CREATE INDEX `entry_links_age` ON `entry_links` (`expires_at`);--> statement-breakpoint
CREATE TABLE `identities` (
	`id` blob PRIMARY KEY NOT NULL,
	`user_id` blob NOT NULL,
	`issuer` text NOT NULL,
	`subject` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `identities_subject` ON `identities` (`issuer`,`subject`);--> statement-breakpoint
CREATE INDEX `identities_user` ON `identities` (`user_id`);--> statement-breakpoint
CREATE TABLE `invitations` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`hash` blob NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_email` ON `invitations` (`team_id`,`email`);--> statement-breakpoint
CREATE INDEX `invitations_age` ON `invitations` (`expires_at`);--> statement-breakpoint
CREATE TABLE `memberships` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`user_id` blob NOT NULL,
	`role` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `memberships_team` ON `memberships` (`team_id`,`user_id`);--> statement-breakpoint
CREATE INDEX `memberships_user` ON `memberships` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` blob PRIMARY KEY NOT NULL,
	`user_id` blob NOT NULL,
	`name` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`created_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`,`id`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` blob PRIMARY KEY NOT NULL,
	`user_id` blob NOT NULL,
	`shows_team` blob NOT NULL,
	`hash` blob NOT NULL,
	`user_agent` text NOT NULL,
	`created_at` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `sessions_hash` ON `sessions` (`hash`);--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `sessions_age` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` blob PRIMARY KEY NOT NULL,
	`email` text NOT NULL,
	`name` text NOT NULL,
	`password_hash` text,
	`operator` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`signed_in_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (`email`);--> statement-breakpoint
CREATE TABLE `placement_runs` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`trigger_type` text NOT NULL,
	`status` text NOT NULL,
	`schedule_id` blob,
	`campaign_id` blob,
	`step_id` blob,
	`content` text,
	`total` integer NOT NULL,
	`inbox` integer NOT NULL,
	`spam` integer NOT NULL,
	`promotions` integer NOT NULL,
	`not_delivered` integer NOT NULL,
	`pending` integer NOT NULL,
	`failed` integer NOT NULL,
	`inbox_rate` real NOT NULL,
	`started_at` integer,
	`completed_at` integer,
	`ends_at` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `placement_runs_team` ON `placement_runs` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `placement_runs_due` ON `placement_runs` (`due_at`) WHERE "placement_runs"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `placement_schedules` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`account_ids` text NOT NULL,
	`seed_ids` text NOT NULL,
	`campaign_id` blob,
	`step_id` blob,
	`weekday` text NOT NULL,
	`hour` integer NOT NULL,
	`timezone` text NOT NULL,
	`active` integer NOT NULL,
	`next_run_at` integer,
	`last_run_id` blob,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `placement_schedules_team` ON `placement_schedules` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `placement_schedules_next` ON `placement_schedules` (`next_run_at`) WHERE "placement_schedules"."next_run_at" is not null;--> statement-breakpoint
CREATE TABLE `placement_seeds` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`email` text NOT NULL,
	`status` text NOT NULL,
	`provider` text NOT NULL,
	`mx_at` integer,
	`mx_errors` integer NOT NULL,
	`imap` text,
	`oauth_provider` text,
	`secrets` text,
	`tabs` integer,
	`junk_folder` text,
	`last_looked_at` integer,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `placement_seeds_email` ON `placement_seeds` (`team_id`,`email`);--> statement-breakpoint
CREATE INDEX `placement_seeds_team` ON `placement_seeds` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `placement_seeds_mx` ON `placement_seeds` (`mx_at`) WHERE "placement_seeds"."mx_at" is not null;--> statement-breakpoint
CREATE TABLE `placement_tests` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`run_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`account_email` text NOT NULL,
	`seed_id` blob NOT NULL,
	`seed_email` text NOT NULL,
	`seed_provider` text NOT NULL,
	`status` text NOT NULL,
	`placement` text,
	`folder` text,
	`tab` text,
	`error` text,
	`due_at` integer,
	`look_at` integer,
	`sent_at` integer,
	`tested_at` integer,
	`latency_ms` integer,
	`authentication` text,
	`one_click_signed` integer
);
--> statement-breakpoint
CREATE INDEX `placement_tests_run` ON `placement_tests` (`run_id`,`id`);--> statement-breakpoint
CREATE INDEX `placement_tests_due` ON `placement_tests` (`account_id`,`due_at`) WHERE "placement_tests"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `placement_tests_look` ON `placement_tests` (`look_at`,`seed_id`) WHERE "placement_tests"."look_at" is not null;--> statement-breakpoint
CREATE INDEX `placement_tests_seed` ON `placement_tests` (`seed_id`,`id`);--> statement-breakpoint
CREATE INDEX `placement_tests_account` ON `placement_tests` (`account_id`,`tested_at`);--> statement-breakpoint
CREATE TABLE `sandbox_placements` (
	`test_id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`placement` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `sandbox_mails` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`team_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`folder` text NOT NULL,
	`raw` blob NOT NULL,
	`arrives_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sandbox_mails_account` ON `sandbox_mails` (`account_id`,`arrives_at`,`seq`);--> statement-breakpoint
CREATE INDEX `sandbox_mails_team` ON `sandbox_mails` (`team_id`);--> statement-breakpoint
CREATE TABLE `sandbox_messages` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`account_id` blob NOT NULL,
	`message_id` text NOT NULL,
	`sender` text NOT NULL,
	`recipient` text NOT NULL,
	`subject` text NOT NULL,
	`raw` blob NOT NULL,
	`sent_at` integer NOT NULL,
	`verdict` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sandbox_messages_team` ON `sandbox_messages` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `sandbox_messages_account` ON `sandbox_messages` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `sandbox_messages_recipient` ON `sandbox_messages` (`team_id`,`recipient`,`id`);--> statement-breakpoint
CREATE INDEX `sandbox_messages_id` ON `sandbox_messages` (`account_id`,`message_id`);--> statement-breakpoint
CREATE TABLE `sandbox_settings` (
	`team_id` blob PRIMARY KEY NOT NULL,
	`settings` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `search_docs` (
	`doc` integer PRIMARY KEY NOT NULL,
	`id` blob NOT NULL,
	`team_id` blob NOT NULL,
	`kind` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_docs_id` ON `search_docs` (`id`);--> statement-breakpoint
CREATE TABLE `search_due` (
	`seq` integer PRIMARY KEY NOT NULL,
	`id` blob NOT NULL,
	`kind` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`name` text NOT NULL,
	`hash` blob NOT NULL,
	`last4` text NOT NULL,
	`scopes` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`last_used_at` integer,
	`replaced_by` blob,
	FOREIGN KEY (`team_id`) REFERENCES `teams`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_team` ON `api_keys` (`team_id`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency` (
	`team_id` blob NOT NULL,
	`key` text NOT NULL,
	`fingerprint` blob NOT NULL,
	`status` integer NOT NULL,
	`answer` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `idempotency_key` ON `idempotency` (`team_id`,`key`);--> statement-breakpoint
CREATE INDEX `idempotency_age` ON `idempotency` (`created_at`);--> statement-breakpoint
CREATE TABLE `teams` (
	`id` blob PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`postal_address` text,
	`footer` integer DEFAULT true NOT NULL,
	`tracking_host` text,
	`interest_words` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `touches` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`message_id` blob NOT NULL,
	`kind` text NOT NULL,
	`link` integer,
	`at` integer NOT NULL,
	`machine` integer NOT NULL,
	`due_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `touches_due` ON `touches` (`due_at`);--> statement-breakpoint
CREATE INDEX `touches_message` ON `touches` (`message_id`,`id`);--> statement-breakpoint
CREATE TABLE `trackings` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`base` text NOT NULL,
	`pixel` integer NOT NULL,
	`links` text NOT NULL,
	`opens` integer NOT NULL,
	`clicks` integer NOT NULL,
	`machine_opens` integer NOT NULL,
	`machine_clicks` integer NOT NULL,
	`first_opened_at` integer,
	`last_opened_at` integer,
	`first_clicked_at` integer,
	`last_clicked_at` integer,
	`last_link` integer,
	`burst_at` integer
);
--> statement-breakpoint
CREATE TABLE `attempts` (
	`delivery_id` blob NOT NULL,
	`n` integer NOT NULL,
	`started_at` integer NOT NULL,
	`duration_ms` integer NOT NULL,
	`status` integer,
	`error` text,
	`response` text,
	PRIMARY KEY(`delivery_id`, `n`),
	FOREIGN KEY (`delivery_id`) REFERENCES `deliveries`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `deliveries` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`webhook_id` blob NOT NULL,
	`event_seq` integer NOT NULL,
	`status` text NOT NULL,
	`tries` integer NOT NULL,
	`attempts` integer NOT NULL,
	`due_at` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`last_status` integer,
	`last_error` text,
	FOREIGN KEY (`event_seq`) REFERENCES `events`(`seq`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `deliveries_event` ON `deliveries` (`event_seq`,`webhook_id`);--> statement-breakpoint
CREATE INDEX `deliveries_webhook` ON `deliveries` (`webhook_id`,`status`,`event_seq`);--> statement-breakpoint
CREATE INDEX `deliveries_due` ON `deliveries` (`webhook_id`,`due_at`,`event_seq`) WHERE "deliveries"."due_at" is not null;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` blob PRIMARY KEY NOT NULL,
	`team_id` blob NOT NULL,
	`url` text NOT NULL,
	`events` text NOT NULL,
	`secret` text NOT NULL,
	`previous_secret` text,
	`previous_until` integer,
	`active` integer NOT NULL,
	`disabled_reason` text,
	`disabled_at` integer,
	`failures` integer NOT NULL,
	`failing_since` integer,
	`paused_until` integer,
	`due_at` integer,
	`since_seq` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`deleted_at` integer
);
--> statement-breakpoint
CREATE INDEX `webhooks_team` ON `webhooks` (`team_id`,`id`);--> statement-breakpoint
CREATE INDEX `webhooks_due` ON `webhooks` (`due_at`) WHERE "webhooks"."due_at" is not null;--> statement-breakpoint
CREATE INDEX `webhooks_deleted` ON `webhooks` (`id`) WHERE "webhooks"."deleted_at" is not null;