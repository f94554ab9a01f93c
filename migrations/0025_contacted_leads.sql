ALTER TABLE `campaigns` ADD `contacted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `figures` ADD `contacted` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `figures` ADD `contacted_replied` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
INSERT INTO `figures` (`owner`, `slot`, `sent`, `contacted`, `contacted_replied`, `replied`, `bounced`, `unsubscribed`, `opened`, `clicked`)
  SELECT CASE `which` WHEN 0 THEN `team_id` WHEN 1 THEN `campaign_id` ELSE `account_id` END, `first_at` / 900000, 0, 1,
    `marked` OR EXISTS (SELECT 1 FROM `inbound_mails` WHERE `inbound_mails`.`enrollment_id` = `firsts`.`enrollment_id` AND `kind` = 'reply'), 0, 0, 0, 0, 0
  FROM (SELECT `enrollment_id`, `team_id`, `campaign_id`, `account_id`, min(`sent_at`) AS `first_at`, count(`replied_at`) > 0 AS `marked`
    FROM `messages` INDEXED BY `messages_step` WHERE `kind` = 'step' AND `status` = 'sent' GROUP BY `enrollment_id`) AS `firsts`
  CROSS JOIN (SELECT 0 AS `which` UNION ALL SELECT 1 UNION ALL SELECT 2)
  WHERE true
  ON CONFLICT (`owner`, `slot`) DO UPDATE SET `contacted` = `contacted` + 1, `contacted_replied` = `contacted_replied` + excluded.`contacted_replied`;--> statement-breakpoint
UPDATE `campaigns` SET `contacted` = (SELECT coalesce(sum(`contacted`), 0) FROM `figures` WHERE `owner` = `campaigns`.`id`);