/** Imports of files: what they are made of, how they end, and what becomes of each of their lines. */

import { IMPORT_ERRORS, SKIP_REASONS } from "#domain/leads/lead.ts";

export const IMPORT_KINDS = ["leads", "suppressions"] as const;
/** What the rows of a file are. */
export type ImportKind = (typeof IMPORT_KINDS)[number];

export const IMPORT_FORMATS = ["csv", "ndjson", "json"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

export const IMPORT_STATUSES = [
  "running",
  "done",
  "interrupted",
  "failed",
  "cancelled",
  "undoing",
  "undone",
] as const;
/**
 * `interrupted`: the connection or the program ended in the middle, and the rest may be sent. `failed`:
 * the file cannot be read on from where it stands. `undoing`: what it added is being taken away.
 */
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

export const LINE_REASONS = [
  ...SKIP_REASONS,
  ...IMPORT_ERRORS,
  "already_suppressed",
  "reason_invalid",
  "invalid_line",
  "too_many_columns",
  "field_too_long",
] as const;
/** Why a line was not enrolled, or not suppressed. */
export type LineReason = (typeof LINE_REASONS)[number];

export const LINE_OUTCOMES = ["new", "update", "duplicate", "suppressed", "invalid"] as const;
/**
 * What becomes of a line. `new`: an address that nobody knew. `update`: a known one, now in the campaign
 * too, its record as the rule for existing ones says. The others are enrolled nowhere. Of suppressions
 * `new` is suppressed now, and `update` has a stronger reason than before.
 */
export type LineOutcome = (typeof LINE_OUTCOMES)[number];

const OUTCOMES: Readonly<Record<LineReason, LineOutcome>> = {
  already_enrolled: "duplicate",
  duplicate_in_request: "duplicate",
  in_other_campaign: "duplicate",
  already_suppressed: "duplicate",
  suppressed: "suppressed",
  suppressed_domain: "suppressed",
  placement_seed: "suppressed",
  invalid_email: "invalid",
  variables_invalid: "invalid",
  timezone_invalid: "invalid",
  tags_invalid: "invalid",
  reason_invalid: "invalid",
  plan_limit: "invalid",
  invalid_line: "invalid",
  too_many_columns: "invalid",
  field_too_long: "invalid",
};

export function outcomeOf(reason: LineReason): LineOutcome {
  return OUTCOMES[reason];
}

/** Lines by outcome, and those of the last three by reason. Their sum is the number of lines read. */
export interface ImportCounts {
  new: number;
  update: number;
  duplicate: number;
  suppressed: number;
  invalid: number;
  reasons: Partial<Record<LineReason, number>>;
  /** Of those added to the campaign; absent in imports from before addresses were checked. */
  addresses?: { risky: number; invalid: number; reasons: Partial<Record<string, number>> };
}

export const NO_COUNTS: ImportCounts = {
  new: 0,
  update: 0,
  duplicate: 0,
  suppressed: 0,
  invalid: 0,
  reasons: {},
};

/** Characters of one line of a file, quoted line ends included. */
export const LINE_CHARS_MAX = 256 * 1024;
/** Columns of a CSV file. */
export const COLUMNS_MAX = 500;
/** Lines of an import whose outcome is kept, for the download; the counts know them all. */
export const LINES_KEPT_MAX = 1_000_000;
