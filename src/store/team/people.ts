/** People and the teams that they belong to. */

import { and, asc, count, eq } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { finder, inserter, reader, remover, uniqueFinder, updater } from "#store/sqlite/rows.ts";
import {
  type IdentityRow,
  identities,
  type MembershipRow,
  memberships,
  type PasskeyRow,
  passkeys,
  type UserRow,
  users,
} from "#store/tables/people.ts";
import { type TeamRow, teams } from "#store/tables/teams.ts";

export const insertUser = inserter(users);
export const updateUser = updater(users);
export const findUser = finder(users);
export const findUserByEmail = uniqueFinder(users, "email");

export const findMembershipById = finder(memberships);
export const insertMembership = inserter(memberships);
export const updateMembership = updater(memberships);
export const removeMembership = remover(memberships);

export const insertIdentity = inserter(identities);
export const removeIdentity = remover(identities);

export const insertPasskey = inserter(passkeys);
export const updatePasskey = updater(passkeys);
export const removePasskeyRow = remover(passkeys);
export const findPasskey = uniqueFinder(passkeys, "credentialId");

/** Whether there is anybody who can sign in. */
export function hasUsers(db: Db): boolean {
  return db.orm.select({ id: users.id }).from(users).limit(1).get() !== undefined;
}

/** The installation's operators, the oldest first. */
export function listOperators(db: Db): UserRow[] {
  return db.orm.select().from(users).where(eq(users.operator, true)).orderBy(asc(users.id)).all();
}

const membership = reader(memberships, (db) =>
  db.orm
    .select()
    .from(memberships)
    .where(and(equals(memberships.teamId, "teamId"), equals(memberships.userId, "userId")))
    .prepare(),
);

export function findMembership(db: Db, teamId: Id, userId: Id): MembershipRow | undefined {
  return membership(db, { teamId, userId })[0];
}

export interface Member {
  user: UserRow;
  membership: MembershipRow;
}

/** Of a team, the oldest membership first. */
export function listMembers(
  db: Db,
  teamId: Id,
  page: { limit: number; offset: number },
): { rows: Member[]; total: number } {
  const mine = eq(memberships.teamId, teamId);
  const rows = db.orm
    .select({ user: users, membership: memberships })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(mine)
    .orderBy(asc(memberships.id))
    .limit(page.limit)
    .offset(page.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(memberships).where(mine).get()?.n ?? 0;
  return { rows, total };
}

export function countOwners(db: Db, teamId: Id): number {
  const owners = and(eq(memberships.teamId, teamId), eq(memberships.role, "owner"));
  return db.orm.select({ n: count() }).from(memberships).where(owners).get()?.n ?? 0;
}

/** Teams that somebody belongs to, the one joined first at the head. */
export function teamsOf(db: Db, userId: Id): { team: TeamRow; membership: MembershipRow }[] {
  return db.orm
    .select({ team: teams, membership: memberships })
    .from(memberships)
    .innerJoin(teams, eq(teams.id, memberships.teamId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(memberships.id))
    .all();
}

/** Who is `subject` to the provider at `issuer`. */
export function findIdentity(db: Db, issuer: string, subject: string): Id | undefined {
  return db.orm
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
    .get()?.userId;
}

/** How somebody is known to providers. */
export function identitiesOf(db: Db, userId: Id): IdentityRow[] {
  return db.orm.select().from(identities).where(eq(identities.userId, userId)).all();
}

/** Somebody's, the oldest first. */
export function passkeysOf(db: Db, userId: Id): PasskeyRow[] {
  return db.orm
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.id))
    .all();
}
