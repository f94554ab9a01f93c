/** Guarantees of `store/sqlite/kept-rows.ts`: a row that is kept says what the file says, whoever wrote it. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { NO_WORDS } from "#domain/inbox/interest.ts";
import { unixMs } from "#domain/time.ts";
import {
  activeCampaigns,
  campaignById,
  removeCampaign,
  updateCampaign,
} from "#store/campaigns/campaigns.ts";
import { removeStep, stepById, stepsOf, updateStep } from "#store/campaigns/steps.ts";
import { enrollmentById, updateEnrollment } from "#store/leads/enrollments.ts";
import {
  accountById,
  accountsOf,
  nextPolls,
  nextProbeAt,
  nextWakeAt,
  updateAccount,
} from "#store/mailboxes/accounts.ts";
import { storeLedger } from "#store/sending/ledger.ts";
import { bytesToId } from "#store/sqlite/columns.ts";
import { type Committer, createCommitter, readTogether } from "#store/sqlite/commit.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { writeOf } from "#store/sqlite/kept-rows.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import { finder, inserter, remover, updater } from "#store/sqlite/rows.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { CampaignRow, StepRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { type TeamRow, teams } from "#store/tables/teams.ts";
import { createTestApp } from "../support/app.ts";
import { makeExperiment } from "../support/experiments.ts";

const insert = inserter(teams);
const update = updater(teams);
const find = finder(teams);
const remove = remover(teams);
const AT = unixMs(1_772_463_600_000);
const id = (n: number) => `01890000-0000-7000-8000-${n.toString(16).padStart(12, "0")}`;
const team = (n: number): TeamRow => ({
  id: id(n),
  name: `team ${n}`,
  postalAddress: "",
  footer: true,
  trackingHost: null,
  interestWords: NO_WORDS,
  createdAt: AT,
  updatedAt: AT,
});

let top: string;
let db: Db;
let store: Committer;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "outrider-kept-"));
  db = openDatabase(join(top, "a.db"));
  migrate(db);
  store = createCommitter(db);
});
afterEach(() => {
  closeDatabase(db);
  rmSync(top, { recursive: true, force: true });
});

/** A second process's write, and the turn of the event loop after it. */
async function elsewhere(sql: string): Promise<void> {
  writeElsewhere(sql);
  await nextTurn();
}

function writeElsewhere(sql: string): void {
  const raw = new Database(join(top, "a.db"));
  raw.run(sql);
  raw.close();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const nameOf = (n: number) => find(db, id(n))?.name;

describe("a kept row", () => {
  test("is kept for reads that belong together, and read anew for the next of them", async () => {
    await store.commit(() => insert(db, team(1)));
    const together = () => readTogether(db, () => [find(db, id(1)), find(db, id(1))]);
    const [a, b] = together();
    expect(a).toBe(b);
    await elsewhere("update teams set name = 'theirs'");
    expect(together()[0]?.name).toBe("theirs");
    expect(() =>
      readTogether(db, () => {
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(db.raw.inTransaction).toBe(false);
    expect(await store.commit(() => readTogether(db, () => nameOf(1)))).toBe("theirs");
  });

  test("is the same object for all who ask in one group", async () => {
    await store.commit(() => insert(db, team(1)));
    const [a, b] = await store.commit(() => [find(db, id(1)), find(db, id(1))]);
    expect(a).toBe(b);
    expect(a).toEqual(team(1));
  });

  test("is what an update made it, and so is the file", async () => {
    await store.commit(() => insert(db, team(1)));
    const seen = await store.commit(() => {
      const row = find(db, id(1)) as TeamRow;
      update(db, { ...row, name: "other", footer: false });
      return find(db, id(1));
    });
    expect(seen).toEqual({ ...team(1), name: "other", footer: false });
    expect(find(db, id(1))).toEqual({ ...team(1), name: "other", footer: false });
  });

  test("writes what differs from the file, though the writer's copy is an older one", async () => {
    await store.commit(() => insert(db, team(1)));
    const old = await store.commit(() => find(db, id(1)) as TeamRow);
    await store.commit(() => update(db, { ...old, name: "first" }));
    await store.commit(() => update(db, { ...old, footer: false }));
    expect(find(db, id(1))).toEqual({ ...team(1), footer: false });
  });

  test("is forgotten with what was undone", async () => {
    await store.commit(() => insert(db, team(1)));
    const failing = store.commit(() => {
      update(db, { ...(find(db, id(1)) as TeamRow), name: "undone" });
      throw new Error("no");
    });
    const after = store.commit(() => nameOf(1));
    expect(failing).rejects.toThrow("no");
    expect(await after).toBe("team 1");
  });

  test("is not there after it was removed", async () => {
    await store.commit(() => insert(db, team(1)));
    const seen = await store.commit(() => {
      find(db, id(1));
      remove(db, id(1));
      return find(db, id(1));
    });
    expect(seen).toBeUndefined();
  });

  test.each([
    ["by position", () => db.raw.prepare("update teams set name = ?").run("raw")],
    ["once", () => db.raw.run("update teams set name = 'raw'")],
    ["kept by its text", () => db.raw.query("update teams set name = 'raw'").run()],
    ["by the query builder", () => db.orm.update(teams).set({ name: "raw" }).run()],
    ["that answers rows", () => db.orm.update(teams).set({ name: "raw" }).returning().all()],
  ])("is read anew after a statement %s", async (_how, write) => {
    await store.commit(() => insert(db, team(1)));
    const seen = await store.commit(() => {
      const before = nameOf(1);
      write();
      return [before, nameOf(1)];
    });
    expect(seen).toEqual(["team 1", "raw"]);
  });

  test("is read anew after a write outside of any group", async () => {
    await store.commit(() => {
      insert(db, team(1));
      find(db, id(1));
    });
    update(db, { ...team(1), name: "outside" });
    expect(await store.commit(() => nameOf(1))).toBe("outside");
  });

  test("is read anew after another process wrote", async () => {
    await store.commit(() => {
      insert(db, team(1));
      find(db, id(1));
    });
    await elsewhere("update teams set name = 'theirs'");
    expect(nameOf(1)).toBe("theirs");
    expect(await store.commit(() => nameOf(1))).toBe("theirs");
    await elsewhere("update teams set name = 'theirs again'");
    expect(nameOf(1)).toBe("theirs again");
  });

  test("is read anew in a group though another process wrote in the same turn", async () => {
    await store.commit(() => insert(db, team(1)));
    await nextTurn();
    expect(nameOf(1)).toBe("team 1");
    const seen = store.commit(() => nameOf(1));
    writeElsewhere("update teams set name = 'theirs'");
    expect(await seen).toBe("theirs");
    writeElsewhere("update teams set name = 'theirs again'");
    expect(readTogether(db, () => nameOf(1))).toBe("theirs again");
  });

  test("is forgotten in the next turn, though it was read after another process wrote", async () => {
    await store.commit(() => [insert(db, team(1)), insert(db, team(2))]);
    await nextTurn();
    db.raw.kept.clear();
    expect(nameOf(1)).toBe("team 1");
    writeElsewhere("update teams set name = 'theirs'");
    expect([nameOf(1), nameOf(2)]).toEqual(["team 1", "theirs"]);
    await nextTurn();
    expect([nameOf(1), nameOf(2)]).toEqual(["theirs", "theirs"]);
  });

  test("is kept outside of groups, until another process writes", async () => {
    await store.commit(() => insert(db, team(1)));
    db.raw.kept.clear();
    const first = find(db, id(1));
    expect(find(db, id(1))).toBe(first as TeamRow);
    await elsewhere("update teams set name = 'theirs'");
    expect([nameOf(1), nameOf(1)]).toEqual(["theirs", "theirs"]);
    await elsewhere("delete from teams");
    expect([nameOf(1), nameOf(1)]).toEqual([undefined, undefined]);
  });

  test("says what the file says after any writes in any groups", async () => {
    const write = fc.record({
      n: fc.integer({ min: 1, max: 3 }),
      how: fc.constantFrom("update", "raw", "remove", "insert", "fail"),
      name: fc.string({ maxLength: 5 }),
      footer: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(write, { maxLength: 8 }), { maxLength: 5 }),
        async (all) => {
          await store.commit(() => db.raw.run("delete from teams"));
          for (const group of all) {
            const play = group.map(({ n, how, name, footer }) =>
              store.commit(() => {
                const row = find(db, id(n));
                if (how === "insert" && row === undefined) {
                  insert(db, { ...team(n), name });
                } else if (how === "raw") {
                  db.raw.prepare("update teams set name = ? where footer = ?").run(name, footer);
                } else if (how === "remove") {
                  remove(db, id(n));
                } else if (row !== undefined) {
                  update(db, { ...row, name, footer });
                }
                if (how === "fail") {
                  throw new Error("undone");
                }
              }),
            );
            await Promise.allSettled(play);
            const kept = await store.commit(() => [1, 2, 3].map((n) => find(db, id(n))));
            expect([1, 2, 3].map((n) => find(db, id(n)))).toEqual(kept);
            db.raw.kept.clear();
            expect([1, 2, 3].map((n) => find(db, id(n)))).toEqual(kept);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

test("rows that go with another one are forgotten with it", async () => {
  const app = await createTestApp();
  const world = app.worlds.test;
  const { id: campaignId } = (await app.call("POST", "/campaigns", { name: "Spring" })).body;
  const step = { type: "email", subject: "Hi", body: "Hello" };
  const made = (await app.call("POST", `/campaigns/${campaignId}/steps`, step)).body;
  const seen = await world.commit(() => {
    const before = stepById(world.db, made.id)?.id;
    removeCampaign(world.db, campaignId);
    return [before, stepById(world.db, made.id)];
  });
  expect(seen).toEqual([made.id, undefined]);
  await app.close();
});

test("a kept list holds what is there now, in its order", async () => {
  const app = await createTestApp();
  const world = app.worlds.test;
  const { id: campaignId } = (await app.call("POST", "/campaigns", { name: "Spring" })).body;
  for (const subject of ["a", "b", "c"]) {
    await app.call("POST", `/campaigns/${campaignId}/steps`, { type: "email", subject, body: "x" });
  }
  const subjects = () => stepsOf(world.db, campaignId).map(({ subject }) => subject);
  const seen = await world.commit(() => {
    const first = subjects();
    const [a, b, c] = stepsOf(world.db, campaignId) as [StepRow, StepRow, StepRow];
    updateStep(world.db, { ...a, sent: 7 });
    const counted = stepsOf(world.db, campaignId)[0]?.sent;
    updateStep(world.db, { ...a, position: 3 });
    updateStep(world.db, { ...c, position: 1 });
    const moved = subjects();
    removeStep(world.db, b.id);
    return { first, counted, moved, removed: subjects() };
  });
  expect(seen).toEqual({
    first: ["a", "b", "c"],
    counted: 7,
    moved: ["c", "b", "a"],
    removed: ["c", "a"],
  });
  // Outside a group too, and after what is written there.
  expect(subjects()).toEqual(["c", "a"]);
  const [first] = stepsOf(world.db, campaignId) as [StepRow];
  updateStep(world.db, { ...first, sent: 8 });
  expect(stepsOf(world.db, campaignId)[0]?.sent).toBe(8);
  expect(await world.commit(() => stepById(world.db, first.id)?.sent)).toBe(8);
  const active = await world.commit(() => {
    const row = campaignById(world.db, campaignId) as CampaignRow;
    const names = () => activeCampaigns(world.db, row.teamId).map(({ name }) => name);
    const before = names();
    updateCampaign(world.db, { ...row, status: "active" });
    const during = names();
    updateCampaign(world.db, { ...row, status: "paused" });
    return [before, during, names()];
  });
  expect(active).toEqual([[], ["Spring"], []]);
  await app.close();
});

test("what is kept of queues, and of what is due next, is what would be read anew", async () => {
  const app = await createTestApp();
  const { db, commit } = app.worlds.test;
  const made = await makeExperiment(app, { leads: 4, accounts: 2, starts: false });
  const teamId = app.team.id;
  const [first, second] = accountsOf(db, teamId) as [AccountRow, AccountRow];
  const enrolled = db.raw.query("select id from enrollments").values() as [Uint8Array][];
  const ids = enrolled.map(([bytes]) => bytesToId(bytes));
  const seen = () => {
    const { zones, head } = storeLedger(db, teamId);
    const queues = [null, first.id, second.id].map((account) => [
      zones(made.campaignId, account),
      [null, "UTC", "Asia/Tokyo"].map((zone) => head(made.campaignId, account, zone, [])),
    ]);
    return [queues, nextProbeAt(db), nextWakeAt(db), nextPolls(db, 2)];
  };
  const at = fc.option(fc.integer({ min: 1, max: 9 }).map(unixMs));
  const change = fc.record({
    nth: fc.nat({ max: 3 }),
    dueAt: at,
    accountId: fc.constantFrom(null, first.id, second.id),
    zone: fc.constantFrom("", "UTC", "Asia/Tokyo"),
    domain: fc.constantFrom("a.example", "b.example"),
    how: fc.constantFrom("enrollment", "account", "raw", "fail"),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      for (const { nth, how, dueAt, ...rest } of changes) {
        const done = commit(() => {
          const row = enrollmentById(db, ids[nth] as string) as EnrollmentRow;
          const account = accountById(db, nth < 2 ? first.id : second.id) as AccountRow;
          if (how === "account") {
            updateAccount(db, { ...account, pollAt: dueAt, probeAt: dueAt, wakeAt: dueAt });
          } else if (how === "raw") {
            db.raw
              .prepare("update enrollments set due_at = due_at + 1 where zone = ?")
              .run(rest.zone);
            db.raw.run("update accounts set wake_at = wake_at + 1, poll_at = poll_at + 1");
          } else {
            updateEnrollment(db, { ...row, ...rest, dueAt });
          }
          const kept = seen();
          if (how === "fail") {
            throw new Error("undone");
          }
          return kept;
        });
        await done.catch(() => undefined);
        const kept = seen();
        db.raw.kept.clear();
        expect(kept).toEqual(seen());
      }
    }),
    { numRuns: 30 },
  );
  await app.close();
});
describe("what a statement may write", () => {
  test.each([
    ["select 1", undefined],
    ["PRAGMA user_version = 3", undefined],
    ["SAVEPOINT one", undefined],
    ['insert into "teams" ("id") values (?)', "teams"],
    ['insert into "teams" values (?) on conflict do update set a = 1', "teams"],
    ["insert or replace into teams values (?)", "teams"],
    ["REPLACE INTO `teams` VALUES (?)", "teams"],
    ['update "teams" set "name" = ?', "teams"],
    ["update or ignore teams set name = ?", "teams"],
    ["delete from teams where id = ?", "teams"],
    ["with x as (select 1) update teams set name = 1", null],
    ["drop table teams", null],
  ])("%s", (sql, table) => {
    expect(writeOf(sql)?.table).toBe(table as string);
  });
});
