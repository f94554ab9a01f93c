/** Guarantees of `store/sqlite/columns.ts`: ids come back as they were, and sort in the file as they are made. */

import { describe, expect, test } from "bun:test";
import { asc } from "drizzle-orm";
import { integer, sqliteTable } from "drizzle-orm/sqlite-core";
import fc from "fast-check";
import { unixMs } from "#domain/time.ts";
import { systemDice } from "#platform/dice.ts";
import { createIds } from "#platform/ids.ts";
import {
  bytes,
  bytesToId,
  equals,
  flag,
  idToBytes,
  instant,
  json,
  uuid,
} from "#store/sqlite/columns.ts";
import { openDatabase, prepared } from "#store/sqlite/database.ts";
import { inserter, updater } from "#store/sqlite/rows.ts";

const things = sqliteTable("things", {
  id: uuid("id").primaryKey(),
  owner: uuid("owner"),
  at: instant("at"),
  isOn: flag("is_on"),
  hash: bytes("hash"),
  note: json<{ text: string } | null>("note"),
  n: integer("n"),
});

function open() {
  const db = openDatabase(":memory:");
  db.raw.run(
    "CREATE TABLE things (id BLOB PRIMARY KEY, owner BLOB, at INTEGER, is_on INTEGER, hash BLOB, note TEXT, n INTEGER)",
  );
  return db;
}

const insert = inserter(things);
const update = updater(things);
const byOwner = prepared((db) =>
  db.orm.select().from(things).where(equals(things.owner, "owner")).prepare(),
);
const A = "01890000-0000-7000-8000-00000000000a";
const B = "ffffffff-ffff-7fff-bfff-ffffffffffff";
const EMPTY = { owner: null, at: null, isOn: null, hash: null, note: null, n: null };

describe("ids", () => {
  test("are 16 bytes in the file and come back as they were", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(idToBytes(id)).toHaveLength(16);
        expect(bytesToId(idToBytes(id))).toBe(id);
        expect(bytesToId(idToBytes(id.toUpperCase()))).toBe(id);
      }),
    );
  });

  test("are read from a piece of a longer buffer too", () => {
    const long = new Uint8Array(40).fill(255);
    long.set(idToBytes(A), 7);
    expect(bytesToId(long.subarray(7, 23))).toBe(A);
  });

  test("compare as bytes as they do as text", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (a, b) => {
        const order = Buffer.compare(idToBytes(a), idToBytes(b));
        expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
    );
  });

  test("order rows as they were made, whatever the clock does", () => {
    const db = open();
    const ids = createIds(systemDice());
    const times = [5, 9, 2, 9, 9, 0, 100, 7].map((ms) => unixMs(1_772_463_600_000 + ms));
    const made = times.map((at) => ids.next(at));
    for (const id of made.toReversed()) {
      insert(db, { ...EMPTY, id });
    }
    const rows = db.orm.select().from(things).orderBy(asc(things.id)).all();
    expect(rows.map(({ id }) => id)).toEqual(made);
  });
});

describe("a row", () => {
  const full = {
    id: A,
    owner: B,
    at: unixMs(1_772_463_600_123),
    isOn: true,
    hash: new Uint8Array([0, 255, 3]),
    note: { text: 'a "quoted" é' },
    n: 0,
  };

  test.each([
    ["full", full],
    ["of nulls", { ...EMPTY, id: A }],
    ["with a flag that is off", { ...full, isOn: false }],
  ])("%s comes back as it was written", (_name, row) => {
    const db = open();
    insert(db, row);
    const [read] = db.orm.select().from(things).all();
    expect({ ...read, hash: read?.hash ? new Uint8Array(read.hash) : null } as unknown).toEqual(
      row,
    );
  });

  test("is written over with nulls where they are meant", () => {
    const db = open();
    insert(db, full);
    update(db, { ...EMPTY, id: A });
    expect(db.orm.select().from(things).all()).toEqual([{ ...EMPTY, id: A }]);
  });

  test("is stored in the types that the file promises", () => {
    const db = open();
    insert(db, full);
    const types =
      "SELECT typeof(id) id, typeof(at) at, typeof(is_on) isOn, typeof(note) note FROM things";
    expect(db.raw.query(types).get()).toEqual({
      id: "blob",
      at: "integer",
      isOn: "integer",
      note: "text",
    });
  });

  test("is found by an id in a prepared statement, again and again", () => {
    const db = open();
    insert(db, full);
    insert(db, { ...EMPTY, id: B, owner: A });
    expect(
      byOwner(db)
        .all({ owner: B })
        .map(({ id }) => id),
    ).toEqual([A]);
    expect(
      byOwner(db)
        .all({ owner: A })
        .map(({ id }) => id),
    ).toEqual([B]);
    expect(byOwner(db).all({ owner: B })).toHaveLength(1);
  });
});
