/** Guarantees of `store/sqlite/row-cache.ts`: a cached row says what the file says, whoever wrote it. */

import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { NO_WORDS } from "#domain/inbox/interest.ts";
import { unixMs } from "#domain/time.ts";
import { activeCampaigns, campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import { removeStep, stepById, stepsOf, updateStep } from "#store/campaigns/steps.ts";
import { type Committer, createCommitter, readTogether } from "#store/sqlite/commit.ts";
import { closeDatabase, type Db, openDatabase } from "#store/sqlite/database.ts";
import { freeze } from "#store/sqlite/frozen.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import { finder, inserter, remover, updater } from "#store/sqlite/rows.ts";
import { type CampaignRow, campaigns, type StepRow } from "#store/tables/campaigns.ts";
import { type TeamRow, teams } from "#store/tables/teams.ts";
import { createTestApp } from "../../support/app.ts";

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
  unsubscribeText: null,
  language: "en",
  trackingHost: null,
  interestWords: NO_WORDS,
  createdAt: AT,
  updatedAt: AT,
});

let top: string;
let db: Db;
let store: Committer;
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "outrider-rows-"));
  db = openDatabase(join(top, "a.db"));
  migrate(db);
  store = createCommitter(db);
});
afterEach(() => {
  closeDatabase(db);
  rmSync(top, { recursive: true, force: true });
});

/** A second process's write, and the turn of the event loop after it. */
async function elsewhere(text: string): Promise<void> {
  writeElsewhere(text);
  await nextTurn();
}

function writeElsewhere(text: string): void {
  const raw = new Database(join(top, "a.db"));
  raw.run(text);
  raw.close();
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

const nameOf = (n: number) => find(db, id(n))?.name;

describe("a cached row", () => {
  test("is cached for reads that belong together, until another process writes", async () => {
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
    ["of the query builder's own text", () => db.orm.run(sql`update teams set name = 'raw'`)],
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

  test("is cached over groups and outside of them, until another process writes", async () => {
    await store.commit(() => insert(db, team(1)));
    const first = find(db, id(1)) as TeamRow;
    expect(find(db, id(1))).toBe(first);
    expect(await store.commit(() => find(db, id(1)))).toBe(first);
    writeElsewhere("update teams set name = 'theirs'");
    expect(nameOf(1)).toBe("theirs");
    writeElsewhere("update teams set name = 'theirs again'");
    expect(await store.commit(() => nameOf(1))).toBe("theirs again");
    writeElsewhere("delete from teams");
    expect([nameOf(1), await store.commit(() => nameOf(1))]).toEqual([undefined, undefined]);
  });

  test("outside of groups is asked for once a turn: the next turn sees what another process wrote", async () => {
    await store.commit(() => insert(db, team(1)));
    for (const name of ["theirs", "theirs again"]) {
      await nextTurn();
      nameOf(1);
      writeElsewhere(`update teams set name = '${name}'`);
      await nextTurn();
      expect(nameOf(1)).toBe(name);
    }
  });

  test("of a frozen state is as it was then, and of the next one as it is by then", async () => {
    await store.commit(() => insert(db, team(1)));
    const seen: unknown[] = [];
    for (const name of ["first", "second"]) {
      await store.commit(() => update(db, { ...team(1), name }));
      const frozen = freeze(db.raw.filename);
      writeElsewhere("update teams set name = 'theirs'");
      seen.push(find(frozen.db, id(1))?.name, find(frozen.db, id(1))?.name);
      frozen.release();
    }
    expect(seen).toEqual(["first", "first", "second", "second"]);
  });

  test("is forgotten with a group that was undone as a whole", async () => {
    await store.commit(() => insert(db, team(1)));
    const failing = store.commit(() => {
      update(db, { ...(find(db, id(1)) as TeamRow), name: "undone" });
      db.raw.run("ROLLBACK");
    });
    expect(failing).rejects.toThrow();
    await failing.catch(() => undefined);
    expect([nameOf(1), await store.commit(() => nameOf(1))]).toEqual(["team 1", "team 1"]);
  });

  test("is not cached in a transaction that the store did not begin", async () => {
    await store.commit(() => insert(db, team(1)));
    db.raw.run("BEGIN");
    update(db, { ...team(1), name: "undone" });
    expect(nameOf(1)).toBe("undone");
    db.raw.run("ROLLBACK");
    expect(nameOf(1)).toBe("team 1");
  });

  test("with a long text is as it was written", async () => {
    await store.commit(() => insert(db, team(1)));
    const long = "x".repeat(100_000);
    const names = [long, "short", long].map((name) => {
      return store.commit(() => {
        update(db, { ...(find(db, id(1)) as TeamRow), name });
        return nameOf(1);
      });
    });
    expect(await Promise.all(names)).toEqual([long, "short", long]);
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
            const cached = await store.commit(() => [1, 2, 3].map((n) => find(db, id(n))));
            expect([1, 2, 3].map((n) => find(db, id(n)))).toEqual(cached);
          }
        },
      ),
      { numRuns: 50 },
    );
  });
});

test("rows that go with another one are forgotten with it", async () => {
  const app = await createTestApp();
  const env = app.environments.test;
  const { id: campaignId } = (await app.call("POST", "/campaigns", { name: "Spring" })).body;
  const step = { type: "email", subject: "Hi", body: "Hello" };
  const made = (await app.call("POST", `/campaigns/${campaignId}/steps`, step)).body;
  const seen = await env.commit(() => {
    const before = stepById(env.db, made.id)?.id;
    remover(campaigns)(env.db, campaignId);
    return [before, stepById(env.db, made.id)];
  });
  expect(seen).toEqual([made.id, undefined]);
  await app.close();
});

test("a list holds what is there now, in its order", async () => {
  const app = await createTestApp();
  const env = app.environments.test;
  const { id: campaignId } = (await app.call("POST", "/campaigns", { name: "Spring" })).body;
  for (const subject of ["a", "b", "c"]) {
    await app.call("POST", `/campaigns/${campaignId}/steps`, { type: "email", subject, body: "x" });
  }
  const subjects = () => stepsOf(env.db, campaignId).map(({ subject }) => subject);
  const seen = await env.commit(() => {
    const first = subjects();
    const [a, b, c] = stepsOf(env.db, campaignId) as [StepRow, StepRow, StepRow];
    updateStep(env.db, { ...a, sent: 7 });
    const counted = stepsOf(env.db, campaignId)[0]?.sent;
    updateStep(env.db, { ...a, position: 3 });
    updateStep(env.db, { ...c, position: 1 });
    const moved = subjects();
    removeStep(env.db, b.id);
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
  const [first] = stepsOf(env.db, campaignId) as [StepRow];
  updateStep(env.db, { ...first, sent: 8 });
  expect(stepsOf(env.db, campaignId)[0]?.sent).toBe(8);
  expect(await env.commit(() => stepById(env.db, first.id)?.sent)).toBe(8);
  const active = await env.commit(() => {
    const row = campaignById(env.db, campaignId) as CampaignRow;
    const names = () => activeCampaigns(env.db, row.teamId).map(({ name }) => name);
    const before = names();
    updateCampaign(env.db, { ...row, status: "active" });
    const during = names();
    updateCampaign(env.db, { ...row, status: "paused" });
    return [before, during, names()];
  });
  expect(active).toEqual([[], ["Spring"], []]);
  await app.close();
});
