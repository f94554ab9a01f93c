/** Sessions: how somebody who has signed in is known again. Live environment only, for both environments. */

import { found, notFound } from "#domain/problem.ts";
import { scopesOf } from "#domain/team/role.ts";
import { DAY_MS, earlier, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { hashOfToken, newToken } from "#platform/secrets/tokens.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { MembershipRow, SessionRow, SignInLinkRow, UserRow } from "#store/tables/people.ts";
import type { TeamRow } from "#store/tables/teams.ts";
import { findMembership, findUser, teamsOf, updateUser } from "#store/team/people.ts";
import {
  findSessionByHash,
  findSignInLinkByHash,
  insertSession,
  insertSignInLink,
  listSessions,
  pruneSessions,
  removeSession,
  removeSignInLink,
  removeSignInLinks,
  updateSession,
} from "#store/team/sessions.ts";
import { findTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/record.ts";

/** Unused for so long a session ends. */
export const IDLE_MS_MAX = 7 * DAY_MS;
/** However busy, it ends after this. */
export const SESSION_MS_MAX = 30 * DAY_MS;
/** That it was used is written down at most this often. */
const TOUCH_EVERY_MS = 5 * MINUTE_MS;
/** Of one person; the one begun longest ago ends. */
const SESSIONS_MAX = 50;
const USER_AGENT_CHARS_MAX = 300;

/** Somebody signed in, as they are now: a role that has changed since counts at once. */
export interface Person {
  session: SessionRow;
  user: UserRow;
  team: TeamRow;
  membership: MembershipRow;
}

/**
 * Begins a session, which shows `teamId` or the team joined first. Its token is told this once. Throws
 * `not_found` for who belongs to no team.
 */
export function openSession(
  live: Environment,
  user: UserRow,
  userAgent: string,
  teamId?: Id,
): { token: string; person: Person } {
  const now = live.wall.now();
  pruneSessions(live.db, now);
  const theirs = teamsOf(live.db, user.id);
  const first = found(
    theirs.find(({ team }) => team.id === teamId) ?? theirs[0],
    "team for this account; ask an owner or admin to invite you",
  );
  const token = newToken(live.dice);
  const hash = hashOfToken(token) as Uint8Array;
  const session: SessionRow = {
    id: live.ids.next(now),
    userId: user.id,
    showsTeam: first.team.id,
    hash,
    userAgent: userAgent.slice(0, USER_AGENT_CHARS_MAX),
    createdAt: now,
    seenAt: now,
    expiresAt: endOf(now, now),
  };
  for (const old of listSessions(live.db, user.id).slice(SESSIONS_MAX - 1)) {
    removeSession(live.db, old.id);
  }
  insertSession(live.db, session);
  updateUser(live.db, { ...user, signedInAt: now });
  const person = { session, user, ...first };
  audit(live, callerOf(live, person), { action: "session.begin", target: `session:${session.id}` });
  return { token, person };
}

/** Whose token this is; undefined for one that is unknown, ended, or of somebody without a team. */
export function findPerson(live: Environment, token: string): Person | undefined {
  const hash = hashOfToken(token);
  const session = hash === null ? undefined : findSessionByHash(live.db, hash);
  if (session === undefined || session.expiresAt <= live.wall.now()) {
    return undefined;
  }
  const user = findUser(live.db, session.userId);
  const membership = findMembership(live.db, session.showsTeam, session.userId);
  const team = findTeam(live.db, session.showsTeam);
  if (user !== undefined && membership !== undefined && team !== undefined) {
    return { session, user, team, membership };
  }
  // No longer of the team on show, but perhaps of another.
  const [other] = user === undefined ? [] : teamsOf(live.db, user.id);
  return user === undefined || other === undefined ? undefined : { session, user, ...other };
}

/** Notes that a session is used, and so moves its end. */
export function touchSession(live: Environment, session: SessionRow): void {
  const now = live.wall.now();
  if (now - session.seenAt < TOUCH_EVERY_MS) {
    return;
  }
  live
    .commit(() => {
      const row = findSessionByHash(live.db, session.hash);
      if (row !== undefined) {
        updateSession(live.db, { ...row, seenAt: now, expiresAt: endOf(now, row.createdAt) });
      }
    })
    .catch((error: unknown) => {
      live.log.warn("session use not recorded", { cause: String(error) });
    });
}

function endOf(now: UnixMs, createdAt: UnixMs): UnixMs {
  return earlier(plus(now, IDLE_MS_MAX), plus(createdAt, SESSION_MS_MAX)) as UnixMs;
}

/** Somebody as the one who asks, in either environment. */
export function callerOf(live: Environment, { session, user, membership }: Person): Caller {
  return {
    teamId: membership.teamId,
    actor: `user:${user.id}`,
    scopes: scopesOf(membership.role, user.operator),
    role: membership.role,
    isStillAllowed: () => {
      const row = findSessionByHash(live.db, session.hash);
      const now = findMembership(live.db, membership.teamId, user.id);
      return row !== undefined && row.expiresAt > live.wall.now() && now?.role === membership.role;
    },
  };
}

/** Streams of events look again whether their readers may still read: after a session has ended, or a role. */
export function recheckStreams(environments: readonly Environment[], teamId: Id): void {
  for (const { feed } of environments) {
    feed.notify(teamId);
  }
}

/** Ends one of somebody's sessions, their own or another. Throws `not_found` for anybody else's. */
export function endSession(live: Environment, person: Person, id: Id): void {
  const { user } = person;
  if (!listSessions(live.db, user.id).some((row) => row.id === id)) {
    throw notFound("session");
  }
  removeSession(live.db, id);
  audit(live, callerOf(live, person), { action: "session.end", target: `session:${id}` });
}

/** Puts another of somebody's teams on show. Throws `not_found`. */
export function showTeam(live: Environment, person: Person, teamId: Id): Person {
  const there = found(
    teamsOf(live.db, person.user.id).find(({ team }) => team.id === teamId),
    "team",
  );
  const session = { ...person.session, showsTeam: teamId };
  updateSession(live.db, session);
  return { user: person.user, session, ...there };
}

/** How long a link that lets somebody in may lie about. */
export const LINK_MS_MAX = 30 * MINUTE_MS;

/** A word that lets `user` in once; null: that makes the first person, and takes the place of any before. */
export function createSignInLink(live: Environment, user: UserRow | null): string {
  const now = live.wall.now();
  if (user === null) {
    removeSignInLinks(live.db);
  }
  const token = newToken(live.dice);
  insertSignInLink(live.db, {
    id: live.ids.next(now),
    hash: hashOfToken(token) as Uint8Array,
    forUser: user?.id ?? null,
    expiresAt: plus(now, LINK_MS_MAX),
  });
  return token;
}

/** The link whose word this is, unless it has run out or been used. */
export function findSignInLink(live: Environment, token: string): SignInLinkRow | undefined {
  const hash = hashOfToken(token);
  const row = hash === null ? undefined : findSignInLinkByHash(live.db, hash);
  return row !== undefined && row.expiresAt > live.wall.now() ? row : undefined;
}

/** Lets in whom the link is for, and spends it. Throws `not_found`. */
export function enterByLink(
  live: Environment,
  token: string,
  userAgent: string,
): { token: string; person: Person } {
  const link = findSignInLink(live, token);
  const user = link?.forUser == null ? undefined : findUser(live.db, link.forUser);
  if (link === undefined || user === undefined) {
    throw notFound("link; it may have been used or have expired");
  }
  removeSignInLink(live.db, link.id);
  return openSession(live, user, userAgent);
}
