ALTER TABLE `threads` ADD `folder` text DEFAULT 'other' NOT NULL;--> statement-breakpoint
UPDATE `threads` SET `folder` = CASE
  WHEN `kind` IN ('unsubscribe', 'complaint') THEN 'not_interested'
  WHEN `interest` IN ('interested', 'meeting', 'not_interested') THEN `interest`
  WHEN `kind` = 'reply' THEN 'questions'
  WHEN `kind` = 'auto_reply' THEN 'out_of_office'
  WHEN `kind` = 'bounce' THEN 'bounces'
  ELSE 'other' END;--> statement-breakpoint
CREATE INDEX `threads_folder` ON `threads` (`team_id`,`folder`,`last_mail_at`,`id`);--> statement-breakpoint
CREATE INDEX `threads_open` ON `threads` (`team_id`,`last_mail_at`,`id`) WHERE "threads"."folder" <> 'done';