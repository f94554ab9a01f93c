/**
 * Whoever was erased stays so when a state of before is put back: a copy of the database that is older than
 * the erasure, opened by another program beside the same list of erasures.
 */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import { reconcile } from "#engine/reconcile.ts";
import { recover } from "#engine/recover.ts";
import { erasureListAt } from "#store/operations/erasure-list.ts";
import { copiedAt } from "#store/operations/restored.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { markUnconfirmed } from "#usecases/delivery/restored.ts";
import { eraseAgain } from "#usecases/leads/erasures.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { createLive, type LiveApp } from "../../engine/support.ts";
import { addLeads } from "../../support/campaigns.ts";
import { tracesIn } from "../../support/traces.ts";

const SENDER = "ann@sender.example";
const EMAIL = "quastenflosser@reply.example";
const NEW = "seewolf@reply.example";
const BOB = "bob@first.example";
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
const parts = (name: string) => ({
  paths: { live: path(`${name}/live.db`), test: path(`${name}/test.db`) },
  erasures: erasureListAt(path("erasures.ndjson")),
});

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-restore-"));
  for (const name of ["before", "after"]) {
    await Bun.write(path(`${name}/.keep`), "");
  }
  before = await createLive(parts("before"));
  after = undefined;
  await before.addAccount(SENDER);
  ({ id: campaign, leads } = await before.launch(STEPS, BOB, EMAIL));
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

async function erase(enrollmentId: string): Promise<void> {
  const { leadId } = before.lead(enrollmentId);
  expect((await before.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
}

/** Another program on the copy, that has done what a start does; answers how many people it erased. */
async function restored(): Promise<number> {
  after = await createLive({ ...parts("after"), seed: 99 });
  after.app.wall.set(before.app.wall.now());
  after.mail.boxes = before.mail.boxes;
  const { env } = after;
  const people = await eraseAgain(env);
  await recover(env);
  const since = copiedAt(env.db);
  if (since !== null) {
    await env.commit(() => markUnconfirmed(env, since, env.clock.now()));
    await reconcile(env);
  }
  return people;
}

const call = (method: string, url: string, body?: unknown) =>
  (after ?? before).call(method, url, body, { key: before.app.keys.live });

test("the lead, its conversation and its words go again before anything is sent", async () => {
  const [message] = before.messages(leads[1] ?? "");
  const reply = (id: string, text: string) =>
    before.deliver(
      SENDER,
      `From: ${EMAIL}
To: ${SENDER}
Subject: Re: Hello
Message-ID: <${id}@reply.example>
In-Reply-To: ${message?.messageId}

${text}
`,
    );
  reply("a", "The quastenflosser is interested.");
  await before.run(HOUR_MS);
  copy();
  reply("b", "The quastenflosser once more.");
  await before.run(HOUR_MS);
  await erase(leads[1] ?? "");
  const [receipt] = (await call("GET", "/erasures")).body.data;
  expect(receipt.removed).toMatchObject({ leads: 1, received_emails: 2 });
  expect(Object.keys(tracesIn(path("after"), ["quastenflosser"]))).not.toEqual([]);

  expect(await restored()).toBe(1);
  await after?.run(10 * MINUTE_MS);

  const kept = (await call("GET", `/erasures/${receipt.id}`)).body;
  const { completed_at, erased_again, webhooks, ...rest } = kept;
  expect({ ...receipt, ...rest }).toEqual(receipt);
  expect(erased_again).toMatchObject([{ removed: { leads: 1, received_emails: 1 } }]);
  expect([completed_at === null, webhooks]).toEqual([false, []]);

  expect(Object.keys(tracesIn(path("after"), ["quastenflosser"]))).toEqual([]);
  expect((await call("GET", "/inbox/threads")).body.total).toBe(0);
  const list = (await call("GET", `/campaigns/${campaign}/leads`)).body;
  expect([list.total, list.data.map(({ email }: { email: string }) => email)]).toEqual([1, [BOB]]);
  expect((await call("GET", `/campaigns/${campaign}/stats`)).body.enrolled).toBe(2);
  const audit = (await call("GET", "/audit")).body.data;
  expect(audit.filter(({ action }: { action: string }) => action === "lead.erase")).toHaveLength(1);
  await after?.days(3);
  expect(after?.mail.taken.map(({ to }) => to)).not.toContain(EMAIL);
  if (after !== undefined) {
    const broken = checkInvariants(after.env, before.app.team.id).filter(({ holds }) => !holds);
    expect(broken.map(({ name }) => name)).not.toContain("counters equal what they count");
  }
});

test("an opt-out that had come by email in between is heard again", async () => {
  copy();
  const [message] = before.messages(leads[1] ?? "");
  before.deliver(
    SENDER,
    `From: ${EMAIL}
To: ${SENDER}
Subject: Re: Hello
Message-ID: <a@reply.example>
In-Reply-To: ${message?.messageId}

Please unsubscribe me.
`,
  );
  await before.run(HOUR_MS);
  await erase(leads[1] ?? "");
  expect(await restored()).toBe(1);
  const { data } = (await call("GET", "/suppressions")).body;
  expect(data).toMatchObject([{ email: null, reason: "unsubscribe" }]);
  await after?.run(10 * MINUTE_MS);
  expect(Object.keys(tracesIn(path("after"), ["quastenflosser@"]))).toEqual([]);
});

test("a kill after the erasure was written down and before it was done: the next start does it", async () => {
  const { erasures, db, name } = before.env;
  const hash = new Bun.CryptoHasher("sha256").update(EMAIL).digest();
  const teamId = before.app.team.id;
  erasures.add([{ env: name, teamId, hash: new Uint8Array(hash), at: before.app.wall.now() }], 0);
  expect(db.raw.query("select count(*) from leads").values()).toEqual([[2]]);
  expect(await eraseAgain(before.env)).toBe(1);
  expect((await before.call("GET", "/leads")).body.total).toBe(1);
  expect(await eraseAgain(before.env)).toBe(0);
});

test("one who was claimed again since the erasure stays where the data knows it", async () => {
  await erase(leads[1] ?? "");
  await addLeads({ ...before.app, call: before.call }, campaign, EMAIL);
  copy();
  expect(await restored()).toBe(0);
  expect((await call("GET", "/leads")).body.total).toBe(2);
});

test("each state that is put back loses those who were erased after it, another team's people stay", async () => {
  const other = await before.app.addTeam("Other");
  const asOther = { key: other.keys.live };
  const made = await before.call("POST", "/campaigns", { name: "x" }, asOther);
  const body = { leads: [{ email: EMAIL }] };
  await before.call("POST", `/campaigns/${made.body.id}/leads`, body, asOther);
  await erase(leads[0] ?? "");
  copy();
  await erase(leads[1] ?? "");
  expect(await restored()).toBe(1);
  expect((await call("GET", "/leads")).body.total).toBe(0);
  expect((await after?.call("GET", "/leads", undefined, asOther))?.body.total).toBe(1);
});

test("an erasure that cannot be written down is refused, and nobody is half erased", async () => {
  const list = before.env.erasures;
  const full = Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  const env = before.env as { erasures: typeof list };
  env.erasures = {
    ...list,
    add: () => {
      throw full;
    },
  };
  const { leadId } = before.lead(leads[1] ?? "");
  const answer = await before.call("DELETE", `/leads/${leadId}`);
  expect([answer.status, answer.body.type]).toEqual([503, "unavailable"]);
  expect((await before.call("GET", `/leads/${leadId}`)).status).toBe(200);
  env.erasures = list;
  expect((await before.call("DELETE", `/leads/${leadId}`)).status).toBe(204);
});

test("whoever was merged goes again with every address", async () => {
  await before.call("POST", "/leads", { leads: [{ email: NEW }] }, { key: before.app.keys.live });
  const { data } = (await call("GET", `/leads?email=${NEW}`)).body;
  const { leadId } = before.lead(leads[1] ?? "");
  expect((await call("POST", `/leads/${data[0].id}/merge`, { lead_ids: [leadId] })).status).toBe(
    200,
  );
  copy();
  expect((await call("DELETE", `/leads/${data[0].id}`)).status).toBe(204);

  expect(await restored()).toBe(1);
  await after?.run(10 * MINUTE_MS);

  expect(Object.keys(tracesIn(path("after"), ["quastenflosser", "seewolf"]))).toEqual([]);
});
