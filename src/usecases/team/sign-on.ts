/**
 * Who comes in by single sign-on: somebody whom the provider has named before, who has an account under
 * the address that it vouches for, or who is invited to it. Nobody else: the provider says who somebody
 * is, and the team who belongs to it. Live environment only.
 */

import { parseAddress } from "#domain/email-address.ts";
import type { Snapshot } from "#domain/events/audit.ts";
import { conflict, Problem } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import type { Claims } from "#platform/ports/sign-on.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { IdentityRow, InvitationRow, UserRow } from "#store/tables/people.ts";
import {
  findIdentity,
  findUser,
  findUserByEmail,
  identitiesOf,
  insertIdentity,
  passkeysOf,
  removeIdentity,
  teamsOf,
} from "#store/team/people.ts";
import { invitationsTo, removeInvitation } from "#store/team/sessions.ts";
import { audit } from "#usecases/events/record.ts";
import { findOffer } from "./members.ts";
import { insertPerson, joinTeam, USER_NAME_MAX } from "./users.ts";

/** Somebody to let in, and the team that they have just joined. */
export interface Admission {
  user: UserRow;
  teamId: Id | undefined;
}

/**
 * Lets somebody in. `invitation` is the word of the link that they came by, null for none. Throws
 * `permission_error` for who is nobody here, `not_found` for an invitation that has run out. Inside a
 * transaction.
 */
export function signOn(live: Environment, claims: Claims, invitation: string | null): Admission {
  const offer = invitation === null ? undefined : findOffer(live, invitation).invitation;
  const known = knownUser(live, claims);
  const address = vouchedAddress(claims);
  if (offer !== undefined && offer.email !== known?.email && offer.email !== address) {
    const who = known?.email ?? claims.email ?? "an account without an email address";
    throw refused(`this invitation is for ${offer.email}, but you signed in as ${who}`);
  }
  const user = known ?? newcomer(live, claims, address);
  const mine = known === undefined ? invitationsTo(live.db, user.email, live.wall.now()) : [];
  for (const each of offer === undefined || known === undefined ? mine : [offer]) {
    join(live, user, each);
  }
  if (findIdentity(live.db, claims.issuer, claims.subject) === undefined) {
    link(live, user, claims);
  }
  return { user, teamId: offer?.teamId };
}

/**
 * Remembers that the provider's person is `user`, who is signed in: from then on both ways lead in. Throws
 * `conflict` where either is somebody else's.
 */
export function connectIdentity(live: Environment, user: UserRow, claims: Claims): void {
  const owner = findIdentity(live.db, claims.issuer, claims.subject);
  if (owner === user.id) {
    return;
  }
  if (owner !== undefined) {
    throw conflict("this single sign-on account is already connected to another account here");
  }
  if (identityAt(live, user, claims.issuer) !== undefined) {
    throw conflict(
      "your account is already connected to another single sign-on account; disconnect it first",
    );
  }
  link(live, user, claims);
}

/** Forgets how `user` is known to providers. Throws `conflict` for who could not come in any more. */
export function disconnectIdentities(live: Environment, user: UserRow): void {
  if (user.passwordHash === null && passkeysOf(live.db, user.id).length === 0) {
    throw conflict("set a password first, or you couldn't sign in anymore");
  }
  for (const { id, issuer } of identitiesOf(live.db, user.id)) {
    removeIdentity(live.db, id);
    recordChange(live, user, { action: "identity.unlink", before: { issuer } });
  }
}

/** By the provider's own name for them, else by an address that it vouches for. */
function knownUser(live: Environment, claims: Claims): UserRow | undefined {
  const id = findIdentity(live.db, claims.issuer, claims.subject);
  if (id !== undefined) {
    return findUser(live.db, id);
  }
  const email = vouchedAddress(claims);
  const user = email === null ? undefined : findUserByEmail(live.db, email);
  // An address that was given to somebody else since: they are not who had it before.
  if (user !== undefined && identityAt(live, user, claims.issuer) !== undefined) {
    throw refused(
      `the account ${user.email} is already connected to a different single sign-on account`,
    );
  }
  return user;
}

/** Somebody who has no account here, but is invited to the address that the provider vouches for. */
function newcomer(live: Environment, claims: Claims, email: string | null): UserRow {
  if (email === null) {
    throw refused(
      claims.email === null
        ? "the provider didn't share your email address"
        : `the provider hasn't verified that ${claims.email} is yours; sign in with your password, then connect it under Settings, You`,
    );
  }
  if (invitationsTo(live.db, email, live.wall.now()).length === 0) {
    throw refused(`no invitation for ${email}; ask a team owner or admin to invite you`);
  }
  return insertPerson(live, { email, name: nameOf(claims, email), passwordHash: null }, false);
}

function refused(text: string): Problem {
  return new Problem("permission_error", text);
}

function vouchedAddress({ email, isVerified }: Claims): string | null {
  return isVerified && email !== null ? (parseAddress(email)?.address ?? null) : null;
}

function nameOf({ name }: Claims, email: string): string {
  const line = (name ?? "").replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
  return line.slice(0, USER_NAME_MAX).toWellFormed() || (email.split("@")[0] ?? email);
}

function identityAt(live: Environment, user: UserRow, issuer: string): IdentityRow | undefined {
  return identitiesOf(live.db, user.id).find((row) => row.issuer === issuer);
}

function link(live: Environment, user: UserRow, { issuer, subject }: Claims): void {
  const now = live.wall.now();
  insertIdentity(live.db, {
    id: live.ids.next(now),
    userId: user.id,
    issuer,
    subject,
    createdAt: now,
  });
  recordChange(live, user, { action: "identity.link", after: { issuer } });
}

/** In the log of the team that they joined first; who belongs to none has no log. */
function recordChange(
  live: Environment,
  user: UserRow,
  change: { action: string; before?: Snapshot; after?: Snapshot },
): void {
  const [home] = teamsOf(live.db, user.id);
  if (home !== undefined) {
    const caller: Caller = { teamId: home.team.id, actor: `user:${user.id}`, scopes: [] };
    audit(live, caller, { ...change, target: `user:${user.id}` });
  }
}

function join(live: Environment, user: UserRow, invitation: InvitationRow): void {
  const { id, teamId } = invitation;
  removeInvitation(live.db, id);
  joinTeam(live, { teamId, actor: `user:${user.id}`, scopes: [] }, user, invitation);
}
