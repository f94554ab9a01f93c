/**
 * Rows that were found by their id: to send an email asks for the same account, campaign, lead and
 * enrollment ten times.
 *
 * The one rule: rows are served until somebody has written what was not announced. Of this connection
 * SQLite counts the changes: what writes one row by its id announces that row, what the query builder
 * writes announces its table, whose rows are dropped; the first change beyond those, by a statement, a
 * trigger or a foreign key, drops all rows. Of other connections it tells whether they have written, which
 * is asked when a transaction begins, and for reads outside of one once in a turn of the event loop: requests
 * that come together see one state. A cached row is shared by all who ask: nobody changes one in place.
 *
 * Source: ours, measured (`docs/adr/store.md`, "Rows are cached by their id").
 */

import type { Changes, Database } from "bun:sqlite";

/** Rows of one table; beyond it all of them are dropped. */
const ROWS_MAX = 1024;
/** A row with a longer text, or more bytes, is not cached. */
const LENGTH_MAX = 32_768;

/** A row as SQLite gives it, and as it was decoded once somebody asked. */
export interface CachedRow {
  readonly values: readonly unknown[];
  decoded?: object;
}

export class RowCache {
  readonly #raw: Database;
  readonly #changes: () => unknown;
  readonly #version: () => unknown;
  readonly #rows = new Map<string, Map<string, CachedRow>>();
  #changesSeen: unknown;
  #versionSeen: unknown;
  #isOpen = false;
  #isAsked = false;

  constructor(raw: Database) {
    // Closing a database ends what `query` has made; a prepared one would hold the file's lock.
    const changes = raw.query("select total_changes()");
    const version = raw.query("PRAGMA data_version");
    this.#raw = raw;
    this.#changes = () => changes.values()[0]?.[0];
    this.#version = () => version.values()[0]?.[0];
  }

  /** A transaction has begun, and has read: until it is over, others' writes are not seen. */
  open(): void {
    this.#askOthers();
    this.#isOpen = true;
  }

  /** It was committed, or has only read. */
  close(): void {
    this.#isOpen = false;
  }

  /** Something was undone, which SQLite does not count. */
  clear(): void {
    this.#rows.clear();
  }

  find(
    table: string,
    id: string,
    read: () => readonly unknown[] | undefined,
  ): CachedRow | undefined {
    const isCurrent = this.#check();
    const cached = isCurrent ? this.#rows.get(table)?.get(id) : undefined;
    if (cached !== undefined) {
      return cached;
    }
    const values = read();
    const row = values && { values };
    if (row !== undefined && isCurrent) {
      this.#put(table, id, row);
    }
    return row;
  }

  /** `run` writes the row with this id, which is `row` then, and nothing else. */
  write(table: string, id: string, row: CachedRow, run: () => Changes): void {
    this.#announced(run);
    if (this.#isOpen) {
      this.#put(table, id, row);
    }
  }

  /** `run` writes rows of `tables`, and of no other. */
  writeTables(tables: readonly string[], run: () => Changes): Changes {
    const changes = this.#announced(run);
    for (const table of tables) {
      this.#rows.delete(table);
    }
    return changes;
  }

  #announced(run: () => Changes): Changes {
    if (!this.#isOpen) {
      return run();
    }
    this.#check();
    const changes = run();
    // What a foreign key or a trigger changes is not among these.
    this.#changesSeen = Number(this.#changesSeen) + changes.changes;
    return changes;
  }

  /** Drops what may be old. False: nothing may be cached, in a transaction that was not said to be one. */
  #check(): boolean {
    if (!this.#isOpen) {
      if (this.#raw.inTransaction) {
        return false;
      }
      this.#askOthersOnce();
    }
    const changes = this.#changes();
    if (changes !== this.#changesSeen) {
      this.clear();
      this.#changesSeen = changes;
    }
    return true;
  }

  #askOthersOnce(): void {
    if (!this.#isAsked) {
      this.#isAsked = true;
      setImmediate(() => {
        this.#isAsked = false;
      });
      this.#askOthers();
    }
  }

  #askOthers(): void {
    const version = this.#version();
    if (version !== this.#versionSeen) {
      this.clear();
      this.#versionSeen = version;
    }
  }

  #put(table: string, id: string, row: CachedRow): void {
    let rows = this.#rows.get(table);
    if (rows === undefined) {
      rows = new Map();
      this.#rows.set(table, rows);
    } else if (rows.size >= ROWS_MAX) {
      rows.clear();
    }
    if (row.values.some(isLong)) {
      rows.delete(id);
    } else {
      rows.set(id, row);
    }
  }
}

function isLong(value: unknown): boolean {
  return (typeof value === "string" || value instanceof Uint8Array) && value.length > LENGTH_MAX;
}
