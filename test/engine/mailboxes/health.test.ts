/**
 * Guarantees of a mailbox's health in the engine: what comes back moves its score at once, a low one
 * throttles and pauses it, time and people bring it back, and what is taken back counts no more.
 */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import type { SendOutcome } from "#platform/ports/mail.ts";
import { readEvents } from "#store/events/events.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { ROUND_THE_CLOCK } from "../../support/inbox.ts";
import { createLive, type LiveApp } from "../support.ts";

const STEP = { type: "email", subject: "Hi", body: "Hello" };
const OK: SendOutcome = { kind: "accepted", response: "250 queued" };
const NOBODY: SendOutcome = {
  kind: "refused",
  stage: "rcpt",
  code: 550,
  enhanced: "5.1.1",
  response: "550 5.1.1 no such user",
};

let live: LiveApp;
let account: string;
let campaign: string;
beforeEach(async () => {
  live = await createLive();
  account = await live.addAccount();
  const limits = { daily_limit: 500, hourly_limit: 100, min_gap_seconds: 0, max_gap_seconds: 60 };
  await live.call("PATCH", `/accounts/${account}`, limits);
});
afterEach(() => live.app.close());

const health = async () => (await live.call("GET", `/accounts/${account}/health`)).body;
const told = (type: string) =>
  readEvents(live.env.db, live.app.team.id, { after: 0, limit: 5000 })
    .filter((event) => event.type === type)
    .map(({ data }) => data as Record<string, unknown>);

/** Sends to as many leads as there are outcomes, one a minute at most. */
async function send(...outcomes: SendOutcome[]): Promise<void> {
  live.mail.outcomes.push(...outcomes);
  if (campaign === "") {
    const first = Array.from({ length: 200 }, (_, nth) => `p${nth}@client${nth}.example`);
    const { id } = await live.launch([STEP], ...first.slice(0, 1));
    campaign = id;
    const change = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 1000 };
    await live.call("PATCH", `/campaigns/${id}`, change);
    const leads = first.slice(1).map((email) => ({ email }));
    await live.call("POST", `/campaigns/${id}/leads`, { leads });
  }
  for (let minutes = 0; minutes < 240 && live.mail.outcomes.length > 0; minutes += 1) {
    await live.run(MINUTE_MS);
  }
}
beforeEach(() => {
  campaign = "";
});

const times = (count: number, outcome: SendOutcome) => Array.from({ length: count }, () => outcome);

/** A complaint about the last email that was taken, as a provider reports it. */
async function complain(): Promise<void> {
  const last = live.mail.taken.at(-1);
  live.deliver(
    "ann@sender.example",
    [
      "From: abuse@provider.example",
      "To: ann@sender.example",
      `Message-ID: <report-${live.mail.taken.length}@provider.example>`,
      "Subject: complaint",
      "MIME-Version: 1.0",
      'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "This is a report.",
      "--b",
      "Content-Type: message/feedback-report",
      "",
      "Feedback-Type: abuse",
      "User-Agent: Provider/1.0",
      "Version: 1",
      `Original-Rcpt-To: ${last?.to}`,
      "",
      "--b",
      "Content-Type: message/rfc822",
      "",
      `Message-ID: ${last?.messageId}`,
      "From: ann@sender.example",
      `To: ${last?.to}`,
      "Subject: Hi",
      "",
      "Hello",
      "--b--",
      "",
    ].join("\n"),
  );
  await live.run(2 * MINUTE_MS);
}

const soundness = () =>
  checkInvariants(live.env, live.app.team.id).filter(
    ({ name, holds }) => !holds && /score|guard/.test(name),
  );

describe("a score", () => {
  test("falls with bounces at the door, in steps that are told, and halves the caps", async () => {
    await send(...times(17, OK), ...times(3, NOBODY));
    const { body } = await live.call("GET", `/accounts/${account}/usage`);

    expect(await health()).toMatchObject({
      score: 60,
      judged_score: 60,
      weight: 1,
      window: { sends: 20, hard_bounces: 3, complaints: 0 },
      halved: true,
      starts_new_leads: true,
      daily_cap: 250,
      hourly_cap: 50,
    });
    expect(body).toMatchObject({ halved: true, day: { limit: 500, cap: 250, used: 17 } });
    expect(told("account.health_changed").at(-1)).toMatchObject({
      cause: "hard_bounces",
      halved: true,
      starts_new_leads: true,
      status: "active",
    });
    expect(soundness()).toEqual([]);
  });

  test("says in a sentence each what it is made of", async () => {
    await send(...times(99, OK), NOBODY);
    const { parts, score } = await health();
    expect(score).toBe(92);
    expect(parts[0]).toEqual({
      name: "hard_bounces",
      points: 8,
      most: 40,
      value: 0.01,
      message: "1 of 100 emails bounced (1.00%): 8 of at most 40 points",
    });
    expect(parts[3]).toMatchObject({ name: "placement", points: 0, value: null });
  });

  test("below 60 starts no new leads, and below 40 pauses the mailbox for a week", async () => {
    await send(...times(19, OK), NOBODY);
    const before = live.mail.offered.length;
    await complain();
    const paused = await health();

    expect(paused).toMatchObject({ score: 22, status: "paused", status_reason: "health" });
    expect(paused.thresholds.map((one: { in_force: boolean }) => one.in_force)).toEqual([
      ...[true, true, true],
    ]);
    await live.days(6);
    expect(live.mail.offered.length).toBeLessThanOrEqual(before + 2);
    await live.days(1);
    expect(await health()).toMatchObject({ status: "active", halved: true, judged_score: 100 });
    expect(live.mail.offered.length).toBeGreaterThan(before + 2);
    expect(soundness()).toEqual([]);
  });

  test("is whole again when the days have left the window", async () => {
    await send(...times(19, OK), NOBODY);
    await live.call("POST", `/campaigns/${campaign}/pause`);
    expect((await health()).score).toBe(60);
    await live.days(13);
    expect((await health()).score).toBe(60);
    await live.days(1);
    const { score, days } = await health();
    expect(score).toBe(100);
    expect(days.map((day: { score: number }) => day.score)).toEqual([...times60(14), 100]);
    expect(soundness()).toEqual([]);
  });
});

const times60 = (count: number) => Array.from({ length: count }, () => 60);

describe("a person", () => {
  test("may let a paused mailbox go on: it is on trial from then on", async () => {
    await send(...times(19, OK), NOBODY);
    await complain();
    const patched = await live.call("PATCH", `/accounts/${account}`, { status: "active" });

    expect(patched.body).toMatchObject({ status: "active", status_reason: null, health_score: 22 });
    expect(await health()).toMatchObject({
      judged_score: 100,
      on_trial_since: "2026-03-02",
      halved: true,
      starts_new_leads: true,
    });
  });

  test("who takes a bounce back takes back what it did to the score and the guard", async () => {
    await send(...times(20, OK));
    await complain();
    expect((await health()).score).toBe(60);
    const { data } = (await live.call("GET", "/inbox/threads?kind=complaint")).body;
    const thread = (await live.call("GET", `/inbox/threads/${data[0].id}`)).body;
    const mail = thread.messages.find((one: { kind: string }) => one.kind === "complaint");
    const change = { kind: "unrelated" };
    expect((await live.call("PATCH", `/messages/${mail.id}`, change)).status).toBe(200);

    expect((await health()).score).toBe(100);
    expect(live.campaign(campaign).guardComplaints).toBe(0);
    expect(soundness()).toEqual([]);
  });

  test("who resumes a stopped campaign has its guard count anew", async () => {
    await send(...times(47, OK), ...times(3, NOBODY));
    const stopped = live.campaign(campaign);
    expect(stopped).toMatchObject({ status: "paused", statusReason: "bounce_rate" });
    expect(told("campaign.paused").at(-1)).toMatchObject({
      reason: "bounce_rate",
      sends: 50,
      hard_bounces: 3,
    });
    const offered = live.mail.offered.length;
    await live.run(HOUR_MS);
    expect(live.mail.offered).toHaveLength(offered);
    await live.call("POST", `/campaigns/${campaign}/resume`);
    await send(...times(10, OK), NOBODY);

    expect(live.campaign(campaign)).toMatchObject({ status: "active", guardBounces: 1 });
    expect(soundness()).toEqual([]);
  });
});

describe("what is read", () => {
  test("404 for another team's account; 422 for days that are none", async () => {
    const other = await live.app.addTeam("Other");
    const asOther = { key: other.keys.live };
    for (const path of ["health", "usage"]) {
      const { status } = await live.call("GET", `/accounts/${account}/${path}`, undefined, asOther);
      expect(status).toBe(404);
    }
    expect((await live.call("GET", `/accounts/${account}/health?days=0`)).status).toBe(422);
    expect((await live.call("GET", `/accounts/${account}/health?days=401`)).status).toBe(422);
  });

  test("what is left of hour and day, and when more comes free", async () => {
    await live.call("PATCH", `/accounts/${account}`, {
      hourly_limit: 3,
      ramp: { start: 5, increment: 2 },
    });
    await send(OK, OK, OK);
    const { body } = await live.call("GET", `/accounts/${account}/usage`);

    expect(body.hour).toMatchObject({ hour: "2026-03-02T15", limit: 3, cap: 3, used: 3, left: 0 });
    expect(body.day).toMatchObject({ date: "2026-03-02", limit: 500, cap: 5, used: 3, left: 2 });
    expect(body.ramp).toEqual({ start: 5, increment: 2, from: "2026-03-02", today: 5 });
    expect(body.hours).toEqual([{ hour: "2026-03-02T15", used: 3 }]);
    expect(body.free_at).toBe("2026-03-02T16:00:00.000Z");
  });
});
