/** People: the first one, others from the command line, and their passwords. Live environment only. */

import { parseAddress } from "#domain/email-address.ts";
import { conflict, found, invalid, Problem } from "#domain/problem.ts";
import type { Role } from "#domain/team/role.ts";
import type { Caller, Environment } from "#environment.ts";
import { hashPassword, isGuessable, isPassword } from "#platform/secrets/password.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { UserRow } from "#store/tables/people.ts";
import type { TeamRow } from "#store/tables/teams.ts";
import {
  findMembership,
  findUser,
  findUserByEmail,
  hasUsers,
  insertMembership,
  insertUser,
  updateUser,
} from "#store/team/people.ts";
import { removeSessionsOf, removeSignInLinks } from "#store/team/sessions.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit } from "#usecases/events/record.ts";
import { firstTeam } from "./teams.ts";

export const USER_NAME_MAX = 100;
export const PASSWORD_CHARS_MIN = 10;
export const PASSWORD_CHARS_MAX = 256;

/** Who somebody is, checked and with the password already hashed. */
export interface NewPerson {
  email: string;
  name: string;
  passwordHash: string | null;
}

/** Throws `validation_error` naming `email`, `name` or `password`. */
export async function readPerson(given: {
  email: string;
  name: string;
  password: string;
}): Promise<NewPerson> {
  const email = readEmail(given.email);
  const name = readName(given.name);
  return { email, name, passwordHash: await newPasswordHash(given.password, [email, name]) };
}

/** Throws `validation_error` naming `email`. */
export function readEmail(text: string): string {
  const email = parseAddress(text);
  if (email === null) {
    throw invalid("email", "must be an email address such as ann@example.com");
  }
  return email.address;
}

/** Throws `validation_error` naming `name`. */
export function readName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > USER_NAME_MAX || /[\p{Cc}\p{Zl}\p{Zp}]/u.test(name)) {
    throw invalid("name", `must be 1 to ${USER_NAME_MAX} characters on one line`);
  }
  return name;
}

/**
 * The hash of a password that somebody chooses: long enough, and hard to guess also for who knows the
 * texts in `known`. Throws `validation_error` naming `field`.
 */
export async function newPasswordHash(
  password: string,
  known: readonly string[],
  field = "password",
): Promise<string> {
  if (password.length < PASSWORD_CHARS_MIN || password.length > PASSWORD_CHARS_MAX) {
    throw invalid(field, `must be ${PASSWORD_CHARS_MIN} to ${PASSWORD_CHARS_MAX} characters`);
  }
  if (await isGuessable(password, [...known, "outrider"])) {
    throw invalid(field, "is too easy to guess; use a longer or less common one");
  }
  return await hashPassword(password);
}

export interface Joined {
  user: UserRow;
  team: TeamRow;
}

/**
 * Whoever comes first owns the oldest team and operates the installation. Throws `conflict` once there
 * is somebody.
 */
export function createFirstUser(live: Environment, person: NewPerson): Joined {
  if (hasUsers(live.db)) {
    throw conflict("the first account already exists; sign in instead");
  }
  removeSignInLinks(live.db);
  const team = firstTeam(live);
  const user = insertPerson(live, person, true);
  const caller: Caller = { teamId: team.id, actor: `user:${user.id}`, scopes: [] };
  joinTeam(live, caller, user, { teamId: team.id, role: "owner" });
  return { user, team };
}

/** From the command line. Throws `conflict` for an address that is known. */
export function createUser(
  live: Environment,
  person: NewPerson,
  as: { teamId: Id; role: Role; operator: boolean },
): UserRow {
  if (findUserByEmail(live.db, person.email) !== undefined) {
    throw conflict(`${person.email} already has an account`, "email");
  }
  removeSignInLinks(live.db);
  const user = insertPerson(live, person, as.operator);
  joinTeam(live, { teamId: as.teamId, actor: "operator", scopes: ["admin"] }, user, as);
  return user;
}

export function insertPerson(live: Environment, person: NewPerson, operator: boolean): UserRow {
  const now = live.wall.now();
  const user: UserRow = {
    ...person,
    id: live.ids.next(now),
    operator,
    createdAt: now,
    updatedAt: now,
    signedInAt: null,
  };
  insertUser(live.db, user);
  return user;
}

/** Throws `conflict` for who is already in the team, `plan_limit` where it has no room. */
export function joinTeam(
  live: Environment,
  caller: Caller,
  user: UserRow,
  { teamId, role }: { teamId: Id; role: Role },
): void {
  if (findMembership(live.db, teamId, user.id) !== undefined) {
    throw conflict(`${user.email} is already in the team`);
  }
  ensureCapacity(live, teamId, "members");
  const now = live.wall.now();
  insertMembership(live.db, {
    id: live.ids.next(now),
    teamId,
    userId: user.id,
    role,
    createdAt: now,
  });
  audit(live, caller, { action: "member.join", target: `user:${user.id}`, after: { role } });
}

/**
 * Whose address and password these are. Throws `authentication_error`, with the same words and after the
 * same time for an address that nobody has.
 */
export async function identify(
  live: Environment,
  email: string,
  password: string,
): Promise<UserRow> {
  const address = parseAddress(email)?.address;
  const user = address === undefined ? undefined : findUserByEmail(live.db, address);
  const tried = password.slice(0, PASSWORD_CHARS_MAX + 1);
  if (!(await isPassword(tried, user?.passwordHash ?? null)) || user === undefined) {
    recordRefusal(live, "password", user?.id);
    throw new Problem("authentication_error", "wrong email or password");
  }
  return user;
}

/** By the id of whose account it is: what was typed as an address may be a password, and is in no log. */
export function recordRefusal(live: Environment, way: string, userId: Id | undefined): void {
  live.log.warn("a sign-in was refused", { way, user: userId ?? null });
}

/** Changes somebody's own password and ends their other sessions. */
export async function changePassword(
  live: Environment,
  caller: Caller,
  who: { userId: Id; sessionId: Id },
  given: { current: string; password: string },
): Promise<void> {
  const before = found(findUser(live.db, who.userId), "user");
  if (before.passwordHash !== null && !(await isPassword(given.current, before.passwordHash))) {
    throw invalid("current_password", "is wrong");
  }
  const passwordHash = await newPasswordHash(given.password, [before.email, before.name]);
  await live.commit(() => storePassword(live, caller, who, passwordHash));
}

/** Sets a hash made before, and ends every session but `sessionId`. */
export function storePassword(
  live: Environment,
  caller: Caller,
  { userId, sessionId }: { userId: Id; sessionId: Id | null },
  passwordHash: string,
): void {
  const user = found(findUser(live.db, userId), "user");
  updateUser(live.db, { ...user, passwordHash, updatedAt: live.wall.now() });
  const ended = removeSessionsOf(live.db, userId, sessionId);
  audit(live, caller, {
    action: "user.password",
    target: `user:${userId}`,
    after: { sessions_ended: ended },
  });
}
