/**
 * Whoever was suppressed stays so when a state of before is put back: a copy of the database that is older than
 * the opt-out, opened by another program beside the same list of suppressions. And what was lifted stays lifted.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import { erasureListAt } from "#store/operations/erasure-list.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { suppressionListAt } from "#store/operations/suppression-list.ts";
import { eraseAgain } from "#usecases/leads/erasures.ts";
import { suppressAgain } from "#usecases/leads/suppressed-again.ts";
import { unsubscribeToken } from "#usecases/leads/unsubscribe.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";

const SENDER = "ann@sender.example";
const PEOPLE = [
  "link@reply.example",
  "hand@reply.example",
  "cy@domain.example",
  "dee@stay.example",
];
const [LINK, HAND, CY, DEE] = PEOPLE as [string, string, string, string];
const STRANGER = "nobody@reply.example";
const STEPS = [
  { type: "email", subject: "Hello", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
];

let dir: string;
let before: LiveApp;
let after: LiveApp | undefined;
let campaign: string;
let leads: string[];
const path = (name: string) => join(dir, name);
const listPath = () => path("suppressions.ndjson");
const parts = (name: string) => ({
  paths: { live: path(`${name}/live.db`), test: path(`${name}/test.db`) },
  erasures: erasureListAt(path("erasures.ndjson")),
  suppressions: suppressionListAt(listPath()),
});

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-restore-"));
  mkdirSync(path("before"));
  mkdirSync(path("after"));
  before = await createLive(parts("before"));
  after = undefined;
  await before.addAccount(SENDER);
  ({ id: campaign, leads } = await before.launch(STEPS, ...PEOPLE));
  await before.run(HOUR_MS);
});
afterEach(async () => {
  await before.app.close();
  await after?.app.close();
  rmSync(dir, { recursive: true, force: true });
});

function copy(): void {
  const { live, test: sandbox } = before.app.environments;
  copyOpen(live.db, path("after/live.db"), before.app.wall.now());
  copyOpen(sandbox.db, path("after/test.db"), before.app.wall.now());
}

const call = (method: string, url: string, body?: unknown) =>
  (after ?? before).call(method, url, body, { key: before.app.keys.live });

const suppress = (email: string, reason = "manual") =>
  call("POST", "/suppressions", { email, reason });

async function unsubscribe(n: number): Promise<void> {
  const [message] = before.messages(leads[n] ?? "");
  const token = unsubscribeToken(before.env, message?.id ?? "");
  const request = new Request(`http://localhost/u/${token}`, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
  });
  expect((await before.app.fetch(request)).status).toBe(200);
}

/** Another program on the copy, that has done what a start does before it serves. */
async function restored() {
  after = await createLive({ ...parts("after"), seed: 99 });
  after.app.wall.set(before.app.wall.now());
  await eraseAgain(after.env);
  const done = await suppressAgain(after.env);
  await recover(after.env);
  return done;
}

async function listed(): Promise<Record<string, string | null>> {
  const { data } = (await call("GET", "/suppressions?limit=100")).body;
  const facts = data.map((row: { email_hash: string; email: string | null; reason: string }) => [
    row.email ?? row.email_hash,
    row.reason,
  ]);
  return Object.fromEntries(facts);
}

const lines = () =>
  readFileSync(listPath(), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

const hashOf = (email: string) => new Bun.CryptoHasher("sha256").update(email).digest("hex");

test("who opted out by link, by hand and by domain since the copy gets nothing after it is put back", async () => {
  copy();
  await unsubscribe(0);
  await suppress(HAND);
  await suppress("@domain.example");
  await suppress(STRANGER, "complaint");
  const known = (await call("GET", "/suppressions?limit=100")).body.data;
  expect(readFileSync(listPath(), "utf8")).not.toContain("@reply.example");

  expect(await restored()).toEqual({ suppressed: 4, lifted: 0 });
  expect(await listed()).toEqual({
    [LINK]: "unsubscribe",
    [HAND]: "manual",
    "@domain.example": "manual",
    [hashOf(STRANGER)]: "complaint",
  });
  const again = (await call("GET", "/suppressions?limit=100")).body.data;
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
  expect(ids(again)).toEqual(ids(known));
  await after?.days(4);
  expect(after?.mail.taken.map(({ to }) => to)).toEqual([DEE]);
  const { data } = (await call("GET", `/campaigns/${campaign}/leads`)).body;
  const status = Object.fromEntries(
    data.map((row: { email: string; status: string }) => [row.email, row.status]),
  );
  expect(status).toEqual({
    [LINK]: "unsubscribed",
    [HAND]: "suppressed",
    [CY]: "suppressed",
    [DEE]: "completed",
  });
  const audit = (await call("GET", "/audit?limit=100")).body.data;
  const entries = audit.filter(({ action }: { action: string }) =>
    action.startsWith("suppression."),
  );
  expect(entries).toMatchObject([
    { action: "suppression.restore", actor: "engine", after: { suppressed: 4, lifted: 0 } },
  ]);
  if (after !== undefined) {
    const broken = checkInvariants(after.env, before.app.team.id).filter(({ holds }) => !holds);
    expect(broken.map(({ name }) => name)).not.toContain("counters equal what they count");
  }
  expect(await suppressAgain((after as LiveApp).env)).toEqual({ suppressed: 0, lifted: 0 });
});

test("what was lifted since stays lifted, and who was suppressed again after that stays so", async () => {
  const first = (await suppress(STRANGER)).body;
  const second = (await suppress(HAND)).body;
  copy();
  await call("DELETE", `/suppressions/${first.id}`);
  await call("DELETE", `/suppressions/${second.id}`);
  await suppress(HAND, "unsubscribe");
  await suppress(LINK);
  const { data } = (await call("GET", `/suppressions?email=${LINK}`)).body;
  await call("DELETE", `/suppressions/${data[0].id}`);

  expect(await restored()).toEqual({ suppressed: 1, lifted: 1 });
  expect(await listed()).toEqual({ [HAND]: "unsubscribe" });
});

test("a lift and a new suppression in one transaction end as they are", async () => {
  const { env } = before;
  const { id } = (await suppress(LINK)).body;
  copy();
  const both = [
    call("DELETE", `/suppressions/${id}`),
    suppress(LINK),
    suppress(HAND),
    suppress(STRANGER),
  ];
  await Promise.all(both);
  expect(env.suppressionLog.unseen().filter(({ suppression }) => suppression !== null)).toEqual([]);
  await restored();
  expect(Object.keys(await listed()).sort()).toEqual([HAND, LINK, hashOf(STRANGER)].sort());
});

test("each environment and each team has its own, and a team that isn't there is passed over", async () => {
  const other = await before.app.addTeam("Other");
  copy();
  await before.call("POST", "/suppressions", { email: LINK }, { key: other.keys.live });
  await before.call("POST", "/suppressions", { email: LINK }, { key: other.keys.test });
  const late = await before.app.addTeam("Late");
  await before.call("POST", "/suppressions", { email: LINK }, { key: late.keys.live });
  expect(lines().map(({ env }) => env)).toEqual(["live", "test", "live"]);

  expect(await restored()).toEqual({ suppressed: 1, lifted: 0 });
  expect(await listed()).toEqual({});
  const theirs = await call("GET", "/suppressions");
  expect(theirs.body.total).toBe(0);
  expect(
    (await after?.call("GET", "/suppressions", undefined, { key: other.keys.live }))?.body.total,
  ).toBe(1);
});

test("a kill after the line and before the COMMIT: the next start suppresses", async () => {
  const { env } = before;
  const teamId = before.app.team.id;
  const suppression = {
    id: env.ids.next(env.clock.now()),
    reason: "unsubscribe",
    domain: null,
  } as const;
  const hash = Uint8Array.fromHex(hashOf(LINK));
  suppressionListAt(listPath()).add(
    [{ env: "live", teamId, hash, at: env.clock.now(), suppression }],
    0,
  );
  expect(await suppressAgain(env)).toEqual({ suppressed: 1, lifted: 0 });
  expect(await listed()).toEqual({ [LINK]: "unsubscribe" });
  await before.days(3);
  expect(before.mail.taken.filter(({ to }) => to === LINK)).toHaveLength(1);
});

test("an erased person stays suppressed by the hash", async () => {
  copy();
  await unsubscribe(0);
  const { leadId } = before.lead(leads[0] ?? "");
  expect((await call("DELETE", `/leads/${leadId}`)).status).toBe(204);
  expect(await restored()).toEqual({ suppressed: 1, lifted: 0 });
  expect(await listed()).toEqual({ [hashOf(LINK)]: "unsubscribe" });
});

test("a list that can't be written refuses nobody, and has everybody later", async () => {
  rmSync(listPath(), { force: true });
  mkdirSync(listPath());
  await suppress(HAND);
  await unsubscribe(0);
  await suppress(STRANGER);
  expect(Object.keys(await listed())).toHaveLength(3);
  expect(before.env.suppressionLog.isOwing()).toBe(true);
  rmSync(listPath(), { recursive: true });
  copy();
  await suppress(CY);
  await before.run(HOUR_MS);
  expect(before.env.suppressionLog.isOwing()).toBe(false);
  const hashes = lines().map(({ email_hash }) => email_hash);
  expect(new Set(hashes)).toEqual(new Set([HAND, LINK, STRANGER, CY].map(hashOf)));
  await restored();
  expect(Object.keys(await listed())).toHaveLength(4);
});

test("what a database had before there was a list is in it after the first start", async () => {
  const { env } = before;
  await suppress(HAND);
  await suppress("@domain.example");
  rmSync(listPath());
  env.db.raw.run("delete from facts where name like 'suppressions.%'");
  expect(await suppressAgain(env)).toEqual({ suppressed: 0, lifted: 0 });
  await before.run(HOUR_MS);
  expect(lines()).toMatchObject([
    { email_hash: hashOf(HAND), reason: "manual" },
    { email_hash: hashOf("@domain.example"), domain: "@domain.example" },
  ]);
  expect(env.suppressionLog.isOwing() || env.suppressionLog.isBehind()).toBe(false);
});

test("a write that fails leaves no line, and its neighbours do", async () => {
  const { env } = before;
  const failing = env.commit(() => {
    env.suppressionLog.note(before.app.team.id, Uint8Array.fromHex(hashOf(CY)));
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await suppress(HAND);
  expect(lines().filter((line) => line.lifted !== true)).toMatchObject([
    { email_hash: hashOf(HAND), reason: "manual" },
  ]);
});
