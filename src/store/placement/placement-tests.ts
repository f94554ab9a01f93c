/** Placement tests: one email from one account to one seed. */

import { and, asc, inArray, isNotNull, lte, sql } from "drizzle-orm";
import { wilson } from "#domain/experiments/stats/intervals.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { RunShare } from "#domain/placement/drop.ts";
import { type ProviderTotals, totalsByProvider } from "#domain/placement/placement.ts";
import type { UnixMs } from "#domain/time.ts";
import { bytesToId, equals, type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { earliest, firstOf, idsIn, isNoneOf, type Passed } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, updater } from "#store/sqlite/rows.ts";
import { placementTests, type TestRow } from "#store/tables/placement.ts";

export const insertTest = inserter(placementTests);
/** Writes the whole row: read it in the same transaction. */
export const updateTest = updater(placementTests);
export const placementTestById = finder(placementTests);

const ofRun = reader(placementTests, (db) =>
  db.orm
    .select()
    .from(placementTests)
    .where(equals(placementTests.runId, "runId"))
    .orderBy(asc(placementTests.id))
    .prepare(),
);

/** All tests of a run in the order in which they were made: seed by seed, account by account. */
export function testsOf(db: Db, runId: Id): TestRow[] {
  return ofRun(db, { runId });
}

const firstTest = firstOf(placementTests.accountId, placementTests.dueAt);

/** The test whose email an account is to send next; `dueAt` says when. */
export function nextTest(db: Db, accountId: Id): TestRow | undefined {
  const id = firstTest(db, accountId);
  return id === undefined ? undefined : placementTestById(db, id);
}

const QUEUED = `
  select due_at from placement_tests where account_id = ? and due_at is not null
  order by due_at, id`;

/** When each of an account's waiting tests is due, in order. */
export function testsQueued(db: Db, accountId: Id): UnixMs[] {
  return db.raw
    .query<{ due_at: UnixMs }, [Uint8Array]>(QUEUED)
    .all(idToBytes(accountId))
    .map(({ due_at }) => due_at);
}

const firstLooks = prepared((db) =>
  db.orm
    .select({
      seedId: placementTests.seedId,
      teamId: placementTests.teamId,
      lookAt: placementTests.lookAt,
    })
    .from(placementTests)
    .where(
      and(
        isNotNull(placementTests.lookAt),
        isNoneOf(placementTests.seedId, "ids"),
        isNoneOf(placementTests.teamId, "teams"),
      ),
    )
    .orderBy(asc(placementTests.lookAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

const firstLookAt = earliest(placementTests.lookAt);

/**
 * Where and when is to be looked next, the soonest first, but for seeds and teams that are passed over; a seed may be
 * named several times.
 */
export function nextLooks(
  db: Db,
  limit: number,
  { teams, ids }: Passed,
): { seedId: Id; teamId: Id; lookAt: UnixMs }[] {
  if (firstLookAt(db) === undefined) {
    return [];
  }
  return firstLooks(db)
    .all({ limit, teams: idsIn(teams), ids: idsIn(ids) })
    .map((row) => ({ ...row, lookAt: row.lookAt as UnixMs }));
}

const toLookFor = reader(placementTests, (db) =>
  db.orm
    .select()
    .from(placementTests)
    .where(
      and(
        equals(placementTests.seedId, "seedId"),
        isNotNull(placementTests.lookAt),
        lte(placementTests.lookAt, sql.placeholder("until")),
      ),
    )
    .orderBy(asc(placementTests.lookAt), asc(placementTests.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Tests of a seed that are to be looked for by `until`. */
export function testsToLookFor(db: Db, seedId: Id, until: UnixMs, limit: number): TestRow[] {
  return toLookFor(db, { seedId, until, limit });
}

/** The rows that a statement names by their ids. */
function testsNamed(db: Db, query: string, ...values: readonly (Uint8Array | number)[]): TestRow[] {
  return db.raw
    .query<{ id: Uint8Array }, (Uint8Array | number)[]>(query)
    .all(...values)
    .flatMap(({ id }) => placementTestById(db, bytesToId(id)) ?? []);
}

/** Tests of an account, or of a seed, whose email is still to be sent or looked for. */
export function openTestsOf(db: Db, whose: { accountId: Id } | { seedId: Id }): TestRow[] {
  const [column, id] =
    "accountId" in whose ? ["account_id", whose.accountId] : ["seed_id", whose.seedId];
  const query = `
    select id from placement_tests where ${column} = ? and status in ('waiting', 'looking')
    order by id`;
  return testsNamed(db, query, idToBytes(id));
}

const MISSED = `
  select t.id from placement_tests t join placement_runs r on r.id = t.run_id
  where t.seed_id = ? and t.status in ('failed', 'done') and t.sent_at is not null
    and t.folder is null and r.ends_at > ?
  order by t.id`;

/**
 * Tests of a seed that failed after their email went out, or found nothing, in runs that end after `now`:
 * what is looked for again when the seed can be read.
 */
export function missedTestsOf(db: Db, seedId: Id, now: UnixMs): TestRow[] {
  return testsNamed(db, MISSED, idToBytes(seedId), now);
}

/** By run, the totals of each seed provider. */
export function providersOf(
  db: Db,
  runIds: readonly Id[],
): Map<Id, Record<string, ProviderTotals>> {
  const { runId, seedProvider, status, placement } = placementTests;
  const rows =
    runIds.length === 0
      ? []
      : db.orm
          .select({ runId, seedProvider, status, placement })
          .from(placementTests)
          .where(inArray(runId, [...runIds]))
          .all();
  const groups = Map.groupBy(rows, (row) => row.runId);
  return new Map(runIds.map((id) => [id, totalsByProvider(groups.get(id) ?? [])]));
}

const RATE = `
  select count(*) as n, coalesce(sum(t.placement = 'inbox'), 0) as x
  from placement_tests t join placement_runs r on r.id = t.run_id
  where t.account_id = ? and t.tested_at >= ? and t.status = 'done'
    and r.content ->> 'isDraft' is null`;

/**
 * The share, 0 to 1, of an account's tests since `since` whose email came to the inbox, null where none
 * has a placement, and the upper end of its 95 % interval. What a draft says is not sent to anybody yet, so it
 * does not count.
 */
export function inboxRateOf(db: Db, accountId: Id, since: UnixMs) {
  const query = db.raw.query<{ x: number; n: number }, [Uint8Array, number]>(RATE);
  const tests = query.get(idToBytes(accountId), since) ?? { x: 0, n: 0 };
  const { x, n } = tests;
  return { inboxRate: n === 0 ? null : x / n, inboxRateHigh: wilson(tests).upper };
}

const INBOX_SHARES = `
  select seed_provider as provider, count(*) as total, sum(t.placement = 'inbox') as inbox
  from placement_tests t join placement_runs r on r.id = t.run_id
  where t.account_id = ?1 and t.tested_at >= unixepoch(?2) * 1000
    and t.tested_at < unixepoch(?3, '+1 day') * 1000 and t.status = 'done'
    and r.content ->> 'isDraft' is null
  group by seed_provider`;

/** An account's tests with a placement of the days `from` to `to` (UTC), by the seed's provider. */
export function inboxSharesOf(db: Db, accountId: Id, { from, to }: { from: string; to: string }) {
  return db.raw
    .query<{ provider: MailProvider; total: number; inbox: number }, [Uint8Array, string, string]>(
      INBOX_SHARES,
    )
    .all(idToBytes(accountId), from, to);
}

interface FoundShare extends RunShare {
  provider: MailProvider;
}

/** What an account's completed runs found at each seed provider, at most `limit` of them, oldest first. */
export function runSharesOf(db: Db, accountId: Id, limit: number): FoundShare[] {
  return db.raw.query<FoundShare, [Uint8Array, number]>(SHARES).all(idToBytes(accountId), limit);
}

/** Ids rise also where the clock is set back. */
const SHARES = `
  select provider, at, inbox, total from (
    select t.run_id as id, t.seed_provider as provider, r.created_at as at,
           sum(t.placement = 'inbox') as inbox, count(*) as total
    from placement_tests t join placement_runs r on r.id = t.run_id
    where t.account_id = ? and t.status = 'done' and r.status = 'completed'
      and r.content ->> 'isDraft' is null
    group by t.run_id, t.seed_provider
    order by id desc limit ?
  ) order by id`;

const SENT_FROM = `
  select authentication ->> 'sentFrom' as ip from placement_tests
  where account_id = +? and tested_at >= +? and authentication ->> 'sentFrom' is not null
  group by ip order by max(tested_at) desc limit 8`;

/** Addresses that seeds' servers say an account's email came from since `since`, the latest first. */
export function sentFromOf(db: Db, accountId: Id, since: UnixMs): string[] {
  return db.raw
    .query<{ ip: string }, [Uint8Array, number]>(SENT_FROM)
    .all(idToBytes(accountId), since)
    .map(({ ip }) => ip);
}
