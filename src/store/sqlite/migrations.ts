/**
 * The migrations, and how they run. The SQL files are embedded when the executable is built;
 * `test/store/sqlite/migrate.test.ts` holds the list against the folder. Imports little, since `schema.ts` runs it
 * while the program is built.
 */

import type { Database } from "bun:sqlite";
import start from "../../../migrations/0000_start.sql" with { type: "text" };
import unconfirmed from "../../../migrations/0001_unconfirmed_sends.sql" with { type: "text" };
import variants from "../../../migrations/0002_variant_contents.sql" with { type: "text" };
import refusals from "../../../migrations/0003_sender_refusals.sql" with { type: "text" };
import importUndo from "../../../migrations/0004_import_undo.sql" with { type: "text" };
import erasures from "../../../migrations/0005_erasures.sql" with { type: "text" };
import sessions from "../../../migrations/0006_checkout_sessions.sql" with { type: "text" };
import places from "../../../migrations/0007_places.sql" with { type: "text" };
import onHold from "../../../migrations/0008_leads_on_hold.sql" with { type: "text" };
import usageSlots from "../../../migrations/0009_usage_slots.sql" with { type: "text" };
import oneMeaning from "../../../migrations/0010_one_meaning_a_column.sql" with { type: "text" };
import campaignNotes from "../../../migrations/0011_campaign_notes.sql" with { type: "text" };
import emailLanguage from "../../../migrations/0012_email_language.sql" with { type: "text" };
import campaignStatuses from "../../../migrations/0013_campaign_statuses.sql" with { type: "text" };
import webhookOptions from "../../../migrations/0014_webhook_options.sql" with { type: "text" };
import bulk from "../../../migrations/0015_bulk.sql" with { type: "text" };
import inboxFolders from "../../../migrations/0016_inbox_folders.sql" with { type: "text" };
import experimentOptOuts from "../../../migrations/0017_experiment_opt_outs.sql" with {
  type: "text",
};
import companyIndex from "../../../migrations/0018_company_index.sql" with { type: "text" };
import cannedReplies from "../../../migrations/0019_canned_replies.sql" with { type: "text" };
import inboxWork from "../../../migrations/0020_inbox_work.sql" with { type: "text" };
import copies from "../../../migrations/0021_copies.sql" with { type: "text" };
import stepFormats from "../../../migrations/0022_step_formats.sql" with { type: "text" };
import leadViews from "../../../migrations/0023_lead_views.sql" with { type: "text" };
import files from "../../../migrations/0024_files.sql" with { type: "text" };
import contactedLeads from "../../../migrations/0025_contacted_leads.sql" with { type: "text" };
import skipHolidays from "../../../migrations/0026_skip_holidays.sql" with { type: "text" };
import attachments from "../../../migrations/0027_attachments.sql" with { type: "text" };
import leadMerge from "../../../migrations/0028_lead_merge.sql" with { type: "text" };
import stepRevisions from "../../../migrations/0029_step_revisions.sql" with { type: "text" };
import digests from "../../../migrations/0030_digests.sql" with { type: "text" };
import experimentModes from "../../../migrations/0031_experiment_modes.sql" with { type: "text" };
import experimentGuardrails from "../../../migrations/0032_experiment_guardrails.sql" with {
  type: "text",
};
import experimentShares from "../../../migrations/0033_experiment_shares.sql" with { type: "text" };
import negativeReplies from "../../../migrations/0034_negative_replies.sql" with { type: "text" };
import mailDomainAnswers from "../../../migrations/0035_mail_domain_answers.sql" with {
  type: "text",
};
import workspaces from "../../../migrations/0036_workspaces.sql" with { type: "text" };
import waitsAndRules from "../../../migrations/0037_waits_and_rules.sql" with { type: "text" };
import watchedDomains from "../../../migrations/0038_watched_domains.sql" with { type: "text" };
import addressChecks from "../../../migrations/0039_address_checks.sql" with { type: "text" };
import providerDays from "../../../migrations/0040_provider_days.sql" with { type: "text" };
import accountAliases from "../../../migrations/0041_account_aliases.sql" with { type: "text" };
import spread from "../../../migrations/0042_spread.sql" with { type: "text" };
import providerLimits from "../../../migrations/0043_provider_limits.sql" with { type: "text" };
import providerMatching from "../../../migrations/0044_provider_matching.sql" with { type: "text" };
import callouts from "../../../migrations/0045_callouts.sql" with { type: "text" };
import deleted from "../../../migrations/0046_deleted.sql" with { type: "text" };
import auditChain from "../../../migrations/0047_audit_chain.sql" with { type: "text" };
import receipts from "../../../migrations/0048_erasure_receipts.sql" with { type: "text" };
import monitoring from "../../../migrations/0049_monitoring_indexes.sql" with { type: "text" };
import { LEAD_COUNT_SCHEMA } from "./lead-counts.ts";
import { SEARCH_SCHEMA } from "./search-schema.ts";

/** In order; the position is the version. Never edited once released. */
export const MIGRATIONS: readonly { name: string; sql: string }[] = [
  { name: "0000_start", sql: start },
  { name: "0001_unconfirmed_sends", sql: unconfirmed },
  { name: "0002_variant_contents", sql: variants },
  { name: "0003_sender_refusals", sql: refusals },
  { name: "0004_import_undo", sql: importUndo },
  { name: "0005_erasures", sql: erasures },
  { name: "0006_checkout_sessions", sql: sessions },
  { name: "0007_places", sql: places },
  { name: "0008_leads_on_hold", sql: onHold },
  { name: "0009_usage_slots", sql: usageSlots },
  { name: "0010_one_meaning_a_column", sql: oneMeaning },
  { name: "0011_campaign_notes", sql: campaignNotes },
  { name: "0012_email_language", sql: emailLanguage },
  { name: "0013_campaign_statuses", sql: campaignStatuses },
  { name: "0014_webhook_options", sql: webhookOptions },
  { name: "0015_bulk", sql: bulk },
  { name: "0016_inbox_folders", sql: inboxFolders },
  { name: "0017_experiment_opt_outs", sql: experimentOptOuts },
  { name: "0018_company_index", sql: companyIndex },
  { name: "0019_canned_replies", sql: cannedReplies },
  { name: "0020_inbox_work", sql: inboxWork },
  { name: "0021_copies", sql: copies },
  { name: "0022_step_formats", sql: stepFormats },
  { name: "0023_lead_views", sql: leadViews },
  { name: "0024_files", sql: files },
  { name: "0025_contacted_leads", sql: contactedLeads },
  { name: "0026_skip_holidays", sql: skipHolidays },
  { name: "0027_attachments", sql: attachments },
  { name: "0028_lead_merge", sql: leadMerge },
  { name: "0029_step_revisions", sql: stepRevisions },
  { name: "0030_digests", sql: digests },
  { name: "0031_experiment_modes", sql: experimentModes },
  { name: "0032_experiment_guardrails", sql: experimentGuardrails },
  { name: "0033_experiment_shares", sql: experimentShares },
  { name: "0034_negative_replies", sql: negativeReplies },
  { name: "0035_mail_domain_answers", sql: mailDomainAnswers },
  { name: "0036_workspaces", sql: workspaces },
  { name: "0037_waits_and_rules", sql: waitsAndRules },
  { name: "0038_watched_domains", sql: watchedDomains },
  { name: "0039_address_checks", sql: addressChecks },
  { name: "0040_provider_days", sql: providerDays },
  { name: "0041_account_aliases", sql: accountAliases },
  { name: "0042_spread", sql: spread },
  { name: "0043_provider_limits", sql: providerLimits },
  { name: "0044_provider_matching", sql: providerMatching },
  { name: "0045_callouts", sql: callouts },
  { name: "0046_deleted", sql: deleted },
  { name: "0047_audit_chain", sql: auditChain },
  { name: "0048_erasure_receipts", sql: receipts },
  { name: "0049_monitoring_indexes", sql: monitoring },
];

const BREAKPOINT = "--> statement-breakpoint";

/** What no migration holds, after the tables. */
export const OTHER_SCHEMA: readonly string[] = [...LEAD_COUNT_SCHEMA, ...SEARCH_SCHEMA];

/** Brings a file from version `from` to `to`, inside a transaction. */
export function apply(raw: Database, from: number, to: number): void {
  const isOld = lacksDropNotNull(raw);
  for (const { sql } of MIGRATIONS.slice(from, to)) {
    for (const statement of sql.split(BREAKPOINT)) {
      const [, table, column] = (isOld && DROP_NOT_NULL.exec(statement)) || [];
      if (table !== undefined && column !== undefined) {
        rebuildWithout(raw, table, column);
      } else {
        raw.run(statement);
      }
    }
  }
  for (const statement of OTHER_SCHEMA) {
    raw.run(statement);
  }
  raw.run(`PRAGMA user_version = ${to}`);
}

const DROP_NOT_NULL = /^ALTER TABLE `(\w+)` ALTER COLUMN `(\w+)` DROP NOT NULL;?\s*$/;

/** True before SQLite 3.53: on macOS it is the system's. */
function lacksDropNotNull(raw: Database): boolean {
  const row = raw.query<{ v: string }, []>("SELECT sqlite_version() AS v").get();
  const [major = 0, minor = 0] = (row?.v ?? "").split(".").map(Number);
  return major === 3 && minor < 53;
}

/**
 * What DROP NOT NULL does, by writing the table anew: the same schema in the same words, so that the file
 * may go on under either version. The caller sees to it that foreign keys are off.
 */
export function rebuildWithout(raw: Database, table: string, column: string): void {
  const parts = raw
    .query<{ type: string; name: string; sql: string }, [string]>(
      "SELECT type, name, sql FROM sqlite_schema WHERE tbl_name = ? AND sql IS NOT NULL ORDER BY type = 'table' DESC",
    )
    .all(table);
  const [own, ...others] = parts;
  for (const { type, name } of others) {
    raw.run(`DROP ${type} \`${name}\``);
  }
  raw.run("PRAGMA legacy_alter_table = ON");
  raw.run(`ALTER TABLE \`${table}\` RENAME TO \`${table}_before\``);
  raw.run("PRAGMA legacy_alter_table = OFF");
  raw.run((own?.sql ?? "").replace(new RegExp(`(\`${column}\` \\w+) NOT NULL`), "$1"));
  raw.run(`INSERT INTO \`${table}\` SELECT * FROM \`${table}_before\``);
  raw.run(`DROP TABLE \`${table}_before\``);
  for (const { sql } of others) {
    raw.run(sql);
  }
}
