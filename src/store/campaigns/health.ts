/** The health of mailboxes: what is counted by day, which emails did harm, and whose score is due. */

import { and, asc, eq, gte, isNotNull, lt, lte, sql } from "drizzle-orm";
import type { DayTally, HealthPoints } from "#domain/mailboxes/health.ts";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, idToBytes, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { earliest } from "#store/sqlite/earliest.ts";
import { reader } from "#store/sqlite/rows.ts";
import { accounts } from "#store/tables/accounts.ts";
import {
  accountHealth,
  type HealthDayRow,
  type NegativeEventRow,
  type NegativeKind,
  negativeEvents,
  providerDays,
} from "#store/tables/health.ts";

const since = and(
  equals(accountHealth.accountId, "accountId"),
  gte(accountHealth.date, sql.placeholder("from")),
);

const tallies = prepared((db) =>
  db.orm
    .select({
      date: accountHealth.date,
      sends: accountHealth.sends,
      hardBounces: accountHealth.hardBounces,
      complaints: accountHealth.complaints,
    })
    .from(accountHealth)
    .where(since)
    .orderBy(asc(accountHealth.date))
    .prepare(),
);

/** What was counted from the local date `from` on, oldest first. */
export function healthDays(db: Db, accountId: Id, from: string): DayTally[] {
  return tallies(db).all({ accountId, from });
}

const history = reader(accountHealth, (db) =>
  db.orm.select().from(accountHealth).where(since).orderBy(asc(accountHealth.date)).prepare(),
);

/** The days from the local date `from` on that have a row, oldest first. */
export function healthHistory(db: Db, accountId: Id, from: string): HealthDayRow[] {
  return history(db, { accountId, from });
}

const before = reader(accountHealth, (db) =>
  db.orm
    .select()
    .from(accountHealth)
    .where(
      and(
        equals(accountHealth.accountId, "accountId"),
        lt(accountHealth.date, sql.placeholder("date")),
      ),
    )
    .orderBy(sql`${accountHealth.date} desc`)
    .limit(1)
    .prepare(),
);

/** The last day before `date` that has a row. */
export function healthBefore(db: Db, accountId: Id, date: string): HealthDayRow | undefined {
  return before(db, { accountId, date })[0];
}

/** A day of an account, and its score by now. */
export interface HealthDay {
  teamId: Id;
  accountId: Id;
  date: string;
  score: number;
  points: HealthPoints;
}

const day = {
  teamId: placeholder(accountHealth.teamId, "teamId"),
  accountId: placeholder(accountHealth.accountId, "accountId"),
  date: sql.placeholder("date"),
  score: sql.placeholder("score"),
  points: placeholder(accountHealth.points, "points"),
};
const target = [accountHealth.accountId, accountHealth.date];

const count = prepared((db) =>
  db.orm
    .insert(accountHealth)
    .values({
      ...day,
      sends: sql.placeholder("sends"),
      hardBounces: sql.placeholder("hardBounces"),
      complaints: sql.placeholder("complaints"),
    })
    .onConflictDoUpdate({
      target,
      set: {
        sends: sql`max(0, ${accountHealth.sends} + excluded.sends)`,
        hardBounces: sql`max(0, ${accountHealth.hardBounces} + excluded.hard_bounces)`,
        complaints: sql`max(0, ${accountHealth.complaints} + excluded.complaints)`,
      },
    })
    .prepare(),
);

/** Adds to what a day counts. Its score is set where the day has no row yet. */
export function countHealth(db: Db, add: HealthDay & Omit<DayTally, "date">): void {
  count(db).run({ ...add });
}

const put = prepared((db) =>
  db.orm
    .insert(accountHealth)
    .values({ ...day, sends: sql`0`, hardBounces: sql`0`, complaints: sql`0` })
    .onConflictDoUpdate({
      target,
      set: { score: sql`excluded.score`, points: sql`excluded.points` },
    })
    .prepare(),
);

/** Sets the score of a day. */
export function putHealthScore(db: Db, given: HealthDay): void {
  put(db).run({ ...given });
}

export function removeHealth(db: Db, accountId: Id): void {
  db.orm.delete(accountHealth).where(eq(accountHealth.accountId, accountId)).run();
  db.orm.delete(providerDays).where(eq(providerDays.accountId, accountId)).run();
}

const prune = prepared((db) =>
  db.orm
    .delete(accountHealth)
    .where(lt(accountHealth.date, sql.placeholder("date")))
    .prepare(),
);

const pruneProviders = prepared((db) =>
  db.orm
    .delete(providerDays)
    .where(lt(providerDays.date, sql.placeholder("date")))
    .prepare(),
);

/** Forgets days before `date`, whatever the account. */
export function pruneHealth(db: Db, date: string): void {
  prune(db).run({ date });
  pruneProviders(db).run({ date });
}

const due = prepared((db) =>
  db.orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNotNull(accounts.healthAt), lte(accounts.healthAt, sql.placeholder("now"))))
    .orderBy(asc(accounts.healthAt), asc(accounts.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Accounts whose score time may have changed. */
export function accountsToAssess(db: Db, now: UnixMs, limit: number): Id[] {
  return due(db)
    .all({ now, limit })
    .map(({ id }) => id);
}

export const nextHealthAt = earliest(accounts.healthAt);

const ofMessage = reader(negativeEvents, (db) =>
  db.orm
    .select()
    .from(negativeEvents)
    .where(equals(negativeEvents.messageId, "messageId"))
    .prepare(),
);

/** What harm an email did: none, or one of each kind at most. */
export function negativeEventsOf(db: Db, messageId: Id): NegativeEventRow[] {
  return ofMessage(db, { messageId });
}

export function insertNegativeEvent(db: Db, row: NegativeEventRow): void {
  db.orm.insert(negativeEvents).values(row).run();
}

export function removeNegativeEvent(db: Db, messageId: Id, kind: NegativeKind): void {
  db.orm
    .delete(negativeEvents)
    .where(and(eq(negativeEvents.messageId, messageId), eq(negativeEvents.kind, kind)))
    .run();
}

const RECOUNT = `select d.date as date, count(*) as sends,
    sum(d.hard) as hardBounces, sum(d.complaint) as complaints from (
      select coalesce(
          (select h.date from harms h where h.message_id = m.id limit 1),
          (select json_extract(r.value, '$.bucket') from json_each(m.reserved) r
            where json_extract(r.value, '$.kind') = 'account_day' limit 1)) as date,
        exists (select 1 from harms h where h.message_id = m.id and h.kind = 'hard_bounce') as hard,
        exists (select 1 from harms h where h.message_id = m.id and h.kind = 'complaint') as complaint
      from messages m where m.account_id = +?1 and m.kind in ('step', 'manual')
        and (m.status = 'sent' or exists (select 1 from harms h where h.message_id = m.id))) d
  where d.date >= +?2 group by d.date order by d.date`;

/** What {@link healthDays} should say, counted anew from the emails. Not for a request. */
export function recountHealth(db: Db, accountId: Id, from: string): DayTally[] {
  const query = db.raw.query<DayTally, [Uint8Array, string]>(RECOUNT);
  return query.all(idToBytes(accountId), from);
}

const MISCOUNTED = `with counted as (
    select m.campaign_id as campaign, m.claimed_at as at,
      exists (select 1 from harms h where h.message_id = m.id and h.kind = 'hard_bounce') as hard,
      exists (select 1 from harms h where h.message_id = m.id and h.kind = 'complaint') as complaint
    from messages m where m.team_id = ?1 and m.kind = 'step'
      and (m.status = 'sent' or exists (select 1 from harms h where h.message_id = m.id)))
  select count(*) as n from campaigns c where c.team_id = ?1 and c.started_at is not null and (
    c.guard_sends <> (select count(*) from counted m
      where m.campaign = c.id and m.at >= c.started_at)
    or c.guard_bounces <> (select coalesce(sum(m.hard), 0) from counted m
      where m.campaign = c.id and m.at >= c.started_at)
    or c.guard_complaints <> (select coalesce(sum(m.complaint), 0) from counted m
      where m.campaign = c.id and m.at >= c.started_at))`;

/** Campaigns whose guard counts something else than what they sent since their start. Not for a request. */
export function miscountedGuards(db: Db, teamId: Id): number {
  const query = db.raw.query<{ n: number }, [Uint8Array]>(MISCOUNTED);
  return query.get(idToBytes(teamId))?.n ?? Number.NaN;
}
