ALTER TABLE `exposures` ADD `opted_out` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `experiment_tallies` ADD `opted_out` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `exposures` SET `opted_out` = 1 WHERE `sent_at` IS NOT NULL AND EXISTS (
  SELECT 1 FROM `enrollments` WHERE `enrollments`.`id` = `exposures`.`enrollment_id` AND `status` = 'unsubscribed');--> statement-breakpoint
UPDATE `experiment_tallies` SET `opted_out` = (
  SELECT count(*) FROM `exposures` WHERE `exposures`.`experiment_id` = `experiment_tallies`.`experiment_id`
    AND `exposures`.`variant_id` = `experiment_tallies`.`variant_id` AND `exposures`.`opted_out` = 1
    AND CASE `kind` WHEN 'variant' THEN 1 WHEN 'epoch' THEN cast(`exposures`.`epoch` AS text) = `bucket`
      ELSE lower(substr(hex(`account_id`), 1, 8) || '-' || substr(hex(`account_id`), 9, 4) || '-' ||
        substr(hex(`account_id`), 13, 4) || '-' || substr(hex(`account_id`), 17, 4) || '-' ||
        substr(hex(`account_id`), 21)) || ' ' || `provider` = `bucket` END);