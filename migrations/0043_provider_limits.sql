ALTER TABLE `accounts` ADD `provider_limits` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
CREATE INDEX `accounts_limited` ON `accounts` (`wake_at`) WHERE "accounts"."provider_limits" <> '{}';