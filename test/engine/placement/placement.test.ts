/**
 * Guarantees of placement runs: one email for each account and seed, within the caps, never twice; a
 * result that is true for each of them; and that every run ends.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, unixMs } from "#domain/time.ts";
import { recover } from "#engine/recover.ts";
import type { SendOutcome } from "#platform/ports/mail.ts";
import { readEvents } from "#store/events/events.ts";
import { inboxRateOf } from "#store/placement/placement-tests.ts";
import { claimNext } from "#usecases/delivery/claim.ts";
import { beginBody } from "#usecases/delivery/settle.ts";
import { createLive, type LiveApp } from "../support.ts";
import { addSeeds, type Seeds } from "./placement-support.ts";

const ANN = "ann@sender.example";
const [ONE, TWO] = ["one@seeds.example", "two@seeds.example"];

let live: LiveApp;
let account: string;
let seeds: Seeds;
beforeEach(async () => {
  live = await createLive();
  account = await live.addAccount(ANN);
  seeds = await addSeeds(live, ONE, TWO);
});
afterEach(() => live.app.close());

const sentTo = (to: string) => live.mail.taken.filter((mail) => mail.to === to).length;
const completed = () =>
  readEvents(live.env.db, live.app.team.id, { after: 0, limit: 1000 }).filter(
    ({ type }) => type === "placement.completed",
  );
const refused = (enhanced: string, code = 550, stage: "rcpt" | "data" = "rcpt"): SendOutcome => ({
  ...{ kind: "refused", stage, code, enhanced, response: `${code} ${enhanced} no` },
});
const adds = (run: Awaited<ReturnType<Seeds["run"]>>) =>
  run.inbox_count + run.spam_count + run.promotions_count + run.not_delivered_count;

describe("a run", () => {
  test("tells inbox from spam and promotions, with what the delivered copy says, and ends", async () => {
    seeds.shown.set(ONE, {
      place: "junk",
      folder: "Spamverdacht",
      headers: [
        "Authentication-Results: mx; spf=pass; dkim=pass;",
        "\tdmarc=fail (p=none)",
        "List-Unsubscribe: <https://a.example/u>",
        "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
        "DKIM-Signature: v=1; h=from:list-unsubscribe; b=x",
      ].join("\r\n"),
    });
    seeds.shown.set(TWO, { place: "inbox", tab: "promotions" });
    const id = await seeds.begin();
    expect(await seeds.run(id)).toMatchObject({
      status: "pending",
      total_tests: 2,
      pending_count: 2,
    });
    await live.run(10 * MINUTE_MS);

    const run = await seeds.run(id);
    expect(run).toMatchObject({
      ...{ status: "completed", trigger_type: "manual", total_tests: 2, pending_count: 0 },
      ...{ spam_count: 1, promotions_count: 1, inbox_count: 0, not_delivered_count: 0 },
      ...{ inbox_rate: 0, by_provider: { custom: { total: 2, inbox: 0, spam: 1, rate: 0 } } },
    });
    expect(run.results[0]).toMatchObject({
      ...{ account_email: ANN, seed_email: ONE, placement: "spam", folder: "Spamverdacht" },
      ...{ spf: "pass", dkim: "pass", dmarc: "fail", one_click_signed: false },
    });
    expect(run.results[1]).toMatchObject({ placement: "promotions", tab: "promotions" });
    expect(completed()).toHaveLength(1);
    const rate = inboxRateOf(live.env.db, account, unixMs(live.app.wall.now() - DAY_MS));
    expect(rate.inboxRate).toBe(0);
  });

  test("keeps the least gap and the caps, which it counts against", async () => {
    await live.call("PATCH", `/accounts/${account}`, { hourly_limit: 1, min_gap_seconds: 60 });
    seeds.shown.set(ONE, { place: "inbox" });
    seeds.shown.set(TWO, { place: "inbox" });
    const id = await seeds.begin();
    await live.run(30 * MINUTE_MS);
    expect(live.mail.taken).toHaveLength(1);
    await live.run(HOUR_MS);
    expect(live.mail.taken).toHaveLength(2);
    expect((await seeds.run(id)).status).toBe("completed");
    const used = live.env.db.raw
      .query<{ n: number }, []>("select sum(count) as n from usage where kind = 'account_day'")
      .get();
    expect(used?.n).toBe(2);
  });

  test("is not delivered after 15 minutes, and corrected by an email that comes late", async () => {
    seeds.shown.set(ONE, { place: "inbox" });
    const id = await seeds.begin();
    await live.run(14 * MINUTE_MS);
    expect(await seeds.run(id)).toMatchObject({ status: "running", pending_count: 1 });
    await live.run(8 * MINUTE_MS);
    expect(await seeds.run(id)).toMatchObject({
      ...{ status: "completed", inbox_count: 1, not_delivered_count: 1, total_tests: 2 },
      inbox_rate: 0.5,
    });
    seeds.shown.set(TWO, { place: "inbox" });
    await live.run(HOUR_MS);
    const run = await seeds.run(id);
    expect(run).toMatchObject({ inbox_count: 2, not_delivered_count: 0, inbox_rate: 1 });
    expect(run.results[1].latency_ms).toBeGreaterThan(15 * MINUTE_MS);
    expect(completed()).toHaveLength(1);
  });

  test("is left as it is once it is a day old", async () => {
    const id = await seeds.begin();
    await live.run(25 * HOUR_MS);
    const looks = seeds.looked.length;
    seeds.shown.set(ONE, { place: "inbox" });
    await live.run(2 * DAY_MS);
    expect(await seeds.run(id)).toMatchObject({ status: "completed", not_delivered_count: 2 });
    expect(seeds.looked).toHaveLength(looks);
    expect(looks).toBeLessThan(40);
  });

  test("waits 15 minutes for an email that was sent just before its end", async () => {
    await live.call("PATCH", `/accounts/${account}`, { daily_limit: 0 });
    const id = await seeds.begin();
    await live.run(DAY_MS - 10_000);
    await live.call("PATCH", `/accounts/${account}`, { daily_limit: 30 });
    await live.run(MINUTE_MS);
    expect(await seeds.run(id)).toMatchObject({ status: "running", pending_count: 1 });
    seeds.shown.set(ONE, { place: "inbox" });
    await live.run(HOUR_MS);
    const found = { status: "completed", inbox_count: 1, not_delivered_count: 0, failed_count: 1 };
    expect(await seeds.run(id)).toMatchObject(found);
  });

  test("fails what couldn't be sent within a day, and says why", async () => {
    await live.call("PATCH", `/accounts/${account}`, { daily_limit: 1 });
    seeds.shown.set(ONE, { place: "inbox" });
    const id = await seeds.begin();
    await live.call("PATCH", `/accounts/${account}`, { daily_limit: 0 });
    await live.run(25 * HOUR_MS);
    const run = await seeds.run(id);
    expect(run).toMatchObject({ status: "failed", total_tests: 0, failed_count: 2 });
    expect(run.results[0].error).toContain("couldn't be sent within a day");
    expect(live.mail.offered).toEqual([]);
  });

  test("that is cancelled midway keeps what it found, and sends nothing more", async () => {
    await live.call("PATCH", `/accounts/${account}`, { min_gap_seconds: 600 });
    seeds.shown.set(ONE, { place: "inbox" });
    const id = await seeds.begin();
    await live.run(MINUTE_MS);
    const cancelled = await live.call("POST", `/placement/runs/${id}/cancel`);
    expect(cancelled).toMatchObject({ status: 200, body: { status: "cancelled", inbox_count: 1 } });
    await live.run(DAY_MS);
    const run = await seeds.run(id);
    expect(run).toMatchObject({ status: "cancelled", total_tests: 1, inbox_count: 1 });
    expect(run.completed_at).not.toBeNull();
    expect(live.mail.taken).toHaveLength(1);
    expect((await live.call("POST", `/placement/runs/${id}/cancel`)).status).toBe(409);
  });

  test("that is cancelled between claim and body sends nothing", async () => {
    const id = await seeds.begin();
    live.mail.meanwhile = async () => {
      live.mail.meanwhile = async () => undefined;
      await live.call("POST", `/placement/runs/${id}/cancel`);
    };
    await live.run(HOUR_MS);
    expect(live.mail.taken).toEqual([]);
    expect(await seeds.run(id)).toMatchObject({ status: "cancelled", total_tests: 0 });
  });
});

describe("a seed mailbox", () => {
  test("that refuses the login fails its own tests only, with the reason, until it is fixed", async () => {
    seeds.shown.set(ONE, { place: "inbox" });
    seeds.broken.set(TWO, { reason: "[AUTHENTICATIONFAILED] wrong password", login: true });
    const id = await seeds.begin();
    await live.run(HOUR_MS / 2);
    const run = await seeds.run(id);
    expect(run).toMatchObject({
      status: "completed",
      inbox_count: 1,
      total_tests: 1,
      failed_count: 1,
    });
    expect(run.results[1].error).toContain("wrong password");
    const path = `/placement/seeds/${seeds.ids.get(TWO)}`;
    expect((await live.call("GET", path)).body).toMatchObject({
      ...{ status: "error", last_error: "[AUTHENTICATIONFAILED] wrong password" },
    });
    const looked = seeds.looked.length;
    await live.run(HOUR_MS);
    expect(seeds.looked).toHaveLength(looked);

    const next = await seeds.begin();
    expect(await seeds.run(next)).toMatchObject({ total_tests: 1, failed_count: 1 });

    seeds.broken.clear();
    seeds.shown.set(TWO, { place: "junk" });
    expect((await live.call("POST", `${path}/test`)).body).toMatchObject({
      ...{ ok: true, error: null, seed: { status: "active", junk_folder: "Spamverdacht" } },
    });
    await live.run(MINUTE_MS);
    expect(await seeds.run(id)).toMatchObject({ inbox_count: 1, spam_count: 1, failed_count: 0 });
  });

  test("that cannot be reached is tried again, and its tests fail at the deadline, not as undelivered", async () => {
    seeds.broken.set(ONE, { reason: "connection refused", login: false });
    seeds.broken.set(TWO, { reason: "connection refused", login: false });
    const id = await seeds.begin();
    await live.run(HOUR_MS / 2);
    expect(await seeds.run(id)).toMatchObject({
      status: "failed",
      failed_count: 2,
      total_tests: 0,
    });
    seeds.broken.clear();
    seeds.shown.set(ONE, { place: "inbox" });
    await live.run(HOUR_MS);
    expect(await seeds.run(id)).toMatchObject({
      ...{ status: "completed", inbox_count: 1, not_delivered_count: 1, failed_count: 0 },
    });
  });

  test("that is deleted midway ends its tests; what it showed stays", async () => {
    seeds.shown.set(ONE, { place: "inbox" });
    const id = await seeds.begin();
    await live.run(5 * MINUTE_MS);
    await live.call("DELETE", `/placement/seeds/${seeds.ids.get(ONE)}`);
    await live.call("DELETE", `/placement/seeds/${seeds.ids.get(TWO)}`);
    const run = await seeds.run(id);
    expect(run).toMatchObject({ status: "completed", inbox_count: 1, failed_count: 1 });
    expect(run.results[0].seed_email).toBe(ONE);
    await live.run(DAY_MS);
    expect(await seeds.run(id)).toMatchObject({ inbox_count: 1 });
  });
});

describe("a refusal", () => {
  test.each([
    ["for what the mail says is a result", refused("5.7.1", 554, "data"), "done", "not_delivered"],
    ["of a full mailbox is none", refused("5.2.2", 552), "failed", null],
    ["of an unknown address is none", refused("5.1.1"), "failed", null],
  ] as const)("%s", async (_name, outcome, status, placement) => {
    live.mail.outcomes = [outcome];
    seeds.shown.set(ONE, { place: "inbox" });
    seeds.shown.set(TWO, { place: "inbox" });
    const id = await seeds.begin();
    await live.run(30 * MINUTE_MS);
    const run = await seeds.run(id);
    expect(run.results[0]).toMatchObject({ status, placement });
    expect(run.results[0].error).toContain("no");
    expect(run.results[1]).toMatchObject({ status: "done", placement: "inbox" });
    expect(adds(run)).toBe(run.total_tests);
    expect((await live.call("GET", "/suppressions")).body.total).toBe(0);
  });

  test("for now is tried again, and releases what was reserved", async () => {
    live.mail.outcomes = [
      { kind: "deferred", stage: "rcpt", code: 451, enhanced: "4.3.0", response: "451 later" },
    ];
    seeds.shown.set(ONE, { place: "inbox" });
    const id = await seeds.begin({ seed_ids: [seeds.ids.get(ONE)] });
    await live.run(MINUTE_MS);
    expect(await seeds.run(id)).toMatchObject({ pending_count: 1 });
    expect(live.mail.copied).toEqual([]);
    await live.run(20 * MINUTE_MS);
    expect(await seeds.run(id)).toMatchObject({ status: "completed", inbox_count: 1 });
    expect(live.mail.offered).toHaveLength(2);
    expect(live.mail.copied).toHaveLength(1);
    expect(new Set(live.mail.offered.map(({ messageId }) => messageId)).size).toBe(1);
  });

  test("of the account's login holds the test until the account is well", async () => {
    live.mail.outcomes = [{ ...refused("5.7.8", 535), stage: "auth" } as SendOutcome];
    seeds.shown.set(ONE, { place: "inbox" });
    const id = await seeds.begin({ seed_ids: [seeds.ids.get(ONE)] });
    await live.run(HOUR_MS);
    expect(live.account(account).status).toBe("error");
    expect(await seeds.run(id)).toMatchObject({ pending_count: 1 });
    await live.call("PATCH", `/accounts/${account}`, { smtp: { password: "better" } });
    await live.run(HOUR_MS);
    expect(await seeds.run(id)).toMatchObject({ status: "completed", inbox_count: 1 });
  });
});

describe("after a crash", () => {
  const claimed = async (begun: boolean) => {
    const id = await seeds.begin({ seed_ids: [seeds.ids.get(ONE)] });
    const { env } = live;
    const claim = await env.commit(() => claimNext(env, account, env.clock.now()));
    if (claim.kind !== "send") {
      throw new Error("nothing was claimed");
    }
    if (begun) {
      expect(await env.commit(() => beginBody(env, claim.message.id))).toBeUndefined();
    }
    return id;
  };

  test("an email whose body was not begun is sent once", async () => {
    const id = await claimed(false);
    seeds.shown.set(ONE, { place: "inbox" });
    expect(await recover(live.env)).toMatchObject({ retried: 1 });
    await live.run(10 * MINUTE_MS);
    expect(sentTo(ONE)).toBe(1);
    expect(await seeds.run(id)).toMatchObject({ status: "completed", inbox_count: 1 });
  });

  test("one in doubt is never sent again; the seed mailbox shows that it was sent", async () => {
    const id = await claimed(true);
    expect(await recover(live.env)).toMatchObject({ unknown: 1 });
    live.mail.seeing = (_mailbox, wanted) => ({
      ...{ kind: "looked", junkFolder: null, tabs: null },
      found: wanted.map(({ messageId }) => ({
        ...{ messageId, folder: "INBOX", place: "inbox", tab: null, receivedAt: null },
        headers: new Uint8Array(),
      })),
    });
    await live.run(HOUR_MS);
    expect(live.mail.offered).toEqual([]);
    expect(await seeds.run(id)).toMatchObject({ status: "completed", inbox_count: 1 });
  });

  test("one in doubt that is nowhere says nothing", async () => {
    const id = await claimed(true);
    await recover(live.env);
    await live.run(HOUR_MS);
    expect(live.mail.offered).toEqual([]);
    const run = await seeds.run(id);
    expect(run).toMatchObject({ status: "failed", failed_count: 1, total_tests: 0 });
    expect(run.results[0].error).toContain("unconfirmed");
  });

  test.each([
    ["found", "completed"],
    ["absent", "failed"],
  ] as const)(
    "that lasted longer than the run, one that is %s ends it all the same",
    async (sent, ended) => {
      const id = await claimed(true);
      live.app.wall.move(2 * DAY_MS);
      live.mail.finds.push(sent === "found" ? { kind: sent, folder: "Sent" } : { kind: sent });
      await recover(live.env);
      await live.run(HOUR_MS);
      expect(live.mail.offered).toEqual([]);
      expect(await seeds.run(id)).toMatchObject({ status: ended, pending_count: 0 });
    },
  );

  test("one that stands in the Sent folder was sent, and is looked for", async () => {
    const id = await claimed(true);
    live.mail.finds.push({ kind: "found", folder: "Sent" });
    expect(await recover(live.env)).toMatchObject({ found: 1 });
    await live.run(30 * MINUTE_MS);
    expect(await seeds.run(id)).toMatchObject({ status: "completed", not_delivered_count: 1 });
  });
});
