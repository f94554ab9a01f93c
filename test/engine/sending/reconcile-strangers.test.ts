/** After a restore, people who were added since the copy was made and are unknown to it: what they got still counts. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS } from "#domain/time.ts";
import { reconcile } from "#engine/reconcile.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import { markUnconfirmed } from "#usecases/delivery/restored.ts";
import { isSuppressed } from "#usecases/leads/suppressions.ts";
import { START } from "../../support/app.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";
import { createLive, type LiveApp } from "../support.ts";
import { listing, replyTo } from "./sent-folder.ts";

const STEPS = [{ type: "email", subject: "Hi", body: "Hello" }];
const KNOWN = ["a@one.example", "b@two.example", "c@three.example"];
const STRANGERS = ["x@five.example", "y@six.example"];

let top: string;
let before: LiveApp;
let after: LiveApp;
let accountId: string;
let campaignId: string;

/** Writes to strangers alone; then the copy of before knows what lies in the Sent folder, twice. */
beforeEach(async () => {
  top = mkdtempSync(join(tmpdir(), "outrider-strangers-"));
  const paths = { live: join(top, "live.db"), test: join(top, "test.db") };
  before = await createLive();
  accountId = await before.addAccount();
  const atGoogle = { ...before.account(accountId), provider: "google" as const, saveSent: false };
  await before.env.commit(() => updateAccount(before.env.db, atGoogle));
  const pace = { daily_limit: 50, hourly_limit: 50, min_gap_seconds: 0, max_gap_seconds: 0 };
  await before.call("PATCH", `/accounts/${accountId}`, pace);
  campaignId = (await before.launch(STEPS, ...KNOWN)).id;
  await before.call("POST", `/campaigns/${campaignId}/pause`);
  copyOpen(before.app.environments.live.db, paths.live, before.app.wall.now());
  await before.launch(STEPS, ...STRANGERS);
  await before.run(HOUR_MS);

  after = await createLive({ paths, seed: 99 });
  after.app.wall.set(before.app.wall.now());
  after.mail.listing = await listing(before.mail.taken, before.app.wall.now());
  for (const _time of [1, 2]) {
    await after.env.commit(() => markUnconfirmed(after.env, START, after.env.clock.now()));
    await reconcile(after.env);
  }
});
afterEach(async () => {
  await before.app.close();
  await after.app.close();
  rmSync(top, { recursive: true, force: true });
});

/** A call to the restored program with a key that it was restored with. */
function call(method: string, path: string, body?: unknown) {
  return after.call(method, path, body, { key: before.app.keys.live });
}

async function resume(fields: object): Promise<void> {
  const path = `/campaigns/${campaignId}`;
  expect((await call("PATCH", path, { send_window: ROUND_THE_CLOCK, ...fields })).status).toBe(200);
  await call("POST", `${path}/resume`);
}

const recipients = ({ mail }: LiveApp) => mail.taken.map(({ to }) => to).sort();

test("it counts against the limits of the mailbox and of each of its campaigns, once", async () => {
  expect(recipients(before)).toEqual(STRANGERS);
  expect((await call("GET", `/accounts/${accountId}/usage`)).body.day.used).toBe(2);
  await resume({ max_leads_per_day: 3 });
  await after.run(HOUR_MS);
  expect(after.mail.taken).toHaveLength(1);
  await call("PATCH", `/accounts/${accountId}`, { daily_limit: 4 });
  await resume({ max_leads_per_day: 50 });
  await after.run(HOUR_MS);
  expect(after.mail.taken).toHaveLength(2);
});

test("whoever is added once more is on hold for a person, and goes on once", async () => {
  const path = `/campaigns/${campaignId}/leads`;
  await call("POST", path, { leads: [{ email: STRANGERS[0] }] });
  await resume({ max_leads_per_day: 50 });
  await after.run(HOUR_MS);
  expect(recipients(after)).toEqual(KNOWN);
  const [lead] = (await call("GET", `${path}?email=${STRANGERS[0]}`)).body.data;
  expect(lead).toMatchObject({ hold_reason: "unknown_send" });
  expect((await call("POST", `${path}/${lead.id}/resolve`, { action: "send_again" })).status).toBe(
    200,
  );
  await after.run(HOUR_MS);
  expect(recipients(after)).toEqual([...KNOWN, STRANGERS[0] ?? ""].sort());
});

test("its link opts out, and so does a reply", async () => {
  const [first, second] = before.mail.taken;
  const raw = new TextDecoder().decode(first?.raw);
  const token = /unsubscribe%20([\w-]+)/.exec(raw.replaceAll("=\r\n", ""))?.[1] ?? "";
  expect(token).not.toBe("");
  const opened = await after.app.fetch(
    new Request(`http://127.0.0.1/u/${token}`, {
      method: "POST",
      body: "List-Unsubscribe=One-Click",
    }),
  );
  expect(opened.status).toBe(200);
  const text = replyTo(second).replace("How much?", "Please take me off your list.");
  after.deliver("ann@sender.example", text);
  await after.run(HOUR_MS);
  const [thread] = (await call("GET", "/inbox/threads")).body.data;
  const shown = await call("GET", `/inbox/threads/${thread.id}`);
  expect([shown.status, JSON.stringify(shown.body)]).toEqual([
    200,
    expect.stringContaining('"subject":"Hi"'),
  ]);
  const teamId = after.account(accountId).teamId;
  for (const to of [first?.to ?? "", second?.to ?? ""]) {
    expect([to, isSuppressed(after.env.db, teamId, to, to.split("@")[1] ?? "")]).not.toContain(
      null,
    );
  }
});
