ALTER TABLE `exposures` ADD `declined` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `experiment_tallies` ADD `negative_replies` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE `exposures` SET `declined` = 1 WHERE `sent_at` IS NOT NULL AND `enrollment_id` IN (
  SELECT `id` FROM `enrollments` WHERE `interest` = 'not_interested');--> statement-breakpoint
WITH `counted` AS MATERIALIZED (
  SELECT `experiment_id`, `variant_id`, cast(`epoch` AS text) AS `epoch`, lower(substr(hex(`account_id`), 1, 8) || '-' ||
    substr(hex(`account_id`), 9, 4) || '-' || substr(hex(`account_id`), 13, 4) || '-' ||
    substr(hex(`account_id`), 17, 4) || '-' || substr(hex(`account_id`), 21)) || ' ' || `provider` AS `stratum`
    FROM `exposures` WHERE `declined` = 1 AND `replied_at` IS NOT NULL),
  `sums` AS (
  SELECT `experiment_id`, `variant_id`, 'variant' AS `kind`, '' AS `bucket`, count(*) AS `n` FROM `counted` GROUP BY 1, 2
  UNION ALL SELECT `experiment_id`, `variant_id`, 'epoch', `epoch`, count(*) FROM `counted` GROUP BY 1, 2, 4
  UNION ALL SELECT `experiment_id`, `variant_id`, 'stratum', `stratum`, count(*) FROM `counted` GROUP BY 1, 2, 4)
UPDATE `experiment_tallies` SET `negative_replies` = `sums`.`n` FROM `sums`
  WHERE `sums`.`experiment_id` = `experiment_tallies`.`experiment_id` AND `sums`.`kind` = `experiment_tallies`.`kind`
    AND `sums`.`variant_id` = `experiment_tallies`.`variant_id` AND `sums`.`bucket` = `experiment_tallies`.`bucket`;