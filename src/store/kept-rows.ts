/**
 * Rows that are kept decoded, so that what one mail asks ten times is read once. Only inside a group of
 * commits (`commit.ts`) is a row answered from here: no other connection can write then, and whatever
 * this one writes is seen by {@link KeptRows.note} before it happens. What is kept outlives the group, and
 * is forgotten when another process has written in between.
 *
 * A kept row is shared by all who ask: nobody changes one in place.
 */

import type { Database } from "bun:sqlite";

/** Tables whose rows are asked for again and again while mail is sent and read. */
const KEPT: ReadonlySet<string> = new Set([
  "accounts",
  "campaigns",
  "enrollments",
  "experiments",
  "leads",
  "messages",
  "steps",
  "teams",
]);
/** Rows of one table; beyond it all of them are forgotten. */
const ROWS_MAX = 1024;
/** A row with a longer text is not kept. */
const TEXT_CHARS_MAX = 32_768;

/** A row by its columns' names. */
export type KeptRow = Readonly<Record<string, unknown>>;

interface Reads {
  values(...parameters: unknown[]): unknown[][];
}

export class KeptRows {
  readonly #tables = new Map<string, Map<string, KeptRow>>();
  readonly #version: () => Reads;
  readonly #cascades: () => Reads;
  #versionSeen: unknown;
  #parents: ReadonlySet<unknown> | undefined;
  #isOpen = false;

  constructor(raw: Database) {
    this.#version = once(() => raw.prepare("PRAGMA data_version"));
    this.#cascades = once(() =>
      raw.prepare(
        `select distinct f."table" from sqlite_master m, pragma_foreign_key_list(m.name) f
           where m.type = 'table' and f.on_delete <> 'NO ACTION'`,
      ),
    );
  }

  /** A transaction that only this connection can write in has begun. */
  open(): void {
    const version = this.#version().values()[0]?.[0];
    if (version !== this.#versionSeen) {
      this.#versionSeen = version;
      this.clear();
    }
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  get(table: string, id: string): KeptRow | undefined {
    return this.#isOpen ? this.#tables.get(table)?.get(id) : undefined;
  }

  /** The row as it is in the file now. */
  put(table: string, id: string, row: KeptRow): void {
    if (!this.#isOpen || !KEPT.has(table)) {
      return;
    }
    if (Object.values(row).some(isLong)) {
      this.drop(table, id);
      return;
    }
    let rows = this.#tables.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.#tables.set(table, rows);
    } else if (rows.size >= ROWS_MAX) {
      rows.clear();
    }
    rows.set(id, row);
  }

  drop(table: string, id: string): void {
    this.#tables.get(table)?.delete(id);
  }

  /** Something was undone, or may have been written by somebody else. */
  clear(): void {
    this.#tables.clear();
  }

  /** Rows of `write.table` are about to be written by a statement that does not say which. */
  note(write: Write): void {
    if (this.#tables.size === 0) {
      return;
    }
    if (write.table === null || (write.deletes && this.#cascadesFrom(write.table))) {
      this.clear();
    } else {
      this.#tables.delete(write.table);
    }
  }

  #cascadesFrom(table: string): boolean {
    this.#parents ??= new Set(
      this.#cascades()
        .values()
        .map(([parent]) => parent),
    );
    return this.#parents.has(table);
  }
}

function isLong(value: unknown): boolean {
  return typeof value === "string" && value.length > TEXT_CHARS_MAX;
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What a statement may write; `table` null: whatever there is. */
export interface Write {
  table: string | null;
  deletes: boolean;
}

const HARMLESS =
  /^\s*(select|pragma|begin|commit|end|savepoint|release|rollback|explain|analyze)\b/i;
const WRITES =
  /^\s*(?:insert(?:\s+or\s+\w+)?\s+into|replace\s+into|update(?:\s+or\s+\w+)?|delete\s+from)\s+["`[]?(\w+)/i;
const CHANGES_NOTHING_KEPT = /^\s*insert\s+into\b(?!.*\bon\s+conflict\b)/is;

/** What `sql` may write; undefined: no row that could be kept. A new row was not kept before. */
export function writeOf(sql: string): Write | undefined {
  if (HARMLESS.test(sql) || CHANGES_NOTHING_KEPT.test(sql)) {
    return undefined;
  }
  const table = WRITES.exec(sql)?.[1] ?? null;
  return { table, deletes: /^\s*delete\b/i.test(sql) };
}
