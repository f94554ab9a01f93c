/**
 * Guarantees of `engine/reconcile.ts`: after a restore nobody is written to twice. The environment goes on after
 * a copy was made, then a second program starts on the copy; what both together have sent is checked.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HOUR_MS, MINUTE_MS, toIso } from "#domain/time.ts";
import { hasLostSends, type Reconciled, reconcile } from "#engine/reconcile.ts";
import type { SentOutcome } from "#platform/ports/mail.ts";
import { updateAccount } from "#store/mailboxes/accounts.ts";
import { copiedAt } from "#store/operations/restored.ts";
import { copyOpen } from "#store/operations/snapshot.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { markUnconfirmed } from "#usecases/delivery/restored.ts";
import { START } from "../../support/app.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";
import { createLive, type LiveApp } from "../support.ts";
import { LATER, listing, replyTo } from "./sent-folder.ts";

const STEPS = [
  { type: "email", subject: "Hi", body: "Hello" },
  { type: "email", body: "Again", wait_days: 1 },
];
const PEOPLE = ["a@one.example", "b@two.example", "c@three.example", "d@four.example"];

let dir: string;
let before: LiveApp;
let after: LiveApp | undefined;
let accountId: string;
let leads: string[];

const paths = (name: string) => ({
  live: join(dir, `${name}-live.db`),
  test: join(dir, `${name}-test.db`),
});

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "outrider-reconcile-"));
  before = await createLive({ paths: paths("before") });
  after = undefined;
  accountId = await before.addAccount();
  await before.call("PATCH", `/accounts/${accountId}`, { daily_limit: 50, hourly_limit: 50 });
  ({ leads } = await before.launch(STEPS, ...PEOPLE));
});
afterEach(async () => {
  await before.app.close();
  await after?.app.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Its provider files what it takes, as Google does. */
async function keepsCopies(id = accountId): Promise<void> {
  const row = before.account(id);
  const kept = { ...row, provider: "google" as const, saveSent: false };
  await before.env.commit(() => updateAccount(before.env.db, kept));
}

/** The state of now, to be restored later. */
function copy(): void {
  const { live, test: sandbox } = before.app.environments;
  copyOpen(live.db, paths("after").live, before.app.wall.now());
  copyOpen(sandbox.db, paths("after").test, before.app.wall.now());
}

/** A call to the restored program with a key that it was restored with. */
function call(method: string, path: string, body?: unknown) {
  return (after ?? before).call(method, path, body, { key: before.app.keys.live });
}

/** Another program on the copy, at the time at which the first one ended. */
async function restored(): Promise<LiveApp> {
  after = await createLive({ paths: paths("after"), seed: 99 });
  after.app.wall.set(before.app.wall.now());
  return after;
}

/** What a start on the copy does before anything is sent. */
async function cleared({ env }: LiveApp): Promise<Reconciled> {
  const since = copiedAt(env.db);
  if (since === null) {
    throw new Error("this is no copy");
  }
  await env.commit(() => markUnconfirmed(env, since, env.clock.now()));
  return await reconcile(env);
}

/** Who got how many emails of both programs. */
function sentTo(): Record<string, number> {
  const all = [...before.mail.taken, ...(after?.mail.taken ?? [])];
  const counts = Map.groupBy(all, ({ to }) => to);
  return Object.fromEntries([...counts].map(([to, { length }]) => [to, length]));
}

describe("after a restore", () => {
  test("what lies in a Sent folder was sent, and the sequence goes on behind it", async () => {
    await keepsCopies();
    copy();
    await before.run(HOUR_MS);
    const { length } = before.mail.taken;
    expect(length).toBeGreaterThan(0);
    const live = await restored();
    live.mail.listing = await listing(before.mail.taken, before.app.wall.now());
    expect(await cleared(live)).toEqual({ recorded: length, held: 0, waiting: 0 });
    expect(leads.flatMap((id) => live.messages(id)).map(({ status }) => status)).toEqual(
      Array.from({ length }, () => "sent"),
    );
    expect(copiedAt(live.env.db)).toBeNull();
    await live.days(3);
    expect(sentTo()).toEqual(Object.fromEntries(PEOPLE.map((to) => [to, 2])));
  });

  test.each([0, 1])("what waited in the copy and was sent since counts; replies: %i", async (n) => {
    await keepsCopies();
    before.mail.outcomes.push(LATER);
    await before.run(MINUTE_MS);
    copy();
    await before.run(HOUR_MS);
    const { length } = before.mail.taken;
    expect(length).toBe(PEOPLE.length);
    const live = await restored();
    live.mail.listing = await listing(before.mail.taken, before.app.wall.now());
    for (const taken of before.mail.taken.slice(length - n)) {
      live.deliver("ann@sender.example", replyTo(taken));
    }
    expect(await cleared(live)).toMatchObject({ recorded: length });
    expect((await call("GET", `/accounts/${accountId}/usage`)).body.day.used).toBe(length);
    expect(leads.filter((id) => live.lead(id).accountId === accountId)).toHaveLength(length);
  });

  test("what another mailbox took over and sent since is not sent twice", async () => {
    await keepsCopies();
    before.mail.outcomes.push(LATER);
    await before.run(MINUTE_MS);
    const other = await before.addAccount("bea@sender.example");
    await keepsCopies(other);
    copy();
    await before.call("PATCH", `/accounts/${accountId}`, { status: "paused" });
    await before.run(HOUR_MS);
    const { length } = before.mail.taken;
    expect(length).toBe(PEOPLE.length);
    const live = await restored();
    const sent = await listing(before.mail.taken, before.app.wall.now());
    const none: SentOutcome = { kind: "listed", mails: [] };
    live.mail.sentSince = async ({ address }) => (address.startsWith("bea@") ? sent : none);

    await cleared(live);
    await live.run(HOUR_MS);
    expect(sentTo()).toEqual(Object.fromEntries(PEOPLE.map((to) => [to, 1])));
    expect((await call("GET", `/accounts/${other}/usage`)).body.day.used).toBe(length);
    expect(leads.map((id) => live.lead(id).accountId)).toEqual(leads.map(() => other));
  });

  test("what may be of several campaigns counts against their limits, whatever a person decides", async () => {
    await keepsCopies();
    const limits = { daily_limit: 4, min_gap_seconds: 0, max_gap_seconds: 0 };
    await before.call("PATCH", `/accounts/${accountId}`, limits);
    await before.launch(STEPS.slice(0, 1), ...PEOPLE);
    copy();
    await before.run(HOUR_MS);
    expect(before.mail.taken).toHaveLength(4);
    const live = await restored();
    live.mail.listing = await listing(before.mail.taken, before.app.wall.now());
    // What is listed again, as long as another mailbox cannot be reached, counts once.
    for (const _time of [1, 2, 3]) {
      await live.env.commit(() => markUnconfirmed(live.env, START, live.env.clock.now()));
      expect(await reconcile(live.env)).toMatchObject({ recorded: 0, held: 4 });
    }
    for (const { id } of (await call("GET", "/campaigns")).body.data) {
      for (const lead of (await call("GET", `/campaigns/${id}/leads`)).body.data) {
        const path = `/campaigns/${id}/leads/${lead.id}/resolve`;
        await call("POST", path, { action: "treat_as_sent" });
      }
      await call("POST", `/campaigns/${id}/leads`, { leads: [{ email: "e@five.example" }] });
      await call("PATCH", `/campaigns/${id}`, {
        max_leads_per_day: 4,
        send_window: ROUND_THE_CLOCK,
      });
    }
    await live.run(HOUR_MS);
    expect(live.mail.taken).toHaveLength(0);
    // The mailbox may write more; its campaigns may start nobody else on that day.
    await call("PATCH", `/accounts/${accountId}`, { daily_limit: 50 });
    await live.run(HOUR_MS);
    expect(live.mail.taken).toHaveLength(0);
  });

  test("where no folder tells, what would have been sent meanwhile is held, and nothing goes twice", async () => {
    copy();
    await before.run(HOUR_MS);
    const { length } = before.mail.taken;
    const live = await restored();
    const found = await cleared(live);
    expect(found).toMatchObject({ recorded: 0, waiting: 0 });
    expect(found.held).toBeGreaterThanOrEqual(length);
    await live.days(3);
    for (const { to } of before.mail.taken) {
      expect(sentTo()[to]).toBe(1);
    }
  });

  test.each([0, 2])(
    "a reply ends its sequence after %i lost days, and all is counted",
    async (days) => {
      await keepsCopies();
      await before.run(HOUR_MS);
      copy();
      const [first] = before.mail.taken;
      await before.days(days);
      const live = await restored();
      live.mail.listing = await listing(before.mail.taken, before.app.wall.now());
      live.deliver("ann@sender.example", replyTo(first));
      await cleared(live);
      const { totals } = (await call("GET", "/stats?days=7")).body;
      expect(totals.sent).toBe(before.mail.taken.length);
      await live.days(3);
      expect(sentTo()[first?.to ?? ""]).toBe(days === 0 ? 1 : 2);
    },
  );
});

test("a mailbox that is unconfirmed sends nothing, not even a manual reply, until it is cleared", async () => {
  await keepsCopies();
  await before.run(HOUR_MS);
  const [first] = before.mail.taken;
  before.deliver("ann@sender.example", replyTo(first));
  await before.run(2 * MINUTE_MS);
  copy();
  const live = await restored();
  live.mail.listing = { kind: "unreachable", reason: "down" };
  await live.env.commit(() => markUnconfirmed(live.env, START, live.env.clock.now()));
  await live.run(MINUTE_MS);
  await call("POST", `/inbox/threads/${leads[PEOPLE.indexOf(first?.to ?? "")]}/reply`, {
    body: "Ten.",
  });
  await live.run(2 * MINUTE_MS);
  expect(live.mail.taken).toEqual([]);
  live.mail.listing = await listing(before.mail.taken, before.app.wall.now());
  await live.run(HOUR_MS);
  expect(live.mail.taken.map(({ to }) => to)).toEqual([first?.to ?? ""]);
});

describe("data that is older than what was sent", () => {
  /** Only an email that waited for another try when the data was as it is now has been sent since. */
  async function sentSince(isOther: boolean): Promise<LiveApp> {
    await keepsCopies();
    before.mail.outcomes.push(LATER);
    await before.run(MINUTE_MS);
    await keepsCopies(await before.addAccount("bea@sender.example"));
    copy();
    if (isOther) {
      await before.call("PATCH", `/accounts/${accountId}`, { status: "paused" });
    }
    await before.run(HOUR_MS);
    const late = before.mail.taken.filter(({ to }) => to === before.mail.offered[0]?.to);
    expect(late).toHaveLength(1);
    const live = await restored();
    live.mail.listing = await listing(late, before.app.wall.now());
    return live;
  }

  test.each([
    ["its mailbox", false],
    ["another one", true],
  ])("is known by a deferred email in the Sent folder of %s", async (_whose, isOther) => {
    const live = await sentSince(isOther);
    expect(await hasLostSends(live.env, START, () => false)).toBe(true);
  });

  test("is not concluded from an email that a person has sent again", async () => {
    await keepsCopies();
    before.mail.outcomes.push({
      ...{ kind: "unreachable", stage: "data", reason: "cut", bodySent: true },
    });
    await before.run(MINUTE_MS);
    const [tried] = before.mail.offered;
    const message = leads
      .flatMap((id) => before.messages(id))
      .find(({ status }) => status === "unknown");
    const again = await before.call("POST", `/messages/${message?.id}/resolve`, {
      action: "send_again",
    });
    expect(again.status).toBe(200);
    before.mail.listing = await listing(tried === undefined ? [] : [tried], before.app.wall.now());
    expect(await hasLostSends(before.env, START, () => false)).toBe(false);
  });
});

describe("nobody is written to twice", () => {
  /** Every one of the people has at most one email of each step, and some were sent before. */
  function expectNoneTwice(): void {
    expect(before.mail.taken.length).toBeGreaterThan(0);
    const ids = [...before.mail.taken, ...(after?.mail.taken ?? [])].map(
      ({ to, raw }) => `${to} ${/^In-Reply-To:/im.test(new TextDecoder().decode(raw))}`,
    );
    expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
  }

  test.each([
    ["by hand", { status: "paused", statusReason: "manual" }],
    ["by its health", { status: "paused", statusReason: "health" }],
    ["by errors", { status: "error", statusReason: "smtp_errors" }],
  ] as const)("a mailbox that was paused %s in the copy is looked into", async (_name, state) => {
    await keepsCopies();
    const { env } = before;
    const set = (change: Partial<AccountRow>) =>
      env.commit(() =>
        updateAccount(env.db, { ...before.account(accountId), ...change, wakeAt: START }),
      );
    await set(state);
    copy();
    await set({ status: "active", statusReason: null });
    await before.run(HOUR_MS);
    const live = await restored();
    live.mail.listing = await listing(before.mail.taken, before.app.wall.now());
    expect(await cleared(live)).toMatchObject({ recorded: before.mail.taken.length });
    await call("PATCH", `/accounts/${accountId}`, { status: "active" });
    await live.days(3);
    expectNoneTwice();
  });

  test("a mailbox of whose copies nobody takes care tells nothing by what is not there", async () => {
    await before.call("PATCH", `/accounts/${accountId}`, { imap: { save_sent: false } });
    copy();
    await before.run(HOUR_MS);
    const live = await restored();
    live.mail.listing = { kind: "listed", mails: [] };

    const found = await cleared(live);
    expect(found.held).toBeGreaterThanOrEqual(before.mail.taken.length);
    await live.days(3);
    expectNoneTwice();
  });

  test("a campaign that was paused in the copy may have run since", async () => {
    const [{ id = "" } = {}] = (await before.call("GET", "/campaigns")).body.data;
    await before.call("POST", `/campaigns/${id}/pause`);
    copy();
    await before.call("POST", `/campaigns/${id}/resume`);
    await before.run(HOUR_MS);
    const live = await restored();
    live.mail.listing = { kind: "uncheckable", reason: "there is no Sent folder" };

    const found = await cleared(live);
    expect(found.held).toBeGreaterThanOrEqual(before.mail.taken.length);
    await call("POST", `/campaigns/${id}/resume`);
    await live.days(3);
    expectNoneTwice();
  });

  test("a mailbox that cannot be reached waits, and with it who it may have written to", async () => {
    const other = await before.addAccount("bea@sender.example");
    copy();
    await before.run(HOUR_MS);
    const live = await restored();
    live.mail.listing = { kind: "unreachable", reason: "no route to host" };
    expect(await cleared(live)).toEqual({ recorded: 0, held: 0, waiting: 2 });
    await live.days(1);
    expect(live.mail.taken).toEqual([]);
    const list = (await call("GET", "/accounts")).body.data;
    expect(list.map(({ id }: { id: string }) => id).toSorted()).toEqual(
      [accountId, other].toSorted(),
    );
    for (const { unconfirmed_since: since } of list) {
      expect(since).toBe(toIso(START));
    }
    const readyz = await live.app.fetch(new Request("http://localhost/readyz"));
    expect(await readyz.json()).toEqual({
      status: "ready",
      sending: "waiting",
      reason: expect.stringContaining("Sent folders"),
      unconfirmed_since: toIso(START),
      mailboxes: 2,
    });

    live.mail.listing = await listing(before.mail.taken, before.app.wall.now());
    await live.days(3);
    expectNoneTwice();
    for (const { unconfirmed_since: since } of (await call("GET", "/accounts")).body.data) {
      expect(since).toBeNull();
    }
  });

  test("a mailbox that was disabled because it never comes back is played", async () => {
    copy();
    await before.run(HOUR_MS);
    const live = await restored();
    live.mail.listing = { kind: "unreachable", reason: "no such host" };
    expect(await cleared(live)).toMatchObject({ held: 0, waiting: 1 });

    await call("PATCH", `/accounts/${accountId}`, { status: "disabled" });
    await live.run(HOUR_MS);
    expect(live.account(accountId).unconfirmed).toBeNull();
    const held = leads.map((id) => live.lead(id).holdReason);
    expect(held.filter((reason) => reason === "unknown_send").length).toBeGreaterThanOrEqual(
      before.mail.taken.length,
    );
  });
});
