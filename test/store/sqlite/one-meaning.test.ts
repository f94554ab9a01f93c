/**
 * The migration that gives each column of messages one meaning, on the kept data of the version before:
 * what is absent is null, a conversation and a placement test have columns of their own, and nothing else
 * of a row changes. The same where SQLite is too old to drop a NOT NULL.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { closeDatabase, type Db, integrityCheck, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import { rebuildWithout } from "#store/sqlite/migrations.ts";
import { FIXTURES, fixtureName, layOut } from "../../support/schema-fixture.ts";

const BEFORE = 10;
const NONE = "zeroblob(16)";

let directory: string;
let db: Db;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "outrider-meaning-"));
  db = kept("a.db");
});
afterEach(() => {
  closeDatabase(db);
  rmSync(directory, { recursive: true, force: true });
});

function kept(name: string): Db {
  const path = join(directory, name);
  layOut(Bun.zstdDecompressSync(readFileSync(join(FIXTURES, fixtureName(BEFORE, "test")))), path);
  return openDatabase(path);
}

type Row = Record<string, string | number | null>;
const COLUMNS = ["campaign_id", "enrollment_id", "lead_id", "step_id", "thread_id"];
const hexOf = (name: string) => `lower(hex(${name})) as ${name}`;
const messages = (columns: readonly string[]): Map<string, Row> => {
  const names = columns.map((name) => hexOf(name)).join(", ");
  const rows = db.raw.query<Row, []>(`select kind, ${hexOf("id")}, ${names} from messages`).all();
  return new Map(rows.map((row) => [String(row["id"]), row]));
};

/** A message like one that is there, but of another kind and of nothing else. */
function add(kind: string, whose: string, step = whose): void {
  const columns = db.raw
    .query<{ name: string }, []>("select name from pragma_table_info('messages')")
    .all()
    .map(({ name }) => name);
  const given: Record<string, string> = {
    ...{ id: `x'${whose}'`, kind: `'${kind}'`, message_id: `'<${whose}>'` },
    ...{ campaign_id: NONE, lead_id: NONE, step_position: "0" },
    ...{ enrollment_id: `x'${whose}'`, step_id: `x'${step}'` },
  };
  const values = columns.map((name) => given[name] ?? name).join(", ");
  db.raw.run(`insert into messages select ${values} from messages limit 1`);
}

const THREAD = "aa".repeat(16);
const TEST = "bb".repeat(16);

describe("each column of messages has one meaning", () => {
  test("and what is absent is null", () => {
    add("manual", THREAD, "cc".repeat(16));
    add("placement", TEST);
    const before = messages(COLUMNS.slice(0, 4));
    migrate(db);
    const after = messages([...COLUMNS, "placement_test_id"]);
    const nothing = { campaign_id: "", enrollment_id: "", lead_id: "", step_id: "" };
    const own = { ...nothing, thread_id: "", placement_test_id: "" };
    for (const [id, row] of before) {
      const expected: Record<string, Row> = {
        step: { ...own, ...row },
        manual: { ...own, ...row, step_id: "", thread_id: row["enrollment_id"] ?? null },
      };
      const is = { ...own, id, kind: row["kind"] ?? null };
      expect(after.get(id)).toEqual(
        id === THREAD
          ? { ...is, thread_id: THREAD }
          : id === TEST
            ? { ...is, placement_test_id: TEST }
            : (expected[String(row["kind"])] as Row),
      );
    }
    expect(new Set([...before.values()].map(({ kind }) => kind)).size).toBe(3);
    const zeros = COLUMNS.map((name) => `${name} = ${NONE}`).join(" or ");
    const left = db.raw.query(`select count(*) as n from messages where ${zeros}`).get();
    expect(left).toEqual({ n: 0 });
    expect(integrityCheck(db)).toBe("ok");
  });

  test("by an old SQLite too, in the same words, and no row of another table goes along", () => {
    const drops = readFileSync(
      join(import.meta.dir, "../../../migrations/0010_one_meaning_a_column.sql"),
      "utf8",
    ).matchAll(/ALTER TABLE `(\w+)` ALTER COLUMN `(\w+)` DROP NOT NULL/g);
    const other = kept("b.db");
    const tables = db.raw
      .query<{ name: string }, []>("select name from sqlite_schema where type = 'table'")
      .all()
      .filter(({ name }) => !/^(search|sqlite_)/.test(name));
    const counts = (of: Db) =>
      tables.map(({ name }) => of.raw.query(`select '${name}', count(*) from ${name}`).values());
    const schema = (of: Db) =>
      of.raw.query("select type, name, tbl_name, sql from sqlite_schema order by name").values();
    const before = counts(other);
    other.raw.run("PRAGMA foreign_keys = OFF");
    for (const [statement, table = "", column = ""] of drops) {
      db.raw.run(statement);
      other.raw.transaction(() => rebuildWithout(other.raw, table, column)).immediate();
    }
    expect(schema(other)).toEqual(schema(db));
    expect(counts(other)).toEqual(before);
    expect(other.raw.query("PRAGMA foreign_key_check").all()).toEqual([]);
    closeDatabase(other);
  });
});

test("what sending and the inbox ask is asked by an index", () => {
  migrate(db);
  const asked = [
    "enrollment_id = ?1 and step_id = ?2",
    "enrollment_id = ?1",
    "enrollment_id = ?1 or thread_id = ?1",
    "placement_test_id = ?1",
    "account_id = ?1 and status = 'sending'",
    "account_id = ?1 and due_at is not null",
  ];
  for (const where of asked) {
    const plan = db.raw.query(`explain query plan select * from messages where ${where}`).values();
    expect(`${where}: ${plan.map((row) => row[3]).join("; ")}`).not.toContain("SCAN");
  }
});
