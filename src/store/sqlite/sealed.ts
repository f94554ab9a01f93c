/**
 * Where sealed secrets lie. Whoever adds a column of them adds it here, or a new master key does not
 * reach it: `test/usecases/secrets.test.ts` finds what is missing.
 */

import { bytesToId } from "./columns.ts";
import type { Db } from "./database.ts";

/** Columns with sealed texts, by table, and the columns that say which row one is sealed for. */
export const SEALED_COLUMNS = [
  { table: "accounts", column: "secrets", names: ["id"] },
  { table: "deleted", column: "secrets", names: ["id"] },
  { table: "workspaces", column: "secret", names: ["id"] },
  { table: "placement_seeds", column: "secrets", names: ["id"] },
  { table: "webhooks", column: "secret", names: ["id"] },
  { table: "webhooks", column: "previous_secret", names: ["id"] },
  { table: "webhooks", column: "headers", names: ["id"] },
  { table: "consents", column: "verifier", names: ["id"] },
  { table: "idempotency", column: "answer", names: ["team_id", "key"] },
] as const;
export type SealedColumn = (typeof SEALED_COLUMNS)[number];

export interface SealedCell {
  rowid: number;
  /** As the column has it: one sealed text, or JSON of several. */
  text: string;
  /** What the column's `names` say of the row, ids as text. */
  names: readonly string[];
}

/** The next cells after `rowid`, in its order; empty ones are left out. */
export function sealedCells(
  db: Db,
  { table, column, names }: SealedColumn,
  after: number,
  limit: number,
): SealedCell[] {
  const rows = db.raw
    .query<Record<string, unknown>, [number, number]>(
      `SELECT rowid AS at, ${column} AS sealed, ${names.join(", ")} FROM ${table}
       WHERE rowid > +? AND ${column} <> '' ORDER BY rowid LIMIT +?`,
    )
    .all(after, limit);
  return rows.map((row) => ({
    rowid: Number(row["at"]),
    text: String(row["sealed"]),
    names: names.map((name) => {
      const value = row[name];
      return value instanceof Uint8Array ? bytesToId(value) : String(value);
    }),
  }));
}

/** Runs inside a commit. */
export function replaceSealed(
  db: Db,
  { table, column }: SealedColumn,
  { rowid, text }: Pick<SealedCell, "rowid" | "text">,
): void {
  db.raw.query(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(text, rowid);
}
