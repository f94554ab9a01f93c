/**
 * The rows of a file of suppressions. Each is suppressed as a single request would do it, with the same
 * events and the same ends of sequences, and with a cause of its own, so that each can be lifted by itself;
 * the ids of a slice say which effects are the file's (`usecases/inbox/undo-suppressions.ts`).
 */

import type { Column } from "#domain/leads/import/columns.ts";
import { SUPPRESSIONS_PACE } from "#domain/leads/import/pace.ts";
import {
  isStronger,
  SUPPRESSION_REASONS,
  type SuppressionReason,
} from "#domain/leads/suppression.ts";
import { Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { insertSlice, type NewLine } from "#store/leads/imports.ts";
import { suppressionByHash } from "#store/leads/suppressions.ts";
import type { ImportRow } from "#store/tables/imports.ts";
import { type SuppressionKey, suppress, suppressionKey } from "#usecases/leads/suppressions.ts";
import { hasMore, type RowRead, shown } from "./import-items.ts";
import {
  type FileRow,
  type ImportRows,
  refused,
  type SliceWritten,
  seenIn,
} from "./import-leads.ts";

interface SuppressionItem {
  /** As it was given. */
  email: string;
  /** Null where the row gives none. */
  reason: SuppressionReason | null;
}

/** Undone if nobody has looked at it. */
export const REASON_DEFAULT: SuppressionReason = "import";

export const suppressionRows: ImportRows<SuppressionItem> = {
  pace: SUPPRESSIONS_PACE,
  ofCells,
  ofJson,
  start: (env, caller) => {
    const isRepeated = seenIn(env);
    return (row, rows) => writeSlice(env, caller, { row, isRepeated }, rows);
  },
};

function ofCells(columns: readonly Column[], cells: readonly string[]): RowRead<SuppressionItem> {
  const cell = (field: string) =>
    cells[columns.findIndex((column) => column.field === field)]?.trim() ?? "";
  const email = cell("email");
  return hasMore(columns, cells)
    ? { reason: "too_many_columns", email: shown(email) }
    : itemOf(email, cell("reason"));
}

/** `"ann@example.com"`, or `{"email": "ann@example.com", "reason": "bounce"}`. */
function ofJson(value: unknown): RowRead<SuppressionItem> {
  if (typeof value === "string") {
    return itemOf(value, "");
  }
  const { email, reason, ...others } = Object(value) as Record<string, unknown>;
  if (typeof email !== "string") {
    return { reason: "invalid_line", email: "" };
  }
  if (Object.keys(others).length > 0) {
    return { reason: "invalid_line", email: shown(email) };
  }
  return itemOf(email, reason ?? "");
}

function itemOf(email: string, given: unknown): RowRead<SuppressionItem> {
  const word = typeof given === "string" ? given.trim().toLowerCase() : given;
  const reason = SUPPRESSION_REASONS.find((known) => known === word);
  return reason === undefined && word !== ""
    ? { reason: "reason_invalid", email: shown(email) }
    : { item: { email, reason: reason ?? null } };
}

interface Run {
  row: ImportRow;
  isRepeated: (address: string) => boolean;
}

function writeSlice(
  env: Environment,
  caller: Caller,
  run: Run,
  rows: readonly FileRow<SuppressionItem>[],
): SliceWritten {
  const firstId = env.ids.next(env.clock.now());
  const lines = rows.map(({ row, line }) =>
    "reason" in row
      ? refused(line, row.reason, row.email)
      : placed(env, caller, run, row.item, line),
  );
  if (!run.row.dryRun) {
    insertSlice(env.db, run.row.id, firstId, env.ids.next(env.clock.now()));
  }
  return { lines, overwritten: lines.filter(({ outcome }) => outcome === "update").length };
}

function placed(
  env: Environment,
  caller: Caller,
  { row, isRepeated }: Run,
  item: SuppressionItem,
  line: number,
): NewLine {
  const email = shown(item.email);
  const key = keyOf(item.email);
  if (key === null) {
    return refused(line, "invalid_email", email);
  }
  if (isRepeated(key.email)) {
    return refused(line, "duplicate_in_request", email);
  }
  const reason = item.reason ?? row.reason ?? REASON_DEFAULT;
  const known = suppressionByHash(env.db, caller.teamId, key.hash);
  if (!row.dryRun) {
    suppress(env, caller, { email: key.email, reason });
  }
  if (known === undefined) {
    return { line, outcome: "new", reason: null, email };
  }
  return isStronger(reason, known.reason)
    ? { line, outcome: "update", reason: null, email }
    : refused(line, "already_suppressed", email);
}

function keyOf(text: string): SuppressionKey | null {
  try {
    return suppressionKey(text);
  } catch (error) {
    if (error instanceof Problem) {
      return null;
    }
    throw error;
  }
}
