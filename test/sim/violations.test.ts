/**
 * Each invariant is really looked at: a violation planted behind the product's back, in its tables, in
 * the servers around it or in the record of a run, is found by the check that is there for it.
 */

import type { Database } from "bun:sqlite";
import { describe, expect, test } from "bun:test";
import { simulate } from "../support/simulate.ts";
import { INVARIANTS, type Violation } from "../support/simulation/checks.ts";
import type { Plant } from "../support/simulation/options.ts";

/** Runs that a violation may take to show. */
const SEEDS_MAX = 120;

/** A ledger that forgets what it counted. Planted triggers are temporary: a file with others is refused. */
const forget = (kind: string): Plant => ({
  before: (db) => {
    for (const change of ["insert", "update"]) {
      db.run(`create temp trigger if not exists forget_${change} after ${change} on usage
        when new.kind = '${kind}' begin
          delete from usage where kind = new.kind and owner = new.owner and bucket = new.bucket;
        end`);
    }
  },
});

const run = (sql: string): Plant => ({ before: (db) => db.run(sql) });

/** Windows that stand open all the time: arguments of `json_set`. */
const WIDE = `'$.startHour', 0, '$.endHour', 24, '$.days', json('["monday","tuesday","wednesday","thursday",
  "friday","saturday","sunday"]')`;

/** Windows that are changed as long as nobody looks. */
function openWindows(change: string): Plant {
  let kept: { id: Uint8Array; window: string }[] = [];
  return {
    before: (db) => {
      kept = db
        .query<{ id: Uint8Array; window: string }, []>(
          "select id, send_window as window from campaigns",
        )
        .all();
      db.run(`update campaigns set send_window = json_set(send_window, ${change})`);
    },
    after: (db: Database) => {
      for (const { id, window } of kept) {
        db.run("update campaigns set send_window = ? where id = ?", [window, id]);
      }
    },
  };
}

const REOPEN = "update enrollments set status = 'active', stop_reason = null, due_at = 1 where";

const PLANTED: [what: string, invariant: Violation["invariant"], plant: Plant][] = [
  ["a window that stands open", "window", openWindows(WIDE)],
  ["a holiday that is forgotten", "window", openWindows("'$.skipHolidays', json('[]')")],
  [
    "a claim that does not look for suppressions",
    "suppressed",
    {
      before: (db) => {
        db.run("delete from suppressions");
        db.run(`${REOPEN} status in ('suppressed', 'unsubscribed', 'bounced')`);
      },
    },
  ],
  ["a reply without effect", "reply", run(`${REOPEN} status = 'replied'`)],
  [
    "a pause without effect",
    "paused",
    run("update campaigns set status = 'active' where status in ('paused', 'archived')"),
  ],
  [
    "a server that delivers twice",
    "twice",
    {
      before: (_db, { internet }) => {
        internet.copies = 2;
      },
    },
  ],
  [
    "an engine that forgets what it sent",
    "twice",
    {
      before: (db) => {
        db.run("update messages set status = 'deferred' where status = 'sent'");
        db.run(
          "update enrollments set place_id = null, waits_from = null, due_at = 1 where status = 'active'",
        );
      },
    },
  ],
  [
    "a crash that forgets that a body was begun",
    "twice",
    run(`create temp trigger if not exists unbegun after update on messages when new.data_at is not null
      begin update messages set data_at = null where id = new.id; end`),
  ],
  [
    "an inserted step that is past at once",
    "order",
    run(`create temp trigger if not exists passed after insert on steps begin
      update enrollments set place_id = new.place_id
        where campaign_id = new.campaign_id and status in ('pending', 'active');
    end`),
  ],
  ["a wait that is forgotten", "wait", run("update steps set wait_days = 0")],
  ["minutes that are forgotten", "wait", run("update steps set wait_minutes = 0")],
  [
    "a step that stays when it is deleted",
    "deleted",
    run(`create temp trigger if not exists undeleted before delete on steps
      begin select raise(ignore); end`),
  ],
  ["an hour that is not counted", "account_hour", forget("account_hour")],
  ["a day that is not counted", "account_day", forget("account_day")],
  ["a provider that is not counted", "provider_day", forget("account_provider")],
  ["new leads that are not counted", "campaign_new", forget("campaign_new")],
  ["a campaign's day that is not counted", "campaign_day", forget("campaign_day")],
  ["a domain that is not counted", "domain_day", forget("campaign_domain")],
  [
    "a mailbox that isn't known to be at its provider",
    "match",
    run(
      "update accounts set smtp = json_set(smtp, '$.host', 'smtp.example') where provider = 'google'",
    ),
  ],
  ["risky addresses that are not counted", "spread", forget("account_spread")],
  [
    "a mailbox that forgets when it last sent",
    "gap",
    run(`create temp trigger if not exists timeless after update on accounts
      when new.last_claim_at is not null
      begin update accounts set last_claim_at = null where id = new.id; end`),
  ],
  [
    "a lead that changes its mailbox",
    "sticky",
    run(`update enrollments set account_id =
      (select a.id from accounts a where a.id <> enrollments.account_id limit 1)
      where due_at is not null and account_id is not null and (select count(*) from accounts) > 1`),
  ],
  [
    "a mail that was taken and is gone",
    "visible",
    run("delete from messages where id = (select max(id) from messages where status = 'sent')"),
  ],
  [
    "a mail that was taken and is shown as failed",
    "visible",
    run("update messages set status = 'failed' where status = 'sent'"),
  ],
  [
    "a follow-up to another mail",
    "thread",
    run("update messages set message_id = replace(message_id, '<', '<x')"),
  ],
  [
    "two mails with one Message-ID",
    "message_id",
    {
      after: (_db, { team: { chronicle } }) => {
        const [first, second] = chronicle.handed.filter(({ delivered }) => delivered);
        if (first !== undefined && second !== undefined) {
          second.messageId = first.messageId;
        }
      },
    },
  ],
  [
    "an answer by hand that is shown as failed",
    "answers",
    run("update messages set status = 'failed' where kind = 'manual' and status = 'sent'"),
  ],
  ["a send that is counted twice", "counters", run("update campaigns set sent = sent + 1")],
  ["a step that counts nothing", "counters", run("update steps set sent = 0")],
  ["a lead that no day counts", "contacted", run("update figures set contacted = 0")],
  ["a reply that no day counts", "contacted", run("update figures set contacted_replied = 0")],
  [
    "a variant that counts an answer too many",
    "variants",
    run("update experiment_tallies set replies = replies + 1 where sent > 0"),
  ],
  [
    "a lead that is judged in one sum only",
    "variants",
    run("update experiment_tallies set successes = 0 where kind = 'epoch' and successes > 0"),
  ],
  [
    "a lead that is counted for another variant",
    "shown",
    run(`update exposures set variant_id = (select v.id from variants v
      where v.experiment_id = exposures.experiment_id and v.id <> exposures.variant_id
        and json_extract(v.config, '$.body') is not null limit 1)
      where sent_at is not null and exists (select 1 from variants v
        where v.experiment_id = exposures.experiment_id and v.id <> exposures.variant_id
          and json_extract(v.config, '$.body') is not null)`),
  ],
  [
    "a campaign that completes over a lead on hold",
    "open",
    run(`update campaigns set status = 'completed' where
      exists (select 1 from json_each(on_hold) where value > 0)`),
  ],
  ["an open lead too many", "open", run("update campaigns set open = open + 1")],
  [
    "a lead on hold that is due",
    "on_hold",
    run("update enrollments set due_at = 4e12 where hold_reason is not null"),
  ],
  ["a score that nobody moves", "health", run("update accounts set health_score = 93")],
  [
    "a bounce that is counted against nobody",
    "health",
    run(`create temp trigger if not exists unharmed after insert on harms
      begin delete from account_health where account_id = new.account_id; end`),
  ],
  ["a reservation that is not given back", "usage", run("update usage set count = count + 1")],
  ["a month's mails that are not counted", "plan", forget("team_month")],
  [
    "a seed that the claim knows nothing of",
    "seeds",
    {
      after: (_db, { team: { chronicle } }) => {
        for (const { to } of chronicle.handed) {
          chronicle.note("seeded", to);
        }
      },
    },
  ],
  [
    "a test mail that is said to be elsewhere",
    "tests",
    run("update placement_tests set placement = 'promotions' where placement = 'spam'"),
  ],
  ["a run that does not add up", "runs", run("update placement_runs set inbox = inbox + 1")],
  [
    "a lead that moves on without a word",
    "moves",
    run(`create temp trigger if not exists unsaid before insert on audit
      when new.action = 'campaign_lead.move' begin select raise(ignore); end`),
  ],
  [
    "a lead that moves on by no rule",
    "moves",
    run(
      "update campaigns set rules = '[]' where exists (select 1 from enrollments where moved_from is not null)",
    ),
  ],
  [
    "a move that outlives its reason",
    "moves",
    run("update enrollments set stop_reason = 'other' where stop_reason = 'sequence_finished'"),
  ],
  [
    "an import that loses a line",
    "imports",
    {
      before: (_db, { team: { chronicle } }) => {
        chronicle.imports.push({ input: 3, imported: 1, skipped: 1, errors: 0 });
      },
    },
  ],
  [
    "a mailbox that nobody wakes",
    "awake",
    {
      after: (db) => db.run("update accounts set wake_at = null"),
    },
  ],
  [
    "a lead that is forgotten",
    "liveness",
    run("update enrollments set due_at = null where status = 'active' and hold_reason is null"),
  ],
  ["a campaign that waits for nobody", "completion", run("update campaigns set open = open + 99")],
  [
    "an outcome that cannot be recorded",
    "internal",
    run(`create temp trigger if not exists unrecorded before update on messages
      when new.status = 'sent' begin select raise(abort, 'planted'); end`),
  ],
];

describe("a planted violation is found", () => {
  test("a disk that loses what it said it had: durable", async () => {
    const found = [];
    for (let seed = 1; seed <= SEEDS_MAX && found.length === 0; seed += 1) {
      const plant = { forgets: true };
      const result = await simulate({ seed, plant, only: ["durable"], calmRounds: 0 });
      found.push(...result.violations);
    }
    expect(found[0]?.invariant).toBe("durable");
  });

  test.each(PLANTED)("%s: %s", async (_what, invariant, plant) => {
    const found = [];
    for (let seed = 1; seed <= SEEDS_MAX && found.length === 0; seed += 1) {
      const result = await simulate({ seed, plant, only: [invariant], calmRounds: 10 });
      found.push(...result.violations);
    }
    expect(found.map((violation) => violation.invariant)).toContain(invariant);
  });

  test("for every invariant", () => {
    const planted = new Set(PLANTED.map(([, invariant]) => invariant));
    expect(Object.keys(INVARIANTS).filter((name) => !planted.has(name as never))).toEqual([]);
  });
});
