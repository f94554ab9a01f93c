ALTER TABLE `webhooks` ADD `name` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `campaign_ids` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `include` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `headers` text;