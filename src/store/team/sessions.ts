/** Sessions, and the links and invitations that begin one: all found by the hash of what is shown. */

import { and, asc, count, desc, eq, gt, lte, ne } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { inserter, remover, teamFinder, uniqueFinder, updater } from "#store/sqlite/rows.ts";
import {
  type InvitationRow,
  invitations,
  type SessionRow,
  sessions,
  signInLinks,
} from "#store/tables/people.ts";

export const insertSession = inserter(sessions);
export const updateSession = updater(sessions);
export const removeSession = remover(sessions);
export const findSessionByHash = uniqueFinder(sessions, "hash");

export const insertInvitation = inserter(invitations);
export const removeInvitation = remover(invitations);
export const findInvitation = teamFinder(invitations);
export const findInvitationByHash = uniqueFinder(invitations, "hash");

export const insertSignInLink = inserter(signInLinks);
export const removeSignInLink = remover(signInLinks);
export const findSignInLinkByHash = uniqueFinder(signInLinks, "hash");

/** Somebody's, the newest first. */
export function listSessions(db: Db, userId: Id): SessionRow[] {
  return db.orm
    .select()
    .from(sessions)
    .where(eq(sessions.userId, userId))
    .orderBy(desc(sessions.id))
    .all();
}

/** Ends all of somebody's sessions but `except`; returns how many. */
export function removeSessionsOf(db: Db, userId: Id, except: Id | null = null): number {
  const theirs = eq(sessions.userId, userId);
  return db.orm
    .delete(sessions)
    .where(except === null ? theirs : and(theirs, ne(sessions.id, except)))
    .returning({ id: sessions.id })
    .all().length;
}

/** Forgets what has run out. */
export function pruneSessions(db: Db, now: UnixMs): void {
  db.orm.delete(sessions).where(lte(sessions.expiresAt, now)).run();
  db.orm.delete(signInLinks).where(lte(signInLinks.expiresAt, now)).run();
  db.orm.delete(invitations).where(lte(invitations.expiresAt, now)).run();
}

/** Every link that would make the first person. */
export function removeSignInLinks(db: Db): void {
  db.orm.delete(signInLinks).run();
}

/** Returns the invitation that there was. */
export function removeInvitationTo(db: Db, teamId: Id, email: string): InvitationRow | undefined {
  return db.orm
    .delete(invitations)
    .where(and(eq(invitations.teamId, teamId), eq(invitations.email, email)))
    .returning()
    .get();
}

/** All that wait for an address, of whichever team, the oldest first. */
export function invitationsTo(db: Db, email: string, now: UnixMs): InvitationRow[] {
  return db.orm
    .select()
    .from(invitations)
    .where(and(eq(invitations.email, email), gt(invitations.expiresAt, now)))
    .orderBy(asc(invitations.id))
    .all();
}

/** Of a team, the oldest first. */
export function listInvitations(
  db: Db,
  teamId: Id,
  page: { limit: number; offset: number },
): { rows: InvitationRow[]; total: number } {
  const mine = eq(invitations.teamId, teamId);
  const rows = db.orm
    .select()
    .from(invitations)
    .where(mine)
    .orderBy(asc(invitations.id))
    .limit(page.limit)
    .offset(page.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(invitations).where(mine).get()?.n ?? 0;
  return { rows, total };
}
