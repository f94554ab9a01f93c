/** Guarantees of `store/sqlite/steady-database.ts`: parameters hidden from the planner, and nothing else changed. */

import { describe, expect, test } from "bun:test";
import { SteadyDatabase, steady } from "#store/sqlite/steady-database.ts";

describe("steady", () => {
  test.each([
    ["select a from t where b = ? limit ?", "select a from t where b = +? limit +?"],
    ["with x as (select ?) select * from x", "with x as (select +?) select * from x"],
    ["SELECT '?', \"?\", `?`, ?", "SELECT '?', \"?\", `?`, +?"],
    ["select 'it''s ?' where a = ?", "select 'it''s ?' where a = +?"],
  ])("hides the parameters of %s", (sql, expected) => {
    expect(steady(sql)).toBe(expected);
  });

  test.each([
    "insert into t values (?, ?)",
    "update t set a = ? where b = ?",
    "delete from t where a = ?",
    "PRAGMA user_version",
  ])("leaves %s alone", (sql) => {
    expect(steady(sql)).toBe(sql);
  });
});

test.each([["text"], [1.5], [7], [null], [new Uint8Array([1, 2])]])(
  "a value comes out of a statement as it went in: %p",
  (value) => {
    const db = new SteadyDatabase(":memory:", { strict: true });
    expect(db.prepare("select ?").values(value)).toEqual([[value]]);
    expect(db.query("select ?").values(value)).toEqual([[value]]);
    db.close();
  },
);

test("a column is compared by its own affinity, as with a bare parameter", () => {
  const db = new SteadyDatabase(":memory:", { strict: true });
  db.run("create table t (n integer, s text)");
  db.run("insert into t values (1, '1')");
  expect(db.query("select count(*) from t where n = ?").values("1")).toEqual([[1]]);
  expect(db.query("select count(*) from t where s = ?").values(1)).toEqual([[1]]);
  db.close();
});
