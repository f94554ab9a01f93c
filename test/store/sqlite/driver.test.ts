/** Guarantees of `store/sqlite/driver.ts`: a statement's values and rows are those that Drizzle would give. */

import { Database } from "bun:sqlite";
import { expect, spyOn, test } from "bun:test";
import { eq, getTableColumns, is, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/bun-sqlite";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { DAY_MS, unixMs } from "#domain/time.ts";
import { equals } from "#store/sqlite/columns.ts";
import { type Db, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import * as accounts from "#store/tables/accounts.ts";
import * as campaigns from "#store/tables/campaigns.ts";
import * as experiments from "#store/tables/experiments.ts";
import * as inbox from "#store/tables/inbox.ts";
import * as leads from "#store/tables/leads.ts";
import * as messages from "#store/tables/messages.ts";
import { teams } from "#store/tables/teams.ts";
import * as webhooks from "#store/tables/webhooks.ts";
import { createTestApp } from "../../support/app.ts";
import { addAccount } from "../../support/campaigns.ts";

const ROOMS = { accounts, campaigns, experiments, inbox, leads, messages, webhooks };
const TABLES = Object.values(ROOMS)
  .flatMap((room): unknown[] => Object.values(room))
  .filter((one): one is SQLiteTable => is(one, SQLiteTable));

/** A database in which something of everything has happened, and every statement that was prepared. */
async function lived(): Promise<{ db: Db; prepared: string[]; close: () => Promise<void> }> {
  const spies = [spyOn(Database.prototype, "prepare"), spyOn(Database.prototype, "query")];
  const app = await createTestApp();
  await addAccount(app, "a@sender.example");
  const { id } = (await app.call("POST", "/campaigns", { name: "Spring" })).body;
  const step = { type: "email", subject: "Hi {{email}}", body: "Hello" };
  await app.call("POST", `/campaigns/${id}/steps`, step);
  await app.call("POST", `/campaigns/${id}/steps`, { ...step, wait_days: 1 });
  const some = Array.from({ length: 60 }, (_, n) => ({ email: `p${n}@d${n % 9}.example` }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads: some });
  await app.call("POST", `/campaigns/${id}/start`);
  await app.advance(5 * DAY_MS);
  for (const path of ["/campaigns", "/leads", `/campaigns/${id}/leads`, `/campaigns/${id}/stats`]) {
    await app.call("GET", path);
  }
  const prepared = spies.flatMap((spy) => spy.mock.calls.map(([text]) => text));
  for (const spy of spies) {
    spy.mockRestore();
  }
  return { db: app.environments.test.db, prepared, close: () => app.close() };
}

test("rows of every table are what the library's own driver reads, and each in its column", async () => {
  const { db, close } = await lived();
  const theirs = drizzle(db.raw);
  let compared = 0;
  for (const table of TABLES) {
    const columns = getTableColumns(table);
    const reversed = Object.fromEntries(Object.entries(columns).toReversed());
    for (const selection of [columns, reversed]) {
      const own = db.orm.select(selection).from(table);
      const rows = own.prepare().all();
      expect(rows).toEqual(theirs.select(selection).from(table).all());
      expect(own.prepare().get()).toEqual(rows[0]);
      compared += rows.length;
    }
  }
  expect(compared).toBeGreaterThan(500);
  await close();
});

test("no statement is compiled anew at each run for a parameter beside ORDER BY or LIMIT", async () => {
  const { prepared, close } = await lived();
  const selects = prepared.filter((text) =>
    /^\s*(select|with)\b.*\b(order by|limit)\b/is.test(text),
  );
  expect(selects.length).toBeGreaterThan(30);
  expect(selects.filter((text) => /(?<!\+)\?/.test(text))).toEqual([]);
  await close();
});

test("expressions, aliases and nulls come out as with the library's own driver", async () => {
  const { db, close } = await lived();
  const read = (orm: Db["orm"]) =>
    orm
      .select({
        shout: sql<string>`upper(${leads.leads.email})`.as("shout"),
        none: sql<string | null>`null`,
        team: teams.name,
        twice: sql`2 * ${leads.leads.createdAt}`.mapWith(leads.leads.createdAt),
      })
      .from(leads.leads)
      .innerJoin(teams, eq(teams.id, leads.leads.teamId))
      .limit(3);
  const rows = read(db.orm).all();
  expect(rows).toHaveLength(3);
  expect(rows).toEqual(read(drizzle(db.raw)).all());
  const nested = (orm: Db["orm"]) =>
    orm.select().from(leads.leads).innerJoin(teams, eq(teams.id, leads.leads.teamId)).limit(3);
  expect(nested(db.orm).all()).toEqual(nested(drizzle(db.raw)).all());
  await close();
});

test.each([["text"], [1.5], [7], [null], [new Uint8Array([1, 2])]])(
  "a value comes out of a statement as it went in: %p",
  (value) => {
    const { orm } = openDatabase(":memory:");
    expect(orm.values(sql`select ${value}`)).toEqual([[value]]);
  },
);

test("a placeholder is encoded by its column, and one without a value throws", () => {
  const db = openDatabase(":memory:");
  migrate(db);
  const id = "01890000-0000-7000-8000-000000000001";
  db.orm
    .insert(leads.suppressions)
    .values({
      id,
      teamId: id,
      hash: new Uint8Array(32),
      email: null,
      reason: "manual",
      createdAt: unixMs(1),
      sweepAfter: null,
    })
    .run();
  const found = db.orm
    .select({ id: leads.suppressions.id })
    .from(leads.suppressions)
    .where(equals(leads.suppressions.id, "id"))
    .prepare();
  expect(found.get({ id })).toEqual({ id });
  expect(() => found.get({})).toThrow("no value");
});
