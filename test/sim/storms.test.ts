/**
 * Storms of bounces and complaints: from the instant at which the guard's condition holds, no further
 * email of the campaign is claimed, so that at most one a mailbox is still on its way. The condition is
 * found anew from the event log, not by the product's own counters; so is each mailbox's score.
 */

import { describe, expect, test } from "bun:test";
import { DAY_MS, HOUR_MS } from "#domain/time.ts";
import { readEvents } from "#store/events/events.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { addAccount, makeCampaign } from "../support/campaigns.ts";
import { ROUND_THE_CLOCK } from "../support/inbox.ts";
import { batches, seedsOf } from "../support/simulation/seeds.ts";

const COUNTS = { full: 40, quick: 2 };
const MAILBOXES = 3;
/** Up to so many emails, so many bounces stop a campaign (`test/domain/experiments/campaign-guard.test.ts`). */
const EARLY = [
  [3, Infinity],
  [4, 4],
  [25, 5],
  [47, 6],
  [49, 7],
] as const;
const LEADS = 200;

interface Weather {
  rates: Record<string, number>;
  /** At the server's door, or by reports that come this much later. */
  smtp550: number;
  maxSeconds: number;
}

/** From a breeze that stops nobody to a list that is all wrong. */
const WEATHER: [name: string, weather: Weather][] = [
  ["refusals at the door", { rates: {}, smtp550: 0.12, maxSeconds: 0 }],
  ["a list that is all wrong", { rates: {}, smtp550: 1, maxSeconds: 0 }],
  ["reports of bounces, hours late", { rates: { hard_bounce: 0.2 }, smtp550: 0, maxSeconds: 9000 }],
  ["complaints", { rates: { complaint: 0.02 }, smtp550: 0, maxSeconds: 4000 }],
  ["all of it", { rates: { complaint: 0.01, hard_bounce: 0.04 }, smtp550: 0.03, maxSeconds: 3000 }],
];

describe.each(WEATHER)("in %s", (_name, weather) => {
  test.each(batches(COUNTS, 4))("a campaign stops at once, seeds $from to $to", async (batch) => {
    let stopped = 0;
    for (const seed of seedsOf(batch)) {
      const app = await blow(seed, weather);
      for (let round = 0; round < 8; round += 1) {
        await app.advance(12 * HOUR_MS);
        stopped += await resumeStopped(app);
      }
      await app.advance(3 * DAY_MS);

      expect([seed, ...overruns(app)]).toEqual([seed]);
      const broken = checkInvariants(app.environments.test, app.team.id).filter(
        ({ holds }) => !holds,
      );
      expect([seed, ...broken]).toEqual([seed]);
      await app.close();
    }
    expect(stopped).toBeGreaterThan(0);
  });
});

test("a list that is all wrong is left after four emails, and what was on its way", async () => {
  const app = await blow(1, { rates: {}, smtp550: 1, maxSeconds: 0 });
  const [mailbox] = (await app.call("GET", "/accounts")).body.data;
  await app.advance(4 * DAY_MS);
  const bounced = told(app).filter(({ type }) => type === "email.bounced");

  expect(mailbox.status).toBe("active");
  expect(bounced.length).toBeGreaterThanOrEqual(4);
  expect(bounced.length).toBeLessThan(4 + MAILBOXES);
  await app.close();
});

/** A campaign under way in that weather. */
async function blow(seed: number, { rates, smtp550, maxSeconds }: Weather): Promise<TestApp> {
  const app = await createTestApp({ seed });
  const delay = { min_seconds: 0, max_seconds: maxSeconds };
  const none = { reply: 0, interested: 0, auto_reply: 0, hard_bounce: 0, soft_bounce: 0 };
  await app.call("PATCH", "/sandbox/settings", {
    seed,
    rates: { ...none, complaint: 0, unsubscribe: 0, spam: 0, ...rates },
    delays: { hard_bounce: delay, complaint: delay },
    faults: { smtp550 },
  });
  for (let nth = 1; nth <= MAILBOXES; nth += 1) {
    const { id } = await addAccount(app, `mailbox${nth}@sender.example`);
    const limits = { daily_limit: 200, hourly_limit: 40, min_gap_seconds: 0 };
    await app.call("PATCH", `/accounts/${id}`, limits);
  }
  const { id } = await makeCampaign(app, [{ type: "email", subject: "Hello", body: "Hi" }]);
  const change = { send_window: ROUND_THE_CLOCK, max_leads_per_day: 1000 };
  await app.call("PATCH", `/campaigns/${id}`, change);
  const leads = Array.from({ length: LEADS }, (_, nth) => ({
    email: `p${nth}@firm${nth}.example`,
  }));
  await app.call("POST", `/campaigns/${id}/leads`, { leads });
  await app.call("POST", `/campaigns/${id}/start`);
  return app;
}

/** Somebody looks twice a day, and lets go on what a guard has stopped. Answers how many. */
async function resumeStopped(app: TestApp): Promise<number> {
  let resumed = 0;
  for (const { id, status, status_reason } of (await app.call("GET", "/campaigns")).body.data) {
    if (status === "paused" && ["bounce_rate", "complaint_rate"].includes(status_reason)) {
      await app.call("POST", `/campaigns/${id}/resume`);
      resumed += 1;
    }
  }
  return resumed;
}

interface Told {
  type: string;
  at: number;
  data: Record<string, unknown>;
}

const EVENTS_MAX = 100_000;

function told(app: TestApp): Told[] {
  const rows = readEvents(app.environments.test.db, app.team.id, { after: 0, limit: EVENTS_MAX });
  return rows.map(({ type, createdAt, data }) => ({ type, at: createdAt, data: { ...data } }));
}

/** What the log tells of emails that went on after the condition held, or of a stop without cause. */
function overruns(app: TestApp): string[] {
  const claims = app.environments.test.db.raw
    .query<{ id: string; at: number }, []>(
      "select lower(hex(id)) as id, claimed_at as at from messages where kind = 'step'",
    )
    .all();
  const claimedAt = new Map(claims.map(({ id, at }) => [id, at]));
  const found: string[] = [];
  let since = 0;
  let stoppedAt: number | null = null;
  let counted = { sent: new Set<unknown>(), bounced: new Set(), complained: new Set() };
  const isOver = () => {
    const { sent, bounced, complained } = counted;
    const sends = sent.size;
    if (sends < 50) {
      return bounced.size >= (EARLY.find(([most]) => sends <= most)?.[1] ?? Infinity);
    }
    return bounced.size / sends >= 0.05 || complained.size / sends >= 0.003;
  };
  for (const { type, at, data } of told(app)) {
    const id = data["email_id"];
    const claimed = claimedAt.get(String(id).replaceAll("-", "")) ?? 0;
    const isCounted = claimed >= since;
    if (type === "campaign.started" || type === "campaign.resumed") {
      counted = { sent: new Set(), bounced: new Set(), complained: new Set() };
      [since, stoppedAt] = [at, null];
    } else if (type === "campaign.paused") {
      if (!isOver()) {
        found.push(`stopped without cause at ${at}`);
      }
      stoppedAt = at;
    } else if (type === "campaign.completed") {
      stoppedAt = at;
    } else if (stoppedAt !== null && claimed > stoppedAt) {
      found.push(`${type} of ${id} claimed after the stop`);
    } else if (isCounted && type === "email.sent") {
      counted.sent.add(id);
    } else if (isCounted && type === "email.bounced" && data["severity"] === "hard") {
      counted.sent.add(id);
      counted.bounced.add(id);
    } else if (isCounted && type === "complaint.received" && id !== null) {
      counted.complained.add(id);
    }
  }
  return isOver() && stoppedAt === null ? [...found, "never stopped"] : found;
}
