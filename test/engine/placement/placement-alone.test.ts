/**
 * Placement runs that begin by themselves, and what comes back because of test emails: nothing of it is an
 * answer of anybody.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS, MINUTE_MS, unixMs } from "#domain/time.ts";
import { DnsFailure } from "#platform/ports/dns.ts";
import { inboxRateOf } from "#store/placement/placement-tests.ts";
import { startHealthRun } from "#usecases/placement/placement-runs.ts";
import { tableDns } from "../../support/dns.ts";
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

describe("what comes back", () => {
  const said = (lines: readonly string[]) => live.deliver(ANN, lines.join("\n"));
  const nothingShown = async () => {
    expect((await live.call("GET", "/inbox/threads")).body.total).toBe(0);
    expect(live.events().filter((type) => type !== "placement.completed")).toEqual([]);
  };

  test("from a seed mailbox is nobody's answer and is not shown", async () => {
    const id = await seeds.begin({ seed_ids: [seeds.ids.get(ONE)] });
    await live.run(MINUTE_MS);
    const about = live.mail.taken[0]?.messageId;
    said([
      `From: ${ONE}`,
      `To: ${ANN}`,
      "Subject: Re: Notes",
      "Message-ID: <r1@s>",
      `In-Reply-To: ${about}`,
      "",
      "Thank you, please call me.",
    ]);
    said([
      `From: ${ONE}`,
      `To: ${ANN}`,
      "Subject: Away",
      "Message-ID: <r2@s>",
      "Auto-Submitted: auto-replied",
      "",
      "Back on Monday.",
    ]);
    said([`From: ${TWO}`, `To: ${ANN}`, "Subject: Hello", "Message-ID: <r3@s>", "", "unsubscribe"]);
    await live.run(HOUR_MS / 4);
    await nothingShown();
    expect((await seeds.run(id)).results[0].status).toBe("done");
  });

  test("from a lead whose address became a seed since is an answer and an opt-out all the same", async () => {
    const bob = "bob@client.example";
    const { leads } = await live.launch([{ type: "email", subject: "Offer", body: "Hello" }], bob);
    await live.run(HOUR_MS);
    const about = live.mail.taken.find(({ to }) => to === bob)?.messageId;
    expect(live.lead(leads[0] ?? "").status).toBe("completed");
    const imap = { host: "imap.client.example", password: "secret" };
    expect((await live.call("POST", "/placement/seeds", { email: bob, imap })).status).toBe(201);
    said([
      ...[`From: ${bob}`, `To: ${ANN}`, "Subject: Re: Offer", "Message-ID: <r1@c>"],
      ...[`In-Reply-To: ${about}`, "", "Please unsubscribe me."],
    ]);
    await live.run(HOUR_MS);
    expect((await live.call("GET", "/inbox/threads")).body.total).toBe(1);
    expect((await live.call("GET", `/suppressions/check?email=${bob}`)).body.suppressed).toBe(true);
  });

  test("as a bounce ends the test, suppresses nobody and is not shown", async () => {
    const id = await seeds.begin({ seed_ids: [seeds.ids.get(ONE)] });
    await live.run(MINUTE_MS);
    const about = live.mail.taken[0]?.messageId;
    said([
      ...["From: MAILER-DAEMON@mx.seeds.example", `To: ${ANN}`, "Subject: Undelivered Mail"],
      ...["Message-ID: <b1@mx>", "Auto-Submitted: auto-replied", "MIME-Version: 1.0"],
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
      ...["", "--b", "Content-Type: text/plain", "", "blocked as spam", "--b"],
      ...["Content-Type: message/delivery-status", "", "Reporting-MTA: dns; mx.seeds.example"],
      ...["", `Final-Recipient: rfc822; ${ONE}`, "Action: failed", "Status: 5.7.1"],
      ...[
        "Diagnostic-Code: smtp; 550 5.7.1 blocked",
        "",
        "--b",
        "Content-Type: message/rfc822",
        "",
      ],
      ...[`From: ${ANN}`, `To: ${ONE}`, `Message-ID: ${about}`, "Subject: x", "", "x", "--b--"],
    ]);
    await live.run(5 * MINUTE_MS);
    const run = await seeds.run(id);
    expect(run).toMatchObject({ status: "completed", not_delivered_count: 1 });
    expect(run.results[0].error).toContain("came back");
    expect((await live.call("GET", "/suppressions")).body.total).toBe(0);
    await nothingShown();
  });
});

describe("by itself", () => {
  test("a falling score begins one run a day of that account", async () => {
    await live.addAccount("other@sender.example");
    seeds.shown.set(ONE, { place: "junk" });
    seeds.shown.set(TWO, { place: "inbox" });
    const start = () => live.env.commit(() => startHealthRun(live.env, account));
    const run = await start();
    expect(run).toMatchObject({ triggerType: "health", total: 2 });
    expect(await start()).toBeUndefined();
    await live.run(DAY_MS + MINUTE_MS);
    expect(await start()).toMatchObject({ total: 2 });
    // SciPy's binomtest(1, 2).proportion_ci(method="wilson").
    expect(inboxRateOf(live.env.db, account, unixMs(0))).toEqual({
      inboxRate: 0.5,
      inboxRateHigh: expect.closeTo(0.9054687943, 9),
    });
  });

  test("a draft's content in spam isn't held against the mailbox; the same once it's sent is", async () => {
    const { body: campaign } = await live.call("POST", "/campaigns", {
      name: "Draft",
      send_window: {
        ...{ timezone: "UTC", start_hour: 0, end_hour: 24 },
        days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
      },
    });
    const step = { type: "email", subject: "Free money", body: "Act now" };
    await live.call("POST", `/campaigns/${campaign.id}/steps`, step);
    seeds.shown.set(ONE, { place: "junk" });
    seeds.shown.set(TWO, { place: "junk" });
    const rate = () => inboxRateOf(live.env.db, account, unixMs(0)).inboxRate;
    const id = await seeds.begin({ campaign_id: campaign.id });
    await live.run(HOUR_MS);
    expect(await seeds.run(id)).toMatchObject({ spam_count: 2, inbox_rate: 0 });
    expect(rate()).toBeNull();
    const lead = { email: "bob@client.example" };
    await live.call("POST", `/campaigns/${campaign.id}/leads`, { leads: [lead] });
    expect((await live.call("POST", `/campaigns/${campaign.id}/start`)).status).toBe(200);
    expect(rate()).toBeNull();
    await seeds.begin({ campaign_id: campaign.id });
    await live.run(HOUR_MS);
    expect(rate()).toBe(0);
  });

  test("and none where there is nothing to look into or nobody to send", async () => {
    const start = (id: string) => live.env.commit(() => startHealthRun(live.env, id));
    await live.call("PATCH", `/accounts/${account}`, { status: "paused" });
    expect(await start(account)).toBeUndefined();
    await live.call("PATCH", `/accounts/${account}`, { status: "active" });
    for (const id of seeds.ids.values()) {
      await live.call("PATCH", `/placement/seeds/${id}`, { status: "paused" });
    }
    expect(await start(account)).toBeUndefined();
    expect(await start("00000000-0000-7000-8000-00000000dead")).toBeUndefined();
  });

  test("a schedule begins its run every week, once for what was missed", async () => {
    seeds.shown.set(ONE, { place: "inbox" });
    seeds.shown.set(TWO, { place: "inbox" });
    const schedule = await live.call("POST", "/placement/schedules", {
      weekday: "tuesday",
      hour: 9,
    });
    expect(schedule.body.next_run_at).toBe("2026-03-03T09:00:00.000Z");
    await live.run(DAY_MS);
    const runs = async () =>
      (await live.call("GET", "/placement/runs?trigger_type=scheduled")).body;
    expect(await runs()).toMatchObject({
      total: 1,
      data: [{ status: "completed", inbox_count: 2 }],
    });
    live.app.wall.move(20 * DAY_MS);
    await live.run(HOUR_MS);
    expect((await runs()).total).toBe(2);
    const path = `/placement/schedules/${schedule.body.id}`;
    expect((await live.call("GET", path)).body.next_run_at).toBe("2026-03-24T09:00:00.000Z");
    await live.call("PATCH", `/accounts/${account}`, { status: "paused" });
    await live.run(7 * DAY_MS);
    expect((await runs()).total).toBe(2);
    expect((await live.call("GET", path)).body.last_error).toBe("no account is active and ready");
  });

  test("a seed's provider is asked for, again where nobody answers, and told to tests under way", async () => {
    let answers = 0;
    const silent = await createLive({
      dns: {
        ...tableDns({}),
        mx: async (domain) => {
          if (ANN.endsWith(`@${domain}`)) {
            return [];
          }
          answers += 1;
          if (answers < 3) {
            throw new DnsFailure("no answer");
          }
          return [{ exchange: "aspmx.l.google.com", priority: 1 }];
        },
      },
    });
    await silent.addAccount(ANN);
    const [seed = ""] = (await addSeeds(silent, ONE)).ids.values();
    const provider = async () =>
      (await silent.call("GET", `/placement/seeds/${seed}`)).body.provider;
    const run = (await silent.call("POST", "/placement/runs", {})).body.id;
    await silent.run(MINUTE_MS / 2);
    expect([answers, await provider()]).toEqual([1, "custom"]);
    await silent.run(5 * MINUTE_MS);
    expect([answers, await provider()]).toEqual([3, "google"]);
    const { results } = (await silent.call("GET", `/placement/runs/${run}`)).body;
    expect(results[0].seed_provider).toBe("google");
    await silent.run(DAY_MS);
    expect(answers).toBe(3);
    await silent.app.close();
  });
});
