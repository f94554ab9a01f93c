/**
 * Undoing an import under a clock that ticks, with restarts at every stage: records are what they were,
 * and one that somebody has changed since is named and not lost.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS } from "#domain/time.ts";
import { upkeepWorker } from "#engine/upkeep.ts";
import { createTestApp, type TestApp } from "../../support/app.ts";
import { makeCampaign, writeTo } from "../../support/campaigns.ts";
import { importFile, pieces, sendFile } from "../../support/imports.ts";

let directory: string;
let app: TestApp;
let lives = 0;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "outrider-import-undo-"));
  app = await begin();
});
afterEach(async () => {
  await app.close();
  rmSync(directory, { recursive: true, force: true });
});

/** A program on the files of the test, under a clock that moves each time that it is read. */
function begin(): Promise<TestApp> {
  const paths = { live: join(directory, "live.db"), test: join(directory, "test.db") };
  lives += 1;
  return createTestApp({ paths, seed: lives, tickMs: 1 });
}

/** The program ends and starts again; the key stays. */
async function restart(): Promise<void> {
  const key = app.keys.test;
  const at = app.wall.now();
  await app.close();
  app = await begin();
  app.wall.set(at);
  app.keys.test = key;
  await upkeepWorker(app.environments.test).step(app.environments.test.clock.now());
}

/** The program ends at its `nth` commit from here on; what it was about fails. */
function endAtCommit(nth: number): void {
  const { test: env } = app.environments;
  const { commit } = env;
  let n = 0;
  Object.assign(env, {
    commit: async (write: () => unknown) => {
      n += 1;
      if (n === nth) {
        await app.environments.abandon();
      }
      return await commit(write);
    },
  });
}

const header = "email,first_name,phone\n";

function lines(word: string, from: number, until: number): string {
  let text = "";
  for (let n = from; n < until; n += 1) {
    text += `p${n}@example.com,${word} ${n},${word}\n`;
  }
  return text;
}

async function firstNames(until: number): Promise<string[]> {
  const names: string[] = [];
  for (let n = 0; n < until; n += 1) {
    names.push((await leadOf(n)).first_name);
  }
  return names;
}

async function leadOf(n: number) {
  return (await app.call("GET", `/leads?email=p${n}@example.com`)).body.data[0];
}

const named = (word: string, until: number) =>
  Array.from({ length: until }, (_, n) => `${word} ${n}`);

/** `count` known leads in a campaign, and another campaign to import them to. */
async function knownLeads(count: number): Promise<{ campaign: string; other: string }> {
  const campaign = (await makeCampaign(app)).id;
  const other = (await makeCampaign(app)).id;
  await importFile(app, campaign, header + lines("Old", 0, count));
  return { campaign, other };
}

const undo = (id: string) => app.call("POST", `/imports/${id}/undo`);
const importOf = async (id: string) => (await app.call("GET", `/imports/${id}`)).body;

async function notRestored(id: string) {
  const { text } = await app.call("GET", `/imports/${id}/not-restored?format=ndjson`);
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}

describe("records that an import changed", () => {
  test("are what they were, all of a thousand", async () => {
    const { other } = await knownLeads(1_000);
    const { body } = await importFile(app, other, header + lines("New", 0, 1_000));
    expect(body).toMatchObject({ outcomes: { update: 1_000 }, overwritten: 1_000 });
    expect((await leadOf(999)).first_name).toBe("New 999");

    const undone = await undo(body.id);

    expect(undone.body).toMatchObject({
      status: "undone",
      removed: 1_000,
      restored: 1_000,
      not_restored: 0,
    });
    expect(await firstNames(1_000)).toEqual(named("Old", 1_000));
    expect((await undo(body.id)).status).toBe(409);
  });

  test("stay where somebody changed them since, are named, and go back once asked again", async () => {
    const { other } = await knownLeads(3);
    const { body } = await importFile(app, other, header + lines("New", 0, 3));
    const { id } = await leadOf(1);
    await app.call("PATCH", `/leads/${id}`, { phone: "+49 30 1", variables: { b: 1, a: 2 } });

    expect((await undo(body.id)).body).toMatchObject({
      status: "undone",
      restored: 2,
      not_restored: 1,
    });

    expect(await firstNames(3)).toEqual(["Old 0", "New 1", "Old 2"]);
    const before = { email: "p1@example.com", first_name: "Old 1", phone: "Old", variables: {} };
    expect(await notRestored(body.id)).toEqual([
      expect.objectContaining({ lead_id: id, ...before }),
    ]);

    await restart();
    expect((await undo(body.id)).body).toMatchObject({ restored: 2, not_restored: 1 });
    await app.call("PATCH", `/leads/${id}`, { phone: "New", variables: { a: null, b: null } });
    expect((await undo(body.id)).body).toMatchObject({ restored: 3, not_restored: 0 });
    expect((await leadOf(1)).first_name).toBe("Old 1");
    expect(await notRestored(body.id)).toEqual([]);
    expect((await undo(body.id)).status).toBe(409);
  });

  test("go back through two imports, whichever is undone first", async () => {
    const { other } = await knownLeads(2);
    const third = (await makeCampaign(app)).id;
    const first = (await importFile(app, other, header + lines("New", 0, 2))).body.id;
    const second = (await importFile(app, third, header + lines("Newer", 0, 2))).body.id;

    expect((await undo(first)).body).toMatchObject({ restored: 0, not_restored: 2 });
    expect((await undo(second)).body).toMatchObject({ restored: 2, not_restored: 0 });
    expect(await firstNames(2)).toEqual(["New 0", "New 1"]);
    expect((await undo(first)).body).toMatchObject({ restored: 2, not_restored: 0 });
    expect(await firstNames(2)).toEqual(["Old 0", "Old 1"]);
  });

  test("are not said to be restored where what they were is no longer kept", async () => {
    const { campaign } = await knownLeads(2);
    const { body } = await importFile(app, campaign, header + lines("New", 0, 2));
    expect(body).toMatchObject({ outcomes: { duplicate: 2 }, overwritten: 2 });
    app.wall.move(31 * DAY_MS);
    await upkeepWorker(app.environments.test).step(app.environments.test.clock.now());
    app.wall.move(-31 * DAY_MS);

    const refused = await undo(body.id);

    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining("too old to undo"),
    ]);
    expect((await importOf(body.id)).status).toBe("done");
  });
});

describe("a restart", () => {
  test("between slices: a record that both parts change goes back to the first state", async () => {
    const { other } = await knownLeads(1_500);
    const half = header + lines("New", 0, 1_200);
    const broken = pieces([half], new Error("connection reset"));
    const query = { import_id: "0197f000-0000-7000-8000-000000000001" };
    const { body } = await importFile(app, other, broken, { query });
    expect(body.status).toBe("interrupted");
    await restart();
    const rest = half.slice(body.offset) + lines("Twice", 0, 5) + lines("New", 1_200, 1_500);
    const again = { query: { offset: String(body.offset) } };
    const { body: whole } = await sendFile(app, `/imports/${body.id}/resume`, rest, again);
    expect(whole).toMatchObject({ status: "done", outcomes: { update: 1_500, duplicate: 5 } });

    expect((await undo(body.id)).body).toMatchObject({ status: "undone", not_restored: 0 });
    expect(await firstNames(1_500)).toEqual(named("Old", 1_500));
  });

  test.each([2, 3, 4, 5])(
    "in the middle of undoing, at commit %i: asked again, it ends",
    async (nth) => {
      const { other } = await knownLeads(1_000);
      const { body } = await importFile(app, other, header + lines("New", 0, 1_000));
      endAtCommit(nth);
      expect((await undo(body.id)).status).toBeGreaterThanOrEqual(500);
      await restart();
      expect((await importOf(body.id)).status).toBe("cancelled");

      expect((await undo(body.id)).body).toMatchObject({
        status: "undone",
        removed: 1_000,
        restored: 1_000,
        not_restored: 0,
      });
      expect(await firstNames(1_000)).toEqual(named("Old", 1_000));
    },
  );
});

describe("at the same time", () => {
  test("an import that is under way cannot be undone, and comes in whole", async () => {
    const { other } = await knownLeads(10);
    const id = "0197f000-0000-7000-8000-000000000002";
    let proceed = () => {};
    const waiting = new Promise<void>((resolve) => {
      proceed = resolve;
    });
    const encoder = new TextEncoder();
    const parts = [header + lines("New", 0, 5), lines("New", 5, 10)];
    const body = new ReadableStream<Uint8Array>({
      pull: async (controller) => {
        const part = parts.shift();
        if (part === undefined) {
          await waiting;
          controller.close();
        } else {
          controller.enqueue(encoder.encode(part));
        }
      },
    });
    const sending = importFile(app, other, body, { query: { import_id: id } });
    while ((await importOf(id)).status !== "running") {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await undo(id)).status).toBe(409);
    proceed();
    expect((await sending).body).toMatchObject({ status: "done", overwritten: 10 });

    const both = await Promise.all([undo(id), undo(id)]);

    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await firstNames(10)).toEqual(named("Old", 10));
  });

  test.each([
    ["undone", "resumed"],
    ["resumed", "undone"],
  ])("of two requests, %s first and %s, one goes through, whole", async (first) => {
    const { other } = await knownLeads(10);
    const half = header + lines("New", 0, 5);
    const { body } = await importFile(app, other, pieces([half], new Error("reset")));
    const query = { offset: String(body.offset) };
    const rest = half.slice(body.offset) + lines("New", 5, 10);
    const resume = () => sendFile(app, `/imports/${body.id}/resume`, rest, { query });
    const ways = first === "undone" ? [() => undo(body.id), resume] : [resume, () => undo(body.id)];

    const answers = await Promise.all(ways.map((way) => way()));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { status } = await importOf(body.id);
    expect(["done", "undone"]).toContain(status);
    expect(await firstNames(10)).toEqual(named(status === "done" ? "New" : "Old", 10));
  });

  test("a file beyond the fourth is refused and leaves no import that never ends", async () => {
    const { other } = await knownLeads(1);
    const sent = await Promise.all(
      [1, 2, 3, 4, 5, 6].map((n) => importFile(app, other, header + lines(`Name ${n}`, 0, 3))),
    );
    expect(sent.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429, 429]);
    expect((await app.call("GET", "/imports?status=running")).body.total).toBe(0);
  });
});

test("a lead that was written to between two attempts is left, and the rest is undone", async () => {
  const { other } = await knownLeads(1_500);
  const { body } = await importFile(app, other, header + lines("New", 0, 1_500));
  endAtCommit(3);
  expect((await undo(body.id)).status).toBeGreaterThanOrEqual(500);
  await restart();
  const left = await app.call("GET", `/campaigns/${other}/leads?email=p1499@example.com`);
  await writeTo(app, left.body.data[0].id, "sent");

  const { body: undone } = await undo(body.id);

  expect(undone).toMatchObject({ status: "undone", removed: 1_499, left: 1, restored: 1_500 });
});

test("changes that a program before this one kept are undone", async () => {
  const { other } = await knownLeads(3);
  const { body } = await importFile(app, other, header + lines("New", 0, 3));
  const { id } = await leadOf(1);
  await app.call("PATCH", `/leads/${id}`, { phone: "+49 30 1" });
  // It kept an instant of each row, after that of the slice, and no fingerprint.
  app.environments.test.db.raw.run("update import_changes set after = null, at = at + 1");

  expect((await undo(body.id)).body).toMatchObject({ restored: 2, not_restored: 1 });
  expect(await firstNames(3)).toEqual(["Old 0", "New 1", "Old 2"]);
});
