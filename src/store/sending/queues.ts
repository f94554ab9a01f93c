/** How much is due, for whoever runs the program. */

import { HOLD_REASONS, type HoldReason } from "#domain/campaigns/enrollment.ts";
import { ACCOUNT_STATUSES, type AccountStatus } from "#domain/mailboxes/account.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Db } from "#store/sqlite/database.ts";

/** Counted up to here: more is just as much too much. */
const COUNT_MAX = 100_000;

const QUERIES = {
  sends: "select 1 from accounts where wake_at is not null and wake_at <= +?1",
  polls: "select 1 from accounts where poll_at is not null and poll_at <= +?1",
  deliveries: "select 1 from deliveries where due_at is not null and due_at <= +?1",
  copies: "select 1 from messages where copy_due_at is not null and copy_due_at <= +?1",
} as const;

export type DueCounts = Record<keyof typeof QUERIES, number>;

/** `now` is the environment's clock, `wall` the wall's, by which deliveries go. */
export function countDue(db: Db, now: UnixMs, wall: UnixMs): DueCounts {
  const count = (name: keyof typeof QUERIES) => {
    const query = `select count(*) as n from (${QUERIES[name]} limit ${COUNT_MAX})`;
    const at = name === "deliveries" ? wall : now;
    return db.raw.query<{ n: number }, [number]>(query).get(at)?.n ?? 0;
  };
  return {
    sends: count("sends"),
    polls: count("polls"),
    deliveries: count("deliveries"),
    copies: count("copies"),
  };
}

/** Events by kind after `seq`, and the last number. */
export function countEvents(db: Db, seq: number): { last: number; kinds: Map<string, number> } {
  const rows = db.raw
    .query<{ type: string; n: number; last: number }, [number, number]>(
      "select type, count(*) as n, max(seq) as last from " +
        "(select type, seq from events where seq > +?1 order by seq limit +?2) group by type",
    )
    .all(seq, COUNT_MAX);
  const last = rows.reduce((most, row) => Math.max(most, row.last), seq);
  return { last, kinds: new Map(rows.map(({ type, n }) => [type, n])) };
}

export function lastEventSeq(db: Db): number {
  return (
    db.raw.query<{ seq: number | null }, []>("select max(seq) as seq from events").get()?.seq ?? 0
  );
}

/** Milliseconds that the oldest work of each kind has been due, and the oldest email has been under way; 0: none. */
export interface OldestDue {
  sends: number;
  polls: number;
  deliveries: number;
  copies: number;
  underWayMs: number;
}

/** A mailbox whose `wake_at` is 0 was told to look anew: it waits for nothing. */
const OLDEST = {
  sends: "select min(wake_at) as at from accounts where wake_at > 0",
  polls: "select min(poll_at) as at from accounts where poll_at > 0",
  deliveries: "select min(due_at) as at from webhooks where due_at > 0",
  copies: "select min(copy_due_at) as at from messages where copy_due_at > 0",
  underWayMs: "select min(claimed_at) as at from messages where status = 'sending'",
} as const;

/** Times as for {@link countDue}. */
export function oldestDue(db: Db, now: UnixMs, wall: UnixMs): OldestDue {
  const age = (name: keyof typeof OLDEST) => {
    const at = db.raw.query<{ at: number | null }, []>(OLDEST[name]).get()?.at;
    return Math.max(0, (name === "deliveries" ? wall : now) - (at ?? Number.POSITIVE_INFINITY));
  };
  return {
    sends: age("sends"),
    polls: age("polls"),
    deliveries: age("deliveries"),
    copies: age("copies"),
    underWayMs: age("underWayMs"),
  };
}

/** By status; active ones are left out, of which there are most. */
export function countStoppedMailboxes(db: Db): Map<AccountStatus, number> {
  const counts = new Map(ACCOUNT_STATUSES.filter((one) => one !== "active").map((one) => [one, 0]));
  const query =
    "select status as name, count(*) as n from accounts where status <> 'active' group by status";
  return withCounts(counts, db.raw.query<Counted<AccountStatus>, []>(query).all());
}

/** By reason, as campaigns count theirs. */
export function countLeadsOnHold(db: Db): Map<HoldReason, number> {
  const counts = new Map(HOLD_REASONS.map((reason) => [reason, 0]));
  const query =
    "select key as name, sum(value) as n from campaigns, json_each(on_hold) " +
    "where on_hold <> '{}' group by key";
  return withCounts(counts, db.raw.query<Counted<HoldReason>, []>(query).all());
}

/** Active ones alone. */
export function countWebhooksFailing(db: Db): number {
  const query =
    "select count(*) as n from webhooks " +
    "where failing_since is not null and active = 1 and deleted_at is null";
  return db.raw.query<{ n: number }, []>(query).get()?.n ?? 0;
}

interface Counted<Name> {
  name: Name;
  n: number;
}

function withCounts<Name>(
  counts: Map<Name, number>,
  rows: readonly Counted<Name>[],
): Map<Name, number> {
  for (const { name, n } of rows) {
    counts.set(name, n);
  }
  return counts;
}
