/** Who belongs to a team, and who is invited. A team always keeps an owner. */

import { conflict, found, notFound, Problem } from "#domain/problem.ts";
import { mayManage, type Role } from "#domain/team/role.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { isPassword } from "#platform/secrets/password.ts";
import { hashOfToken, newToken } from "#platform/secrets/tokens.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { InvitationRow, UserRow } from "#store/tables/people.ts";
import {
  countOwners,
  findMembership,
  findUser,
  findUserByEmail,
  type Member,
  removeMembership,
  updateMembership,
} from "#store/team/people.ts";
import {
  findInvitation,
  findInvitationByHash,
  insertInvitation,
  listInvitations,
  pruneSessions,
  removeInvitation,
  removeInvitationTo,
} from "#store/team/sessions.ts";
import { findTeam } from "#store/team/teams.ts";
import { audit } from "#usecases/events/record.ts";
import {
  insertPerson,
  joinTeam,
  newPasswordHash,
  readEmail,
  readName,
  recordRefusal,
} from "./users.ts";

/** How long an invitation may lie about. */
export const INVITATION_MS_MAX = 7 * DAY_MS;
/** That wait at once, of a team. */
export const INVITATIONS_MAX = 500;

/** Throws `not_found` for who does not belong to the caller's team. */
export function requireMember(env: Environment, caller: Caller, userId: Id): Member {
  const membership = findMembership(env.db, caller.teamId, userId);
  const user = membership === undefined ? undefined : findUser(env.db, userId);
  if (membership === undefined || user === undefined) {
    throw notFound("member");
  }
  return { user, membership };
}

/** Throws `permission_error` for a role out of the caller's reach, `conflict` for the last owner. */
export function changeRole(env: Environment, caller: Caller, userId: Id, role: Role): Member {
  const { user, membership } = requireMember(env, caller, userId);
  if (membership.role === role) {
    return { user, membership };
  }
  checkReach(caller, membership.role);
  checkReach(caller, role);
  checkNotLast(env, caller, membership.role);
  const changed = { ...membership, role };
  updateMembership(env.db, changed);
  audit(env, caller, {
    action: "member.patch",
    target: `user:${userId}`,
    before: { role: membership.role },
    after: { role },
  });
  return { user, membership: changed };
}

/** Takes somebody out of the team; the person stays, and what they did keeps their name. */
export function removeMember(env: Environment, caller: Caller, userId: Id): void {
  const { membership } = requireMember(env, caller, userId);
  checkReach(caller, membership.role);
  checkNotLast(env, caller, membership.role);
  removeMembership(env.db, membership.id);
  audit(env, caller, {
    action: "member.remove",
    target: `user:${userId}`,
    before: { role: membership.role },
  });
}

export interface Invited {
  invitation: InvitationRow;
  /** The word of the link, told this once. */
  token: string;
}

/**
 * Takes the place of an earlier invitation to the same address. Throws `validation_error` naming
 * `email`, `conflict` for who belongs to the team, `permission_error` as {@link changeRole}.
 */
export function invite(
  env: Environment,
  caller: Caller,
  given: { email: string; role: Role },
): Invited {
  const email = readEmail(given.email);
  checkReach(caller, given.role);
  const known = findUserByEmail(env.db, email);
  if (known !== undefined && findMembership(env.db, caller.teamId, known.id) !== undefined) {
    throw conflict(`${email} is already in the team`, "email");
  }
  const now = env.wall.now();
  pruneSessions(env.db, now);
  const replaced = removeInvitationTo(env.db, caller.teamId, email);
  if (replaced !== undefined) {
    checkReach(caller, replaced.role);
  }
  if (listInvitations(env.db, caller.teamId, { limit: 1, offset: 0 }).total >= INVITATIONS_MAX) {
    throw conflict(
      `at most ${INVITATIONS_MAX} pending invitations are allowed; withdraw one first`,
    );
  }
  const token = newToken(env.dice);
  const invitation: InvitationRow = {
    id: env.ids.next(now),
    teamId: caller.teamId,
    email,
    role: given.role,
    hash: hashOfToken(token) as Uint8Array,
    invitedBy: caller.actor,
    createdAt: now,
    expiresAt: plus(now, INVITATION_MS_MAX),
  };
  insertInvitation(env.db, invitation);
  audit(env, caller, {
    action: "invitation.create",
    target: `invitation:${invitation.id}`,
    after: { email, role: given.role },
  });
  return { invitation, token };
}

/** Throws `not_found`, or `permission_error` as {@link changeRole}. */
export function withdraw(env: Environment, caller: Caller, id: Id): void {
  const row = found(findInvitation(env.db, caller.teamId, id), "invitation");
  checkReach(caller, row.role);
  removeInvitation(env.db, id);
  audit(env, caller, {
    action: "invitation.withdraw",
    target: `invitation:${id}`,
    before: { email: row.email, role: row.role },
  });
}

/** The invitation whose word this is. Throws `not_found`. */
export function findOffer(live: Environment, token: string) {
  const hash = hashOfToken(token);
  const row = hash === null ? undefined : findInvitationByHash(live.db, hash);
  const team = row === undefined ? undefined : findTeam(live.db, row.teamId);
  if (row === undefined || team === undefined || row.expiresAt <= live.wall.now()) {
    throw notFound("invitation; it may have been used or withdrawn, or have expired");
  }
  return { invitation: row, team, user: findUserByEmail(live.db, row.email) };
}

/**
 * Takes an invitation up: who has an account here says its password, anybody else chooses name and
 * password. Throws `not_found`, `authentication_error`, `plan_limit`, or `validation_error` naming the field.
 */
export async function acceptInvitation(
  live: Environment,
  token: string,
  given: { name: string; password: string },
): Promise<UserRow> {
  const { invitation, user } = findOffer(live, token);
  const { email } = invitation;
  if (user !== undefined) {
    if (!(await isPassword(given.password, user.passwordHash))) {
      recordRefusal(live, "invitation", user.id);
      throw new Problem("authentication_error", "wrong password for your existing account");
    }
    return await live.commit(() => join(live, token, () => user));
  }
  const name = readName(given.name);
  const passwordHash = await newPasswordHash(given.password, [email, name]);
  return await live.commit(() =>
    join(live, token, () => {
      if (findUserByEmail(live.db, email) !== undefined) {
        throw conflict("this address now has an account; open the link again to sign in");
      }
      return insertPerson(live, { email, name, passwordHash }, false);
    }),
  );
}

/** Spends the invitation, which may have been spent meanwhile. */
function join(live: Environment, token: string, person: () => UserRow): UserRow {
  const { invitation } = findOffer(live, token);
  const user = person();
  removeInvitation(live.db, invitation.id);
  const caller: Caller = { teamId: invitation.teamId, actor: `user:${user.id}`, scopes: [] };
  joinTeam(live, caller, user, invitation);
  return user;
}

/** A key reaches as far as an admin does; the command line, everywhere. */
function checkReach(caller: Caller, role: Role): void {
  const own = caller.actor === "operator" ? null : (caller.role ?? "admin");
  if (!mayManage(own, role)) {
    throw new Problem("permission_error", "only an owner can add, change, or remove an owner");
  }
}

function checkNotLast(env: Environment, caller: Caller, role: Role): void {
  if (role === "owner" && countOwners(env.db, caller.teamId) === 1) {
    throw conflict("this is the team's last owner; make someone else an owner first");
  }
}
