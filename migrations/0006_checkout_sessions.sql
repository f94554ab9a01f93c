ALTER TABLE `checkouts` ADD `session` text;
