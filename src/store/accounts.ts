/** Sending accounts: rows, and what the lanes look for. */

import { and, asc, count, eq, isNotNull, lte, sql } from "drizzle-orm";
import { plus, type UnixMs } from "#domain/time.ts";
import { equals, type Id, placeholder } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { earliest } from "./earliest.ts";
import { finder, inserter, reader, remover, teamFinder, updater } from "./rows.ts";
import { type AccountRow, accounts } from "./tables/accounts.ts";

export const insertAccount = inserter(accounts);
/** Writes the whole row: read it in the same transaction. */
export const updateAccount = updater(accounts);
export const removeAccount = remover(accounts);
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

/** The team's account with this address, in its stored form. */
export function accountByEmail(db: Db, teamId: Id, email: string): AccountRow | undefined {
  return byEmail(db, { teamId, email })[0];
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

/** Something changed that may bring work forward: the send lane looks at the team's accounts anew. */
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

/** The team's accounts that would look again later do so at `at`. */
export function wakeAccountsBy(db: Db, teamId: Id, at: UnixMs): void {
  wakeTeamBy(db).run({ teamId, at });
}

const withSecrets = reader(accounts, (db) =>
  db.orm.select().from(accounts).where(isNotNull(accounts.secrets)).prepare(),
);

/** Accounts of all teams that hold a password or a token. */
export function accountsWithSecrets(db: Db): AccountRow[] {
  return withSecrets(db, {});
}

const due = prepared((db) =>
  db.orm
    .select({ id: accounts.id })
    .from(accounts)
    .where(and(isNotNull(accounts.wakeAt), lte(accounts.wakeAt, sql.placeholder("now"))))
    .orderBy(asc(accounts.wakeAt), asc(accounts.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Accounts that the send lane should look at, in the order in which they are served. */
export function accountsToWake(db: Db, now: UnixMs, limit: number): { id: Id }[] {
  return due(db).all({ now, limit });
}

/** When the send lane has to look again. */
export const nextWakeAt = earliest(accounts.wakeAt);

const polls = prepared((db) =>
  db.orm
    .select({ id: accounts.id, at: accounts.pollAt })
    .from(accounts)
    .where(isNotNull(accounts.pollAt))
    .orderBy(asc(accounts.pollAt), asc(accounts.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** The mailboxes that are read next, and when. */
export function nextPolls(db: Db, limit: number): readonly { id: Id; at: UnixMs }[] {
  return db.raw.kept.first("accounts", ["pollAt"], `next ${limit}`, () =>
    polls(db)
      .all({ limit })
      .flatMap(({ id, at }) => (at === null ? [] : [{ id, at }])),
  );
}

/** The mailbox is read at `at`, unless it is to be read before, or not at all. */
export function bringPollForward(db: Db, id: Id, at: UnixMs): void {
  const row = accountById(db, id);
  if (row !== undefined && row.pollAt !== null && row.pollAt > at) {
    updateAccount(db, { ...row, pollAt: at });
  }
}

/**
 * The mailbox is read at the first of its turns from `at` on, one every `everyMs` milliseconds; unless it is
 * to be read before, or not at all, or waits because it could not be read.
 */
export function bringTurnForward(db: Db, id: Id, at: UnixMs, everyMs: number): void {
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

const dueProbes = prepared((db) =>
  db.orm
    .select()
    .from(accounts)
    .where(and(isNotNull(accounts.probeAt), lte(accounts.probeAt, sql.placeholder("now"))))
    .orderBy(asc(accounts.probeAt))
    .prepare(),
);

/** Accounts in `error` that are to be tried again. */
export function accountsToProbe(db: Db, now: UnixMs): AccountRow[] {
  return dueProbes(db).all({ now });
}

export const nextProbeAt = earliest(accounts.probeAt);

const dueDkim = prepared((db) =>
  db.orm
    .select()
    .from(accounts)
    .where(and(isNotNull(accounts.dkimDueAt), lte(accounts.dkimDueAt, sql.placeholder("now"))))
    .orderBy(asc(accounts.dkimDueAt), asc(accounts.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Accounts of whose key it is to be seen whether it is published. */
export function accountsToSign(db: Db, now: UnixMs, limit: number): AccountRow[] {
  return dueDkim(db).all({ now, limit });
}

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
