/**
 * Writes numbered rows through the store until it is killed, and tells on stdout of each that was
 * committed: `bun power-writer.ts DATABASE FULL|NORMAL|OFF [BYTES]`. With BYTES, the thread of the store folds the
 * log from that length on, and no commit does.
 */

import { createCommitter } from "#store/sqlite/commit.ts";
import { openDatabase } from "#store/sqlite/database.ts";

const [path = "", mode = "FULL", logBytes] = process.argv.slice(2);
const db = openDatabase(path);
db.raw.run("CREATE TABLE IF NOT EXISTS written (n INTEGER PRIMARY KEY, filler BLOB) STRICT");
db.raw.run(`PRAGMA synchronous = ${mode}`);
// Often enough that a kill comes between two of them.
db.raw.run(`PRAGMA wal_autocheckpoint = ${logBytes === undefined ? 60 : 0}`);
const { commit } = createCommitter(db, { logBytes: Number(logBytes ?? Number.POSITIVE_INFINITY) });
const insert = db.raw.prepare("INSERT INTO written VALUES (?, randomblob(900))");
const last = db.raw.query<{ n: number }, []>("SELECT coalesce(max(n), 0) AS n FROM written").get();
for (let n = (last?.n ?? 0) + 1; ; n += 1) {
  await commit(() => insert.run(n));
  process.stdout.write(`${n}\n`);
}
