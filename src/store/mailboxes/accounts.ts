/** Sending accounts: rows, and what the workers look for. */

import { and, asc, count, eq, gt, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import { DAY_MS, HOUR_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { dueRows, earliest, idsIn, isNoneOf } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type AccountRow, accounts } from "#store/tables/accounts.ts";

export const insertAccount = inserter(accounts);
/** Writes the whole row: read it in the same transaction. */
export const updateAccount = updater(accounts);
export const findAccount = teamFinder(accounts);
export const accountById = finder(accounts);

const known = prepared((db) =>
  db.orm.select({ one: sql<1>`1` }).from(accounts).where(equals(accounts.id, "id")).prepare(),
);

/** False once an account has been deleted. */
export function hasAccount(db: Db, id: Id): boolean {
  return known(db).get({ id }) !== undefined;
}

const ofTeam = reader(accounts, (db) =>
  db.orm
    .select()
    .from(accounts)
    .where(equals(accounts.teamId, "teamId"))
    .orderBy(asc(accounts.id))
    .prepare(),
);

/** All accounts of a team, oldest first. */
export function accountsOf(db: Db, teamId: Id): AccountRow[] {
  return ofTeam(db, { teamId });
}

/** Of all teams, oldest first. */
export function listAllAccounts(db: Db): AccountRow[] {
  return db.orm.select().from(accounts).orderBy(asc(accounts.id)).all();
}

const byEmail = reader(accounts, (db) =>
  db.orm
    .select()
    .from(accounts)
    .where(and(equals(accounts.teamId, "teamId"), eq(accounts.email, sql.placeholder("email"))))
    .prepare(),
);

const OF_ALIAS = sql`${accounts.id} = (
  select account_id from account_aliases
  where team_id = ${placeholder(accounts.teamId, "teamId")} and email = ${sql.placeholder("email")})`;
const byAlias = reader(accounts, (db) => db.orm.select().from(accounts).where(OF_ALIAS).prepare());

/** The team's account whose own address or alias this is, in its stored form. */
export function accountByEmail(db: Db, teamId: Id, email: string): AccountRow | undefined {
  return byEmail(db, { teamId, email })[0] ?? byAlias(db, { teamId, email })[0];
}

export function countAccounts(db: Db, teamId: Id): number {
  const mine = eq(accounts.teamId, teamId);
  return db.orm.select({ n: count() }).from(accounts).where(mine).get()?.n ?? 0;
}

const wakeTeam = prepared((db) =>
  db.orm
    .update(accounts)
    .set({ wakeAt: sql`0` })
    .where(and(equals(accounts.teamId, "teamId"), eq(accounts.status, "active")))
    .prepare(),
);

/** Something changed that may bring work forward: the send worker looks at the team's accounts anew. */
export function wakeAccounts(db: Db, teamId: Id): void {
  wakeTeam(db).run({ teamId });
}

const wakeTeamBy = prepared((db) =>
  db.orm
    .update(accounts)
    .set({ wakeAt: placeholder(accounts.wakeAt, "at") })
    .where(
      and(
        equals(accounts.teamId, "teamId"),
        eq(accounts.status, "active"),
        sql`(${accounts.wakeAt} is null or ${accounts.wakeAt} > ${sql.placeholder("at")})`,
      ),
    )
    .prepare(),
);

const wakeLimited = prepared((db) =>
  db.raw.prepare<null, [number]>(
    "update accounts set wake_at = ?1 where wake_at > ?1 and provider_limits <> '{}'",
  ),
);

const wakeMatched = prepared((db) =>
  db.raw.prepare<null, [number]>(
    `update accounts set wake_at = ?1 where wake_at > ?1 and team_id in (
       select team_id from campaigns where provider_matching = 'only' and status = 'active')`,
  ),
);

/**
 * Accounts that would look again later do so at `at` where whom they write to depends on the recipient's provider: by
 * limits of theirs, or because leads of their team wait for a mailbox at it.
 */
export function wakeForProvidersBy(db: Db, at: UnixMs): void {
  wakeLimited(db).run(at);
  wakeMatched(db).run(at);
}

/** The team's accounts that would look again later do so at `at`. */
export function wakeAccountsBy(db: Db, teamId: Id, at: UnixMs): void {
  wakeTeamBy(db).run({ teamId, at });
}

const pullBack = prepared((db) => {
  const [now, hour, day] = [
    sql.placeholder("now"),
    sql.placeholder("hour"),
    sql.placeholder("day"),
  ];
  const { lastClaimAt, pollAt, probeAt, backoffUntil } = accounts;
  return db.orm
    .update(accounts)
    .set({
      lastClaimAt: sql`min(${lastClaimAt}, ${now})`,
      pollAt: sql`iif(${pollAt} > ${hour}, ${now}, ${pollAt})`,
      probeAt: sql`iif(${probeAt} > ${hour}, ${now}, ${probeAt})`,
      backoffUntil: sql`iif(${backoffUntil} > ${day}, ${now}, ${backoffUntil})`,
    })
    .where(
      sql`${lastClaimAt} > ${now} or ${pollAt} > ${hour} or ${probeAt} > ${hour} or ${backoffUntil} > ${day}`,
    )
    .prepare();
});

/**
 * No account has sent later than `now`, and none waits longer than it ever would: an hour to be read or
 * probed, a day for its provider.
 */
export function pullBackAccounts(db: Db, now: UnixMs): void {
  pullBack(db).run({ now, hour: plus(now, HOUR_MS), day: plus(now, DAY_MS) });
}

const withSecrets = reader(accounts, (db) =>
  db.orm.select().from(accounts).where(isNotNull(accounts.secrets)).prepare(),
);

/** Accounts of all teams that hold a password or a token. */
export function accountsWithSecrets(db: Db): AccountRow[] {
  return withSecrets(db, {});
}

/** Servers and teams whose mailboxes are passed over for now. */
export interface Passed {
  hosts: readonly string[];
  teams: readonly Id[];
}

const NONE_PASSED: Passed = { hosts: [], teams: [] };
const isNone = ({ hosts, teams }: Passed) => hosts.length + teams.length === 0;
const passedBy = (passed: Passed) =>
  isNone(passed)
    ? {}
    : {
        hosts: JSON.stringify(passed.hosts),
        teams: idsIn(passed.teams),
      };

const SMTP_HOST = sql<string>`lower(coalesce(json_extract(${accounts.smtp}, '$.host'), ${accounts.provider}))`;
const IMAP_HOST = sql<string>`lower(coalesce(json_extract(${accounts.imap}, '$.host'), ${accounts.provider}))`;

type Left = (host: typeof SMTP_HOST) => SQL | undefined;

const isLeft: Left = (host) =>
  sql`${host} not in (select value from json_each(${sql.placeholder("hosts")}))
    and ${isNoneOf(accounts.teamId, "teams")}`;

/** A statement for where some are passed over, and one that asks for less where none is, as is usual. */
function withPassed<Statement>(make: (left: Left) => Statement): (passed: Passed) => Statement {
  const [some, all] = [make(isLeft), make(() => undefined)];
  return (passed) => (isNone(passed) ? all : some);
}

/** A mailbox that waits for a worker, and who answers for it. */
export interface WaitingMailbox {
  id: Id;
  at: UnixMs;
  teamId: Id;
  /** Of its server; the provider's name where it has none of its own. */
  host: string;
}

function waitingFor(at: typeof accounts.wakeAt | typeof accounts.pollAt, host: typeof SMTP_HOST) {
  const statement = withPassed((left) =>
    prepared((db) =>
      db.orm
        .select({ id: accounts.id, at, teamId: accounts.teamId, host })
        .from(accounts)
        .where(and(isNotNull(at), lte(at, sql.placeholder("now")), left(host)))
        .orderBy(asc(at), asc(accounts.id))
        .limit(sql.placeholder("limit"))
        .prepare(),
    ),
  );
  return (db: Db, range: { now: UnixMs; limit: number }, passed: Passed) =>
    statement(passed)(db).all({ ...range, ...passedBy(passed) }) as WaitingMailbox[];
}

const waking = waitingFor(accounts.wakeAt, SMTP_HOST);

/** Accounts that the send worker should look at, in the order in which they are served. */
export function accountsToWake(
  db: Db,
  now: UnixMs,
  limit: number,
  passed: Passed = NONE_PASSED,
): WaitingMailbox[] {
  return waking(db, { now, limit }, passed);
}

const firstWake = earliest(accounts.wakeAt);

/** When the send worker has to look again. */
export function nextWakeAt(db: Db, passed: Passed = NONE_PASSED): UnixMs | undefined {
  return isNone(passed)
    ? firstWake(db)
    : accountsToWake(db, unixMs(Number.MAX_SAFE_INTEGER), 1, passed)[0]?.at;
}

const polls = waitingFor(accounts.pollAt, IMAP_HOST);

/** The mailboxes that are to be read, those that have waited longest first. */
export function accountsToPoll(
  db: Db,
  now: UnixMs,
  limit: number,
  passed: Passed = NONE_PASSED,
): readonly WaitingMailbox[] {
  return polls(db, { now, limit }, passed);
}

const laterPoll = withPassed((left) =>
  prepared((db) =>
    db.orm
      .select({ at: accounts.pollAt })
      .from(accounts)
      .where(
        and(
          isNotNull(accounts.pollAt),
          gt(accounts.pollAt, sql.placeholder("now")),
          left(IMAP_HOST),
        ),
      )
      .orderBy(asc(accounts.pollAt))
      .limit(1)
      .prepare(),
  ),
);

/** When the next mailbox is to be read after `now`. */
export function nextPollAt(db: Db, now: UnixMs, passed: Passed = NONE_PASSED): UnixMs | undefined {
  return laterPoll(passed)(db).get({ now, ...passedBy(passed) })?.at ?? undefined;
}

/** The mailbox is read at `at`, unless it is to be read before, or not at all. */
export function schedulePollSooner(db: Db, id: Id, at: UnixMs): void {
  const row = accountById(db, id);
  if (row !== undefined && row.pollAt !== null && row.pollAt > at) {
    updateAccount(db, { ...row, pollAt: at });
  }
}

/**
 * The mailbox is read at the first of its turns from `at` on, one every `everyMs` milliseconds; unless it is
 * to be read before, or not at all, or waits because it could not be read.
 */
export function scheduleTurnSooner(db: Db, id: Id, at: UnixMs, everyMs: number): void {
  const row = accountById(db, id);
  if (row !== undefined && row.pollErrors === 0 && row.pollAt !== null && row.pollAt > at) {
    updateAccount(db, { ...row, pollAt: plus(at, (row.pollAt - at) % everyMs) });
  }
}

const watchable = prepared((db) =>
  db.orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNotNull(accounts.pollAt), isNotNull(accounts.imap), eq(accounts.pollErrors, 0)))
    .orderBy(sql`${accounts.lastClaimAt} desc nulls last`, asc(accounts.id))
    .prepare(),
);

/** Accounts whose mailbox is read and lets us in, those that sent last first. */
export function watchableAccounts(db: Db): Id[] {
  return watchable(db)
    .all()
    .map(({ id }) => id);
}

const unconfirmed = reader(accounts, (db) =>
  db.orm
    .select()
    .from(accounts)
    .where(isNotNull(accounts.unconfirmed))
    .orderBy(asc(accounts.id))
    .prepare(),
);

/** Accounts of all teams of which it is not known yet what they sent. */
export function unconfirmedAccounts(db: Db): AccountRow[] {
  return unconfirmed(db, {});
}

const unconfirmedTeam = reader(accounts, (db) =>
  db.orm
    .select()
    .from(accounts)
    .where(and(equals(accounts.teamId, "teamId"), isNotNull(accounts.unconfirmed)))
    .prepare(),
);

/** The same of one team. */
export function unconfirmedOf(db: Db, teamId: Id): AccountRow[] {
  return unconfirmedTeam(db, { teamId });
}

/** Accounts in `error` that are to be tried again. */
export const accountsToProbe = dueRows(accounts, accounts.probeAt);

export const nextProbeAt = earliest(accounts.probeAt);

/** Accounts of whose key it is to be seen whether it is published. */
export const accountsToSign = dueRows(accounts, accounts.dkimDueAt);

export const nextDkimAt = earliest(accounts.dkimDueAt);

const keyOfDomain = prepared((db) =>
  db.orm
    .select({ publicKey: sql<string>`${accounts.dkim} ->> 'publicKey'` })
    .from(accounts)
    .where(
      and(
        sql`${accounts.dkim} ->> 'domain' = ${sql.placeholder("domain")}`,
        sql`${accounts.dkim} ->> 'selector' = ${sql.placeholder("selector")}`,
      ),
    )
    .limit(1)
    .prepare(),
);

/** The public key that any team's account of `domain` signs with under `selector`. */
export function dkimOfDomain(db: Db, domain: string, selector: string): string | undefined {
  return keyOfDomain(db).get({ domain, selector })?.publicKey;
}
