ALTER TABLE `import_changes` ADD `after` blob;--> statement-breakpoint
ALTER TABLE `imports` ADD `overwritten` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `restored` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `not_restored` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `imports` ADD `is_forgotten` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `imports` SET `overwritten` = (SELECT count(*) FROM `import_changes` WHERE `import_changes`.`import_id` = `imports`.`id`);
