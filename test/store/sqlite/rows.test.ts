/** Guarantees of `store/sqlite/rows.ts`: whole rows, one team's never another's, no SQL built twice. */

import { Database } from "bun:sqlite";
import { afterAll, describe, expect, spyOn, test } from "bun:test";
import { DAY_MS, HOUR_MS, SECOND_MS, unixMs } from "#domain/time.ts";
import { openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import {
  finder,
  inserter,
  remover,
  teamFinder,
  uniqueFinder,
  updater,
} from "#store/sqlite/rows.ts";
import { suppressions } from "#store/tables/leads.ts";
import { createTestApp } from "../../support/app.ts";
import { addAccount } from "../../support/campaigns.ts";

const AT = unixMs(1_772_463_600_000);
const id = (n: number) => `01890000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const row = (n: number, teamId = id(100)) => ({
  id: id(n),
  teamId,
  hash: new Uint8Array(32).fill(n),
  email: null,
  reason: "manual" as const,
  createdAt: AT,
  sweepAfter: null,
});
const insert = inserter(suppressions);
const update = updater(suppressions);
const find = finder(suppressions);
const findOwn = teamFinder(suppressions);
const remove = remover(suppressions);

function open() {
  const db = openDatabase(":memory:");
  migrate(db);
  return db;
}

describe("rows", () => {
  test("are found by their id, in whatever order they came", () => {
    const db = open();
    for (const n of [3, 1, 2]) {
      insert(db, row(n));
    }
    expect([1, 2, 3, 4].map((n) => find(db, id(n))?.id)).toEqual([id(1), id(2), id(3), undefined]);
  });

  test("of another team are as if they were not", () => {
    const db = open();
    insert(db, row(1));
    expect(findOwn(db, id(100), id(1))?.id).toBe(id(1));
    expect(findOwn(db, id(101), id(1))).toBeUndefined();
    expect(findOwn(db, id(100), id(2))).toBeUndefined();
  });

  test("are changed and removed one at a time", () => {
    const db = open();
    insert(db, row(1));
    insert(db, row(2));
    update(db, { ...row(1), email: "ann@example.com" });
    expect(find(db, id(1))?.email).toBe("ann@example.com");
    expect(find(db, id(2))?.email).toBeNull();
    remove(db, id(1));
    expect(find(db, id(1))).toBeUndefined();
    expect(find(db, id(2))?.id).toBe(id(2));
  });

  test("stay whose they are, whatever an update says", () => {
    const db = open();
    insert(db, row(1));
    update(db, { ...row(1, id(101)), reason: "unsubscribe" });
    expect(find(db, id(1))).toMatchObject({ teamId: id(100), reason: "unsubscribe" });
  });

  test("are written whole and read whole, whatever their columns hold", () => {
    const db = open();
    insert(db, { ...row(1), email: "é@例.jp", sweepAfter: id(9) });
    expect(find(db, id(1))).toEqual({ ...row(1), email: "é@例.jp", sweepAfter: id(9) });
  });

  test("are found by a unique column", () => {
    const db = open();
    insert(db, row(1));
    insert(db, row(2));
    const byHash = uniqueFinder(suppressions, "hash");
    expect(byHash(db, row(2).hash)?.id).toBe(id(2));
    expect(byHash(db, row(3).hash)).toBeUndefined();
  });

  test("that break a unique index throw, and are not there", () => {
    const db = open();
    insert(db, row(1));
    expect(() => insert(db, { ...row(2), hash: row(1).hash })).toThrow("UNIQUE");
    expect(find(db, id(2))).toBeUndefined();
  });

  test("of two databases are two sets of statements", () => {
    const [a, b] = [open(), open()];
    insert(a, row(1));
    expect(find(a, id(1))?.id).toBe(id(1));
    expect(find(b, id(1))).toBeUndefined();
  });
});

/** An update of some columns is built when those are first the ones that differ. */
const NARROW = /^update "(\w+)" set .+ where "\1"."id" = \+\?$/;

/** Statements built while `run` runs, but for the first of each narrow update. */
async function built(run: () => Promise<unknown>): Promise<string[]> {
  const spy = spyOn(Database.prototype, "prepare");
  try {
    await run();
    const all = spy.mock.calls.map(([sql]) => sql);
    return all.filter((sql, place) => !NARROW.test(sql) || all.indexOf(sql) !== place);
  } finally {
    spy.mockRestore();
  }
}

describe("hot paths build no SQL once they are warm", async () => {
  const app = await createTestApp();
  afterAll(() => app.close());
  await addAccount(app, "a@sender.example");
  await addAccount(app, "b@sender.example");
  const campaign = (
    await app.call("POST", "/campaigns", {
      name: "Spring",
      max_per_domain_per_day: 3,
    })
  ).body.id;
  for (const wait of [0, 1, 1]) {
    const step = { type: "email", subject: "Hi {{email}}", body: "Hello", wait_days: wait };
    await app.call("POST", `/campaigns/${campaign}/steps`, step);
  }
  let imported = 0;
  const leads = (count: number) =>
    Array.from({ length: count }, () => {
      imported += 1;
      return { email: `p${imported}@d${imported % 40}.example`, first_name: "Pat" };
    });
  const enroll = (count: number) =>
    app.call("POST", `/campaigns/${campaign}/leads`, { leads: leads(count) });
  await enroll(300);
  await app.call("POST", `/campaigns/${campaign}/start`);
  await app.advance(5 * DAY_MS);

  test("claim, hand over, settle and poll", async () => {
    const before = (await app.call("GET", `/campaigns/${campaign}/stats`)).body;
    const sql = await built(() => app.advance(3 * DAY_MS));
    const after = (await app.call("GET", `/campaigns/${campaign}/stats`)).body;
    expect(after.sent).toBeGreaterThan(before.sent + 50);
    expect(after.replied).toBeGreaterThan(0);
    expect(sql).toEqual([]);
  });

  test("a repeated request", async () => {
    let keys = 0;
    const create = () => {
      keys += 1;
      const options = { headers: { "Idempotency-Key": `k${keys}` } };
      return app.call("POST", "/campaigns", { name: "x" }, options);
    };
    await create();
    expect(await built(create)).toEqual([]);
  });

  test("import, and the words that follow it", async () => {
    const run = async (count: number) => {
      await enroll(count);
      await app.advance(SECOND_MS);
    };
    await run(10);
    expect(await built(() => run(500))).toEqual([]);
  });

  test("lists of campaigns and leads, and the key of a request", async () => {
    const read = async () => {
      await app.call("GET", "/campaigns");
      await app.call("GET", "/campaigns?status=active");
      for (const path of ["/leads", `/campaigns/${campaign}/leads`]) {
        const { next_cursor } = (await app.call("GET", `${path}?limit=2`)).body;
        await app.call("GET", `${path}?limit=2&after=${next_cursor}`);
      }
    };
    await read();
    expect(await built(read)).toEqual([]);
  });

  test("a claim with nothing to send", async () => {
    await app.call("POST", `/campaigns/${campaign}/pause`);
    await app.advance(HOUR_MS);
    expect(await built(() => app.advance(HOUR_MS))).toEqual([]);
  });
});
