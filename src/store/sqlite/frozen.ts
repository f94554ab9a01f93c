/**
 * A database as it is at one instant, whatever is written meanwhile: a connection that only reads, in one
 * transaction. What the second thread answers from.
 */

import { Database } from "bun:sqlite";
import { BUSY_MS_MAX, type Db } from "./database.ts";
import { ormOf } from "./driver.ts";
import { RowCache } from "./row-cache.ts";

/** What a frozen state may keep of the file in memory. */
const FROZEN_CACHE_KIB = 8_192;

export interface Frozen {
  db: Db;
  /** Has to be called, and soon: until then the write-ahead log cannot start anew. */
  release(): void;
}

/** By path: connections that nobody holds. Their statements are prepared already. */
const idle = new Map<string, Db[]>();

/** The present state of the file at `path`. */
export function freeze(path: string): Frozen {
  const db = idle.get(path)?.pop() ?? openFrozen(path);
  db.raw.run("BEGIN");
  // The state is that of the first read.
  db.raw.run("SELECT 1 FROM sqlite_master LIMIT 1");
  db.rows.open();
  return {
    db,
    release: () => {
      db.rows.close();
      db.raw.run("COMMIT");
      idle.set(path, [...(idle.get(path) ?? []), db]);
    },
  };
}

/** Reads the file at `path` and lets go of it, with nothing written, folded or waited for. */
export function readFrozen<Result>(path: string, read: (db: Db) => Result): Result {
  const db = openFrozen(path);
  try {
    return read(db);
  } finally {
    db.raw.close(false);
  }
}

function openFrozen(path: string): Db {
  const raw = new Database(path, { readonly: true, strict: true });
  raw.run(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
  raw.run(`PRAGMA cache_size = -${FROZEN_CACHE_KIB}`);
  raw.run("PRAGMA temp_store = MEMORY");
  const rows = new RowCache(raw);
  return { orm: ormOf(raw, rows), raw, rows };
}
