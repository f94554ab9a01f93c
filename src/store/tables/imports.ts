/** Imports of files: how far each has come, what became of its lines, and what to take away again. */

import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Column } from "#domain/leads/import/columns.ts";
import type { Delimiter } from "#domain/leads/import/csv.ts";
import type { Encoding } from "#domain/leads/import/encoding.ts";
import type {
  ImportCounts,
  ImportFormat,
  ImportStatus,
  LineOutcome,
  LineReason,
} from "#domain/leads/import/import.ts";
import type { ExistingRule, LeadVariables } from "#domain/leads/lead.ts";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import { bytes, flag, instant, json, uuid } from "#store/sqlite/columns.ts";

export const imports = sqliteTable(
  "imports",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id").notNull(),
    /** Null: a file of suppressions. */
    campaignId: uuid("campaign_id"),
    /** Of suppressions: the reason of rows that give none. */
    reason: text("reason").$type<SuppressionReason>(),
    status: text("status").$type<ImportStatus>().notNull(),
    format: text("format").$type<ImportFormat>().notNull(),
    fileName: text("file_name"),
    dryRun: flag("dry_run").notNull(),
    existing: text("existing").$type<ExistingRule>().notNull(),
    skipIfInOtherCampaign: flag("skip_if_in_other_campaign").notNull(),
    /** What the file's first bytes told; null until they have come, and for NDJSON. */
    encoding: text("encoding").$type<Encoding>(),
    delimiter: text("delimiter").$type<Delimiter>(),
    newline: text("newline").$type<"\n" | "\r">(),
    columns: json<Column[] | null>("columns"),
    /** Bytes of the file that are dealt with: the rest is read from here. */
    offset: integer("offset").notNull(),
    /** The number of the line that begins at `offset`. */
    line: integer("line").notNull(),
    /** Of the whole file, where the sender said; null otherwise. */
    totalBytes: integer("total_bytes"),
    counts: json<ImportCounts>("counts").notNull(),
    /** Lines whose outcome is kept. */
    kept: integer("kept").notNull(),
    /** Leads that the undoing took away, and that it left because they had been written to. */
    removed: integer("removed").notNull(),
    left: integer("left_alone").notNull(),
    /** Records of known leads that it changed, and those of them that undoing put back or could not. */
    overwritten: integer("overwritten").notNull().default(0),
    restored: integer("restored").notNull().default(0),
    notRestored: integer("not_restored").notNull().default(0),
    /** What undoing it needs is no longer kept whole: it is too long ago. */
    isForgotten: flag("is_forgotten").notNull().default(false),
    /** Why it stopped, for a person. */
    error: text("error"),
    createdAt: instant("created_at").notNull(),
    updatedAt: instant("updated_at").notNull(),
    finishedAt: instant("finished_at"),
  },
  (table) => [
    index("imports_team").on(table.teamId, table.createdAt, table.id),
    index("imports_running").on(table.status).where(sql`${table.status} in ('running', 'undoing')`),
    index("imports_age").on(table.createdAt),
  ],
);
export type ImportRow = typeof imports.$inferSelect;

/** What became of a line: those not enrolled, and in a dry run all. */
export const importLines = sqliteTable(
  "import_lines",
  {
    seq: integer("seq").primaryKey(),
    importId: uuid("import_id").notNull(),
    line: integer("line").notNull(),
    outcome: text("outcome").$type<LineOutcome>().notNull(),
    reason: text("reason").$type<LineReason>(),
    /** As the file has it; empty once the person is erased. */
    email: text("email").notNull(),
  },
  (table) => [index("import_lines_import").on(table.importId, table.seq)],
);
export type ImportLineRow = typeof importLines.$inferSelect;

/**
 * Ids that one transaction of an import made, the first and the last: what lies between them is its own,
 * because ids rise and nothing else is made meanwhile.
 */
export const importSlices = sqliteTable(
  "import_slices",
  {
    seq: integer("seq").primaryKey(),
    importId: uuid("import_id").notNull(),
    firstId: uuid("first_id").notNull(),
    lastId: uuid("last_id").notNull(),
  },
  (table) => [index("import_slices_import").on(table.importId, table.firstId)],
);
export type ImportSliceRow = typeof importSlices.$inferSelect;

/** The record of a lead as it was before an import changed it. */
export interface LeadBefore {
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  website: string | null;
  phone: string | null;
  timezone: string | null;
  variables: LeadVariables;
  /** Tags that it did not have before. */
  addedTags?: string[];
}

export const importChanges = sqliteTable(
  "import_changes",
  {
    seq: integer("seq").primaryKey(),
    importId: uuid("import_id").notNull(),
    leadId: uuid("lead_id").notNull(),
    before: json<LeadBefore>("before").notNull(),
    at: instant("at").notNull(),
    /**
     * SHA-256 of the record as the import left it: one that was changed again since is left as it is. Null:
     * made before it was kept, `at` is not before the record's `updated_at` then.
     */
    after: bytes("after"),
  },
  (table) => [
    index("import_changes_import").on(table.importId, table.seq),
    index("import_changes_lead").on(table.leadId),
  ],
);
export type ImportChangeRow = typeof importChanges.$inferSelect;
