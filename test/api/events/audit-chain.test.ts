/** The chain of the audit log as the API shows and exports it: over the years, after a reset, and when it was tampered with. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DAY_MS, plus } from "#domain/time.ts";
import { upkeepWorker } from "#engine/upkeep.ts";
import { type Log, type LogFields, silentLog } from "#platform/log.ts";
import { auditRestore } from "#usecases/events/audit-chain.ts";
import { run } from "../../cli/support.ts";
import { createTestApp, START, type TestApp } from "../../support/app.ts";
import { verifiedByPython } from "../../support/audit-python.ts";
import { makeCampaign } from "../../support/campaigns.ts";

let app: TestApp;
let dir: string;
let noted: LogFields[];
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-audit-"));
  noted = [];
  const info: Log["info"] = (message, fields) => {
    noted.push(...(message === "audit log" && fields !== undefined ? [fields] : []));
  };
  app = await createTestApp({ log: { ...silentLog, info } });
});
afterEach(async () => {
  await app.close();
  rmSync(dir, { recursive: true, force: true });
});

const chain = async (query = "") => (await app.call("GET", `/audit/chain${query}`)).body;
const sql = (text: string) => app.environments.test.db.raw.run(text);
const exported = async (format: string) =>
  (await app.call("GET", `/exports/audit?format=${format}`)).text;
const linesOf = (text: string) => text.trimEnd().split("\n");

/** What `outrider audit verify` says of an export, and its exit code. */
async function verified(format: string, ...options: string[]) {
  writeFileSync(join(dir, "audit"), await exported(format));
  const { exit, out } = await run(["audit", "verify", "audit", "--json", ...options], {
    workingDir: dir,
  });
  return { exit, ...JSON.parse(out) };
}

async function campaigns(count: number): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    await app.call("POST", "/campaigns", { name: `=Café ${made} "x", 😀` });
  }
}

/** Upkeep, with entries kept for 30 days. */
async function tidy(): Promise<void> {
  const env = { ...app.environments.test, auditKeptMs: 30 * DAY_MS };
  await upkeepWorker(env).step(plus(START, 0));
}

test("entries are numbered and linked; an export of either format is whole for the command and for Python", async () => {
  await campaigns(205);
  const { data } = (await app.call("GET", "/audit?limit=2")).body;
  const total = data[0].position;
  const head = { position: total, hash: data[0].hash, created_at: data[0].created_at };
  expect(data[1].position).toBe(total - 1);
  expect(await chain()).toEqual({
    ...{ intact: true, checked: total, unchained: 0, head, anchor: null, fault: null },
  });
  expect(await chain("?entries=3")).toMatchObject({ intact: true, checked: 3 });
  const pinned = `--head=${head.position}:${head.hash}`;
  for (const format of ["ndjson", "csv"]) {
    expect(await verified(format, pinned)).toMatchObject({ exit: 0, intact: true, entries: total });
  }
  expect(await verifiedByPython([{ lines: linesOf(await exported("ndjson")) }])).toEqual([
    { position: total, hash: head.hash },
  ]);
  const refused = await app.call("GET", "/audit/chain?entries=100001");
  expect([refused.status, refused.body.field]).toEqual([422, "entries"]);
});

test("each team has a chain of its own", async () => {
  const other = await app.addTeam("Other");
  await campaigns(2);
  await app.call("POST", "/campaigns", { name: "x" }, { key: other.keys.test });
  await campaigns(2);
  const theirs = (await app.call("GET", "/audit/chain", undefined, { key: other.keys.test })).body;
  expect([theirs.intact, theirs.checked]).toEqual([true, theirs.head.position]);
  expect(await verified("ndjson")).toMatchObject({ exit: 0 });
});

test.each([
  ["changed", "update audit set target = 'campaign:x' where position = 4", "changed", 4],
  [
    "changed in a nested value",
    `update audit set after = '{"a":1}' where position = 4`,
    "changed",
    4,
  ],
  ["removed", "delete from audit where position = 4", "missing", 5],
  ["renumbered", "update audit set position = 9 where position = 4", "missing", 9],
  [
    "unhashed",
    "update audit set hash = null, position = null where position = 4",
    "out_of_order",
    null,
  ],
  ["removed at the beginning", "delete from audit where position = 1", "missing", 2],
])("an entry that was %s in the database is found", async (_name, statement, kind, position) => {
  await campaigns(8);
  sql(statement);
  expect(await chain()).toMatchObject({ intact: false, fault: { kind, position } });
  expect(await verified("ndjson")).toMatchObject({ exit: 1, intact: false });
  expect(await verified("csv")).toMatchObject({ exit: 1, intact: false });
});

test("entries that were cut off at the end are found by the head that the server's log has", async () => {
  await campaigns(4);
  await tidy();
  const { position, hash } = (await chain()).head;
  expect(noted).toMatchObject([{ env: "test", team: app.team.id, position, hash }]);
  await tidy();
  expect(noted).toHaveLength(1);
  sql(`delete from audit where position >= ${position - 1}`);
  expect(await chain()).toMatchObject({ intact: true, head: { position: position - 2 } });
  expect(await verified("ndjson")).toMatchObject({ exit: 0 });
  expect(await verified("ndjson", `--head=${position}:${hash}`)).toMatchObject({
    ...{ exit: 1, fault: { kind: "cut_off", position } },
  });
});

test("what is past its time goes from the beginning on, and the rest follows the anchor", async () => {
  await campaigns(5);
  const gone = (await chain()).head;
  app.wall.move(31 * DAY_MS);
  await campaigns(2);
  await tidy();
  const { anchor, head, checked, intact } = await chain();
  expect([anchor, checked, intact]).toEqual([gone, 2, true]);
  expect(head.position).toBe(gone.position + 2);
  expect(await verified("ndjson")).toMatchObject({ exit: 0, entries: 2 });
  expect(await verified("csv")).toMatchObject({ exit: 1, fault: { kind: "missing" } });
  const option = `--anchor=${gone.position}:${gone.hash}`;
  expect(await verified("csv", option)).toMatchObject({ exit: 0 });
  app.wall.move(31 * DAY_MS);
  await tidy();
  expect(await chain()).toMatchObject({ intact: true, checked: 0, anchor: head, head });
  await campaigns(1);
  expect((await chain()).head.position).toBe(head.position + 1);
  expect(await verifiedByPython([{ lines: linesOf(await exported("ndjson")) }])).toEqual([
    { position: head.position + 1, hash: (await chain()).head.hash },
  ]);
});

test("an entry whose clock was ahead keeps those after it, so that nothing is missing", async () => {
  await campaigns(1);
  app.wall.move(60 * DAY_MS);
  await campaigns(1);
  app.wall.set(plus(START, DAY_MS));
  await campaigns(1);
  app.wall.set(plus(START, 50 * DAY_MS));
  await tidy();
  expect(await chain()).toMatchObject({ intact: true, checked: 2 });
});

test("entries from before the chain come first, and are counted as such", async () => {
  await campaigns(3);
  sql("update audit set hash = null, position = null");
  await campaigns(2);
  const check = await chain();
  expect(check).toMatchObject({ intact: true, head: { position: 2 } });
  expect(check.unchained).toBeGreaterThan(2);
  expect(await verified("ndjson")).toMatchObject({ exit: 0, unchained: check.unchained });
});

test("resetting the sandbox leaves the chain whole, and so does a restore, which it tells of", async () => {
  await makeCampaign(app, []);
  expect((await app.call("DELETE", "/sandbox")).status).toBeLessThan(300);
  await campaigns(1);
  const env = app.environments.test;
  await env.commit(() => auditRestore(env, START, "a backup was restored"));
  const { position } = (await chain()).head;
  const [entry] = (await app.call("GET", "/audit?limit=1")).body.data;
  expect(entry).toMatchObject({
    ...{ action: "team.restore", actor: "engine" },
    after: { data_until_at: "2026-03-02T15:00:00.000Z", why: "a backup was restored" },
  });
  expect(await verified("ndjson")).toMatchObject({ exit: 0, restores: [position] });
});
