/** The rows of a file of leads: what each slice of them makes of them, and what undoing it will need. */

import { type LineReason, outcomeOf } from "#domain/leads/import/import.ts";
import { LEADS_PACE, type Pace } from "#domain/leads/import/pace.ts";
import type { Caller, Environment } from "#environment.ts";
import { createSeen } from "#platform/seen.ts";
import { insertChange, insertSlice, isOwnEnrollment, type NewLine } from "#store/leads/imports.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import { type ImportRun, importSlice, startImport } from "./import.ts";
import { type ItemReader, itemOfCells, itemOfJson, type RowRead, shown } from "./import-items.ts";
import { fingerprintOf } from "./import-record.ts";
import type { Placed } from "./import-result.ts";
import type { ImportItem } from "./import-row.ts";

/** A row of a file with the number of its line. */
export interface FileRow<Item> {
  row: RowRead<Item>;
  line: number;
}

/** What became of a slice. */
export interface SliceWritten {
  /** Of each row, in the order of the file. */
  lines: NewLine[];
  /** Records that were there and are changed. */
  overwritten: number;
}

/** What files of one kind hold, and what is done with their rows. */
export interface ImportRows<Item> extends ItemReader<Item> {
  readonly pace: Pace;
  /** Of an import that begins or goes on: writes a slice, inside a commit. */
  start(
    env: Environment,
    caller: Caller,
    started: ImportRow,
  ): (row: ImportRow, rows: readonly FileRow<Item>[]) => SliceWritten;
}

export const leadRows: ImportRows<ImportItem> = {
  pace: LEADS_PACE,
  ofCells: itemOfCells,
  ofJson: itemOfJson,
  start: (env, caller, { campaignId, ...started }) => {
    if (campaignId === null) {
      throw new Error("an import of leads without its campaign");
    }
    const run = runOf(env, { ...started, campaignId });
    return (_row, rows) => writeSlice(env, caller, { campaignId, run }, rows);
  },
};

function runOf(env: Environment, row: ImportRow & { campaignId: Id }): ImportRun {
  const { existing, skipIfInOtherCampaign, dryRun, id, campaignId } = row;
  const run = startImport({ existing, skipIfInOtherCampaign, dryRun }, seenIn(env), {
    isOwn: (leadId) => isOwnEnrollment(env.db, id, campaignId, leadId),
    changing: ({ id: leadId, email: _email, ...known }, after, { at, addedTags }) => {
      const before = addedTags.length === 0 ? known : { ...known, addedTags };
      insertChange(env.db, id, leadId, { before, after: fingerprintOf(after), at });
    },
    made: (firstId, lastId) => {
      insertSlice(env.db, id, firstId, lastId);
    },
  });
  run.imported = row.counts.new + row.counts.update;
  run.supposed = dryRun ? row.counts.new : 0;
  return run;
}

/** True where an address has come before; remembers it. */
export function seenIn(env: Environment): (address: string) => boolean {
  const seed = BigInt(`0x${Array.from({ length: 8 }, () => hex(env.dice.byte())).join("")}`);
  return createSeen(seed).isRepeated;
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, "0");
}

/** Checks and stores the rows of a slice. */
function writeSlice(
  env: Environment,
  caller: Caller,
  { campaignId, run }: { campaignId: Id; run: ImportRun },
  rows: readonly FileRow<ImportItem>[],
): SliceWritten {
  run.changed = 0;
  const items = rows.flatMap(({ row }) => ("item" in row ? [row.item] : []));
  const placed = items.length === 0 ? [] : importSlice(env, caller, campaignId, items, run);
  let next = 0;
  const lines = rows.map(({ row, line }) => {
    if ("reason" in row) {
      return refused(line, row.reason, row.email);
    }
    const found = placed[next];
    next += 1;
    if (found === undefined) {
      throw new Error("an item was not judged");
    }
    return lineOf(line, found);
  });
  return { lines, overwritten: run.changed };
}

function lineOf(line: number, { email, verdict, isKnown, check }: Placed): NewLine {
  return verdict === "imported"
    ? { line, outcome: isKnown ? "update" : "new", reason: null, email: shown(email), check }
    : refused(line, verdict, shown(email));
}

export function refused(line: number, reason: LineReason, email: string): NewLine {
  return { line, outcome: outcomeOf(reason), reason, email };
}
