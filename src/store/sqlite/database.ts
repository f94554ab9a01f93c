/**
 * One SQLite file through Drizzle: how it is opened, and statements that are prepared once.
 *
 * Settings, each with its reason:
 * - `journal_mode=WAL`: readers never wait for the writer.
 * - `synchronous=FULL`: an email that was sent is never forgotten, not even by a power cut; group commit
 *   (`commit.ts`) makes it affordable. The test environment waits less while its clock is moved.
 * - `secure_delete=ON`: what is deleted or overwritten is zeroed, so that an erased person is not read out
 *   of the file (`erasure.ts`). `FAST` would leave whole pages that were given back as they are.
 * - `foreign_keys=ON`: a row cannot outlive its owner.
 * - `busy_timeout`: the command line may write beside a running server. Commits do not wait so, for it would
 *   be in the thread that serves everybody ({@link withoutWaiting}, `commit.ts`).
 * - `cache_size`, `mmap_size`: the hot part of the file stays in memory.
 */

import { Database } from "bun:sqlite";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { ownTurn } from "#platform/turns.ts";
import { noteDamage } from "./damage.ts";
import { ormOf } from "./driver.ts";
import { isHeld } from "./lock.ts";
import { RowCache } from "./row-cache.ts";
import { type SlowWatch, watched } from "./watched.ts";

/** How long others' locks are waited for. */
export const BUSY_MS_MAX = 5_000;
const CACHE_KIB = 32_768;
/**
 * Pages of the write-ahead log (256 MB) from which a commit folds it into the file. A thread does so from a
 * quarter of that (`fold.ts`), so it happens where others write or read as long.
 */
const LOG_PAGES = 64_000;

export interface Db {
  readonly orm: BunSQLiteDatabase;
  /** Only `store/` uses it: transactions, pragmas and the statements that Drizzle cannot say. */
  readonly raw: Database;
  /** Only `rows.ts` reads it, and whoever begins a transaction. */
  readonly rows: RowCache;
}

/** Opens or creates the file at `path`; `:memory:` for a test's own. Throws when it cannot be opened. */
export function openDatabase(path: string, slow?: SlowWatch): Db {
  const raw: Database = watched(new Database(path, { create: true, strict: true }), {
    slow,
    failed: (error) => noteDamage(raw, error),
  });
  raw.run(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
  raw.run("PRAGMA journal_mode = WAL");
  raw.run("PRAGMA synchronous = FULL");
  raw.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  raw.run("PRAGMA secure_delete = ON");
  raw.run("PRAGMA foreign_keys = ON");
  raw.run(`PRAGMA cache_size = -${CACHE_KIB}`);
  raw.run("PRAGMA temp_store = MEMORY");
  const rows = new RowCache(raw);
  return { orm: ormOf(raw, rows), raw, rows };
}

/**
 * How much a commit waits for the disk: `FULL` always, `NORMAL` only for the sandbox's clock, whose file a
 * power cut then takes back by seconds and never breaks; `OFF` could break it.
 */
export function setSynchronous(db: Db, mode: "FULL" | "NORMAL"): void {
  db.raw.run(`PRAGMA synchronous = ${mode}`);
}

/**
 * Folds the write-ahead log into the file and closes it. Where the disk is full or may only be read, the
 * log stays beside the file, and the next start reads it.
 */
export function closeDatabase(db: Db): void {
  try {
    db.raw.run("PRAGMA optimize");
    db.raw.run("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch {
    // Nothing is lost, and the program has to end.
  } finally {
    db.raw.close(false);
  }
}

/**
 * Empties the write-ahead log, in which older states of pages stand. False: somebody reads one of them, as
 * a long look ahead or a replication does; it is not waited for.
 */
export function emptyLog(db: Db): boolean {
  const row = withoutWaiting(db, () =>
    db.raw.query<{ busy: number }, []>("PRAGMA wal_checkpoint(TRUNCATE)").get(),
  );
  return row?.busy === 0;
}

/** Runs `act`, in which a lock that somebody else holds fails at once with SQLITE_BUSY. */
export function withoutWaiting<Result>(db: Db, act: () => Result): Result {
  db.raw.run("PRAGMA busy_timeout = 0");
  try {
    return act();
  } finally {
    db.raw.run(`PRAGMA busy_timeout = ${BUSY_MS_MAX}`);
  }
}

const changes = prepared((db) => ({
  own: db.raw.query<{ n: number }, []>("SELECT total_changes() AS n"),
  others: db.raw.query<{ data_version: number }, []>("PRAGMA data_version"),
}));

/** Another text after every write, of this connection or another one. */
export function stateOf(db: Db): string {
  const { own, others } = changes(db);
  return `${own.get()?.n} ${others.get()?.data_version}`;
}

/** Rows of an index that an estimate looks at: without a bound it reads all of ten million. */
const ESTIMATE_ROWS = 400;
/** What `PRAGMA optimize` would do, told and not done. */
const ONLY_TOLD = 0xff_ff;

/**
 * Renews what the planner knows of tables that have grown, one index a turn: counting the rows of an index
 * takes 10 ms a million. `by`: whose turns these are.
 */
export async function optimize(db: Db, by: string): Promise<void> {
  db.raw.run(`PRAGMA analysis_limit = ${ESTIMATE_ROWS}`);
  for (const name of unlessHeld(db, () => grown(db)) ?? []) {
    await ownTurn({ by });
    unlessHeld(db, () => db.raw.run(`ANALYZE "${name}"`));
  }
}

/** Undefined: somebody else writes. There is a next hour. */
function unlessHeld<Result>(db: Db, act: () => Result): Result | undefined {
  try {
    return withoutWaiting(db, act);
  } catch (error) {
    if (!isHeld(error)) {
      throw error;
    }
    return undefined;
  }
}

/** The indexes of tables that have grown, and those of these tables that have none. */
function grown({ raw }: Db): string[] {
  const due = raw.query<{ optimize: string }, []>(`PRAGMA optimize(${ONLY_TOLD})`).all();
  const tables = due.flatMap(({ optimize: statement }) => /"([^"]+)"$/.exec(statement)?.[1] ?? []);
  const indexes = raw.query<{ name: string }, [string]>("SELECT name FROM pragma_index_list(?)");
  return tables.flatMap((table) => {
    const names = indexes.all(table).map(({ name }) => name);
    return names.length === 0 ? [table] : names;
  });
}

/** `ok`, or what SQLite found. */
export function integrityCheck(db: Db): string {
  const row = db.raw.query<{ integrity_check: string }, []>("PRAGMA integrity_check(20)").get();
  return row?.integrity_check ?? "no answer";
}

/** True when the database answers a read. */
export function answers(db: Db): boolean {
  return db.raw.query("SELECT 1").get() !== null;
}

/**
 * A statement that is built once for each database and then reused: built at every call it would cost
 * five times as much.
 */
export function prepared<Statement>(make: (db: Db) => Statement): (db: Db) => Statement {
  const made = new WeakMap<Db, Statement>();
  return (db) => {
    let statement = made.get(db);
    if (statement === undefined) {
      statement = make(db);
      made.set(db, statement);
    }
    return statement;
  };
}
