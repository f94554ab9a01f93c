/**
 * Seed mailboxes: the team's own, read over IMAP, in which test emails are looked for. They are never
 * leads, and what they send is nobody's answer.
 */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { parseAddress } from "#domain/email-address.ts";
import type { ServerSettings } from "#domain/mailboxes/account.ts";
import { imapServerOf, providerOfDomain } from "#domain/mailboxes/mail-provider.ts";
import { SEEDS_MAX, type SeedStatus } from "#domain/placement/placement.ts";
import { conflict, invalid, notFound } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import type { LookOutcome, Mailbox, Wanted } from "#platform/ports/mail.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { leadByEmail } from "#store/leads/leads.ts";
import { accountByEmail } from "#store/mailboxes/accounts.ts";
import {
  countSeeds,
  findSeed,
  insertSeed,
  removeSeed,
  seedByEmail,
  updateSeed,
} from "#store/placement/placement-seeds.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { SeedRow } from "#store/tables/placement.ts";
import { audit } from "#usecases/events/record.ts";
import { mergeServer, type ServerChange } from "#usecases/mailboxes/account-settings.ts";
import {
  changedCredentials,
  heldCredentials,
  type Oauth,
  openCredentials,
  readableCredentials,
  sealCredentials,
  UnreadableCredentials,
} from "#usecases/mailboxes/credentials.ts";
import { lookAgain } from "./placement-looks.ts";
import { failOpenTests } from "./placement-results.ts";
import { forgetScheduledSeed } from "./placement-schedules.ts";

export type SeedOauth = Oauth & { provider: "google" | "microsoft" };

/** What a person may set. Null takes a secret away, or goes back to the provider's own server. */
export interface SeedFields {
  status: SeedStatus;
  imap: ServerChange | null;
  oauth: Partial<SeedOauth> | null;
}

/**
 * Throws `validation_error` for what a seed lacks (in live a server and a secret), `conflict` where the
 * address is a seed, one of the team's accounts, or somebody who is being written to.
 */
export function createSeed(
  env: Environment,
  caller: Caller,
  { email: given, ...fields }: Partial<SeedFields> & { email: string },
): SeedRow {
  const parsed = parseAddress(given);
  if (parsed === null) {
    throw invalid("email", "must be an email address, for example seed@example.com");
  }
  checkFree(env, caller, parsed.address);
  const now = env.clock.now();
  const known = providerOfDomain(parsed.domain);
  const blank: SeedRow = {
    id: env.ids.next(now),
    teamId: caller.teamId,
    email: parsed.address,
    status: "active",
    provider: known ?? "custom",
    mxAt: known === null ? now : null,
    mxErrors: 0,
    imap: imapServerOf(known ?? "custom", parsed.address),
    oauthProvider: null,
    secrets: null,
    tabs: null,
    junkFolder: null,
    lastLookedAt: null,
    lastError: null,
    createdAt: now,
    updatedAt: now,
  };
  const row = merge(env, blank, fields);
  insertSeed(env.db, row);
  audit(env, caller, {
    action: "placement_seed.create",
    target: `placement_seed:${row.id}`,
    after: seedFacts(row),
  });
  env.wake();
  return row;
}

function checkFree(env: Environment, { teamId }: Caller, email: string): void {
  if (seedByEmail(env.db, teamId, email) !== undefined) {
    throw conflict("the team already has a seed with this address", "email");
  }
  if (accountByEmail(env.db, teamId, email) !== undefined) {
    throw conflict(
      "this address is one of the team's accounts; use a separate mailbox as a seed",
      "email",
    );
  }
  const lead = leadByEmail(env.db, teamId, email);
  const enrolled = lead === undefined ? [] : enrollmentsOfLead(env.db, lead.id);
  if (enrolled.some(({ status }) => isOpen(status))) {
    throw conflict(
      "a campaign is emailing this address; remove it from the campaign first",
      "email",
    );
  }
  if (countSeeds(env.db, teamId) >= SEEDS_MAX) {
    throw conflict(`a team may have at most ${SEEDS_MAX} seeds`);
  }
}

/**
 * New servers or secrets end an `error`, and what was missed because of it is looked for again. Throws
 * as {@link createSeed} does, and `conflict` for a status that a seed takes by itself only.
 */
export function patchSeed(
  env: Environment,
  caller: Caller,
  id: Id,
  { email, ...patch }: Partial<SeedFields> & { email?: string },
): SeedRow {
  const before = requireSeed(env, caller, id);
  if (email !== undefined && parseAddress(email)?.address !== before.email) {
    throw invalid("email", "can't be changed; create another seed");
  }
  const merged = merge(env, before, patch);
  const isNew =
    changedCredentials(before, merged).length > 0 ||
    JSON.stringify(before.imap) !== JSON.stringify(merged.imap);
  const isFixed = before.status === "error" && (isNew || patch.status === "active");
  const after: SeedRow = isFixed
    ? { ...merged, status: patch.status === "paused" ? "paused" : "active", lastError: null }
    : merged;
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return before;
  }
  const row = { ...after, updatedAt: env.clock.now() };
  updateSeed(env.db, row);
  if (isNew) {
    env.mail.forget(id);
  }
  if (isFixed) {
    lookAgain(env, row);
  }
  const changed = changedCredentials(before, row);
  audit(env, caller, {
    action: "placement_seed.patch",
    target: `placement_seed:${id}`,
    before: seedFacts(before),
    after: {
      ...seedFacts(row),
      ...(changed.length === 0 ? {} : { changedCredentials: changed }),
    },
  });
  env.wake();
  return row;
}

/** Its tests that are under way fail; what was found in it stays in the runs. Throws `not_found`. */
export function deleteSeed(env: Environment, caller: Caller, id: Id): void {
  const row = requireSeed(env, caller, id);
  failOpenTests(env, { seedId: id }, "the seed mailbox was deleted");
  forgetScheduledSeed(env, caller, id);
  removeSeed(env.db, id);
  env.mail.forget(id);
  audit(env, caller, {
    action: "placement_seed.delete",
    target: `placement_seed:${id}`,
    before: seedFacts(row),
  });
}

/** Throws `not_found` for another team's seed as for one that never was. */
export function requireSeed(env: Environment, caller: Caller, id: Id): SeedRow {
  const row = findSeed(env.db, caller.teamId, id);
  if (row === undefined) {
    throw notFound("seed");
  }
  return row;
}

/** Looks into the seed's mailbox; secrets that cannot be read are refused ones. */
export async function lookIntoSeed(
  env: Environment,
  row: SeedRow,
  wanted: readonly Wanted[],
): Promise<LookOutcome> {
  let mailbox: Mailbox;
  try {
    mailbox = seedMailbox(env, row);
  } catch (error) {
    if (!(error instanceof UnreadableCredentials)) {
      throw error;
    }
    return { kind: "unreachable", reason: error.message, login: true };
  }
  return await env.mail.look(mailbox, wanted);
}

/** A seed as the mail port takes it. It is never sent from. Never log the result. */
export function seedMailbox(env: Environment, row: SeedRow): Mailbox {
  const { imapPassword, oauth } = openCredentials(env.vault, row);
  const { imap } = row;
  return {
    teamId: row.teamId,
    accountId: row.id,
    address: row.email,
    provider: row.oauthProvider ?? "smtp",
    smtp: null,
    imap: imap === null ? null : { ...imap, password: oauth === null ? imapPassword : null },
    oauth,
  };
}

function merge(env: Environment, row: SeedRow, fields: Partial<SeedFields>): SeedRow {
  const { status = row.status, imap: change, oauth: oauthChange } = fields;
  if (status === "error" && row.status !== "error") {
    throw conflict(`"error" can't be set; Outrider sets it when the login fails`, "status");
  }
  const preset = imapServerOf(row.provider, row.email);
  const imap = mergeServer("imap", { base: row.imap, preset, email: row.email }, change);
  const isMoved = row.imap !== null && row.imap.host !== imap?.host;
  const held = readableCredentials(env.vault, row);
  const oauth = mergeOauth(row, isMoved ? null : held.oauth, oauthChange);
  const given = change === null ? null : change?.password;
  const merged: SeedRow = {
    ...row,
    status,
    imap,
    oauthProvider: oauth?.provider ?? null,
    secrets: sealCredentials(env.vault, row, {
      // A stored secret never follows to another host.
      ...(given === undefined ? (isMoved ? { imapPassword: null } : {}) : { imapPassword: given }),
      oauth: oauth === null ? null : withoutProvider(oauth),
    }),
  };
  if (env.name === "live") {
    checkConnected(imap, merged);
  }
  return merged;
}

function checkConnected(imap: ServerSettings | null, row: SeedRow): void {
  if (imap === null) {
    throw invalid("imap.host", "is required because the mailbox's provider isn't recognized");
  }
  const held = heldCredentials(row);
  if (!held.imapPassword && !held.oauth) {
    throw invalid(
      "imap.password",
      "is required unless you set oauth: Outrider looks for test emails over IMAP",
    );
  }
}

function mergeOauth(
  row: SeedRow,
  held: Oauth | null,
  change: Partial<SeedOauth> | null | undefined,
): SeedOauth | null {
  if (change === null || (change === undefined && held === null)) {
    return null;
  }
  const { provider, clientId, clientSecret, refreshToken } = { ...held, ...change };
  const whose = provider ?? row.oauthProvider;
  if (whose === null || whose === undefined) {
    throw invalid("oauth.provider", "is required");
  }
  if (clientId === undefined || clientSecret === undefined || refreshToken === undefined) {
    const lacking = {
      client_id: clientId,
      client_secret: clientSecret,
      refresh_token: refreshToken,
    };
    const name = Object.entries(lacking).find(([, value]) => value === undefined)?.[0];
    throw invalid(`oauth.${name}`, "is required");
  }
  return { provider: whose, clientId, clientSecret, refreshToken };
}

function withoutProvider({ clientId, clientSecret, refreshToken }: SeedOauth): Oauth {
  return { clientId, clientSecret, refreshToken };
}

/** For the audit log: what a person sets. Of secrets only which are held. */
function seedFacts(row: SeedRow): Record<string, unknown> {
  const { email, status, imap, oauthProvider } = row;
  const { imapPassword, oauth } = heldCredentials(row);
  return { email, status, imap, oauthProvider, credentials: { imapPassword, oauth } };
}
