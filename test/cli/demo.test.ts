/** The demo plays the product itself, comes to an end, and its checks see what they are there to see. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { playDemo } from "#cli/demo/demo-play.ts";
import { allHold, type DemoProgress, type DemoReport } from "#cli/demo/demo-report.ts";
import { parseAddress } from "#domain/email-address.ts";
import type { Db } from "#store/sqlite/database.ts";
import { checkInvariants } from "#usecases/operations/invariants.ts";
import { DEMO_ACCOUNTS, DEMO_CAMPAIGNS, demoLead } from "#usecases/sandbox/demo-script.ts";
import { createTestApp, type TestApp } from "../support/app.ts";

const LEADS = 60;
/** A month of six mailboxes is 26,000 looks into them. */
const MONTH_MS_MAX = 120_000;

interface Played {
  app: TestApp;
  report: DemoReport;
  progress: DemoProgress[];
}

async function play(seed: number, signal = new AbortController().signal): Promise<Played> {
  const app = await createTestApp({ seed: 7 });
  const progress: DemoProgress[] = [];
  const { test: env } = app.environments;
  const stage = {
    environments: app.environments,
    advance: (to: number) => app.advance(to - env.clock.now()),
  };
  const onProgress = (at: DemoProgress) => progress.push(at);
  const report = await playDemo(stage, { seed, leads: LEADS, speed: 0, signal, onProgress });
  return { app, report, progress };
}

let played: Played;
beforeAll(async () => {
  played = await play(1);
}, MONTH_MS_MAX);
afterAll(() => played.app.close());

describe("A month", () => {
  test("reaches everybody, is answered, and keeps every invariant", () => {
    const { report } = played;
    expect(report.days).toBe(30);
    expect(report.campaigns.map(({ steps }) => steps.length)).toEqual(
      DEMO_CAMPAIGNS.map(({ steps }) => steps.length),
    );
    const first = report.campaigns.map(({ steps }) => steps[0]?.sent ?? 0);
    expect(first.reduce((sum, sent) => sum + sent, 0)).toBe(LEADS);
    expect(report.campaigns.some(({ counts }) => counts.replied > 0)).toBe(true);
    expect(report.invariants.filter(({ holds }) => !holds)).toEqual([]);
    expect(allHold(report)).toBe(true);
  });

  test("looks every week at where its email arrives", () => {
    const { runs, providers } = played.report.placement;
    // Four Sundays, and the times at which a mailbox fell ill.
    expect(runs).toBeGreaterThan(4);
    expect(providers.map(({ provider }) => provider)).toEqual([
      ...["google", "icloud", "microsoft", "yahoo"],
    ]);
    for (const { tests, inbox } of providers) {
      expect(tests).toBeGreaterThan(4 * DEMO_ACCOUNTS.length);
      expect(inbox).toBeGreaterThan(tests / 2);
    }
  });

  test("shows a mailbox whose score falls, why, its throttle and pause, and its recovery", () => {
    const { health } = played.report;
    const scores = health.flatMap(({ score }) => (score === null ? [] : [score]));
    const worst = scores.indexOf(Math.min(...scores));

    expect(scores[0]).toBeGreaterThan(90);
    expect(scores[worst]).toBeLessThan(40);
    expect(scores.slice(worst).some((score) => score >= 80)).toBe(true);
    expect(health.map(({ what }) => what)).toContain("stopped: bounce_rate");
  });

  test("shows progress that only grows, to the end", () => {
    const shares = played.progress.map(({ done }) => done);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  test(
    "is the same for the same seed, and ends early when it is interrupted",
    async () => {
      const again = await play(1);
      const { seconds: _, ...expected } = played.report;
      expect(again.report).toMatchObject(expected);
      await again.app.close();

      const interrupted = await play(1, AbortSignal.abort());
      expect(interrupted.report.days).toBe(0);
      await interrupted.app.close();
    },
    MONTH_MS_MAX,
  );
});

test("the demo's people have addresses of their own, which parse", () => {
  const emails = Array.from({ length: 5_000 }, (_, index) => demoLead(9, index).email);
  expect(new Set(emails).size).toBe(5_000);
  expect(emails.filter((email) => parseAddress(email)?.address !== email)).toEqual([]);
});

describe("A planted violation is seen", () => {
  const SENT = "(select id from messages where status = 'sent' limit 1)";
  /** The invariant, and the one change that breaks it. */
  const PLANTED: [name: string, change: string][] = [
    [
      "nothing was sent outside a send window",
      "update messages set claimed_at = claimed_at + 43200000",
    ],
    ["no mailbox went over its day's or hour's limit", "update accounts set hourly_limit = 0"],
    ["no mailbox went over its day's or hour's limit", "update accounts set daily_limit = 0"],
    [
      "no campaign took more new leads a day than it may",
      "update campaigns set max_leads_per_day = 1",
    ],
    [
      "no message went out twice",
      "update sandbox_messages set message_id = (select message_id from sandbox_messages limit 1)",
    ],
    [
      "what is recorded as sent is what the servers took",
      `update messages set status = 'failed' where id = ${SENT}`,
    ],
    [
      "nothing was sent after a reply",
      "update inbound_mails set effective_at = 0 where kind = 'reply'",
    ],
    [
      "nothing was sent to a suppressed address",
      `insert into suppressions (id, team_id, hash, email, reason, created_at)
       select randomblob(16), team_id, randomblob(32), recipient, 'manual', 0 from messages limit 1`,
    ],
    [
      "nothing was sent to a suppressed address",
      `insert into suppressions (id, team_id, hash, email, reason, created_at)
       select randomblob(16), team_id, randomblob(32), substr(recipient, instr(recipient, '@')),
         'manual', 0 from messages limit 1`,
    ],
    ["counters equal what they count", "update campaigns set sent = sent + 1"],
    ["counters equal what they count", "update campaigns set enrolled = enrolled - 1"],
    ["counters equal what they count", "update steps set sent = sent + 1 where position = 1"],
    ["counters equal what they count", "update lead_counts set leads = leads + 1"],
    [
      "sums of experiments equal what they sum up",
      "update experiment_tallies set replies = replies + 1 where kind = 'variant'",
    ],
    [
      "sums of experiments equal what they sum up",
      "update experiment_tallies set successes = successes + 1 where kind = 'epoch'",
    ],
    [
      "sums of experiments equal what they sum up",
      "delete from experiment_tallies where kind = 'stratum'",
    ],
    [
      "sums of experiments equal what they sum up",
      "update exposures set bounced = not bounced where sent_at is not null",
    ],
    ["every mailbox's score is what its mail says", "update accounts set health_score = 50"],
    [
      "every mailbox's score is what its mail says",
      "update account_health set sends = sends + 1 where rowid % 3 = 0",
    ],
    [
      "guards count what was sent since the start",
      "update campaigns set guard_sends = guard_sends + 1",
    ],
    ["days count what campaigns count", "update figures set sent = sent + 1"],
    [
      "every sequence ended, or says when or why it waits",
      `update campaigns set status = 'active';
       update enrollments set status = 'active', due_at = null, hold_reason = null`,
    ],
    [
      "every event is queued for each webhook that wants it",
      `insert into webhooks (id, team_id, url, events, secret, active, failures, since_seq,
         created_at, updated_at)
       select randomblob(16), id, 'https://hooks.example', '["*"]', '', 1, 0, 0, 0, 0 from teams`,
    ],
    [
      "every delivery ended, or says when it is tried",
      `insert into deliveries (id, team_id, webhook_id, event_seq, status, tries, attempts, created_at)
       select randomblob(16), team_id, randomblob(16), seq, 'pending', 0, 0, 0 from events`,
    ],
    [
      "search finds nothing that is gone",
      "update search_docs set id = randomblob(16) where kind = 'thread'",
    ],
    [
      "search finds nothing that is gone",
      "delete from search_text where rowid = (select max(doc) from search_docs)",
    ],
    [
      "every lead and conversation is found, or soon will be",
      "delete from search_docs where kind = 'lead'",
    ],
  ];

  test.each(PLANTED)("%s", (name, change) => {
    const { test: env } = played.app.environments;
    const broken = undoing(env.db, () => {
      for (const statement of change.split(";")) {
        env.db.raw.run(statement);
      }
      return checkInvariants(env, played.app.team.id).filter(({ holds }) => !holds);
    });
    expect(broken.map((invariant) => invariant.name)).toContain(name);
    expect(broken.every(({ detail }) => /^[1-9]\d* cases$/.test(detail))).toBe(true);
  });

  test("and every invariant has one", () => {
    const { test: env } = played.app.environments;
    const names = checkInvariants(env, played.app.team.id).map(({ name }) => name);
    expect([...new Set(PLANTED.map(([name]) => name))]).toEqual(names);
  });
});

function undoing<Result>(db: Db, work: () => Result): Result {
  db.raw.run("SAVEPOINT planted");
  try {
    return work();
  } finally {
    db.raw.run("ROLLBACK TO planted");
    db.raw.run("RELEASE planted");
  }
}
