/**
 * Sending accounts: create, patch, every move between their states, and what the engine notes of them.
 * Testing and deleting, which take several turns, are in files of their own.
 */

import { domainOf, parseAddress } from "#domain/email-address.ts";
import {
  ACCOUNT_DEFAULTS,
  ACCOUNTS_MAX,
  type AccountStatus,
  isReady,
  LAST_ERROR_MAX,
  presetServer,
  probeAt,
  SMTP_ERRORS_MAX,
  savesSent,
} from "#domain/mailboxes/account.ts";
import { isStopped } from "#domain/mailboxes/callout.ts";
import { HEALTHY } from "#domain/mailboxes/health.ts";
import type { Provider } from "#domain/mailboxes/mailbox.ts";
import { conflict, found, invalid } from "#domain/problem.ts";
import type { Env } from "#domain/team/api-key.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import {
  accountByEmail,
  accountById,
  countAccounts,
  findAccount,
  insertAccount,
  updateAccount,
  wakeAccounts,
} from "#store/mailboxes/accounts.ts";
import { wantDomains } from "#store/mailboxes/mail-domains.ts";
import { workspaceById } from "#store/mailboxes/workspaces.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { onTrial, refreshHealth } from "#usecases/campaigns/health.ts";
import { recountAccount } from "#usecases/campaigns/recount.ts";
import { ensureCapacity } from "#usecases/events/limits.ts";
import { audit, auditEngine, emit } from "#usecases/events/record.ts";
import { type AccountFields, canLogIn, isReconnected, mergeSettings } from "./account-settings.ts";
import { watchDomains } from "./aliases.ts";
import { reconnectUrl } from "./consent-links.ts";
import { changedCredentials, heldCredentials } from "./credentials.ts";

/**
 * Throws `validation_error` for what an account cannot have (provider `sandbox` in live among it),
 * `conflict` when the team has one with this address.
 */
export function createAccount(
  env: Environment,
  caller: Caller,
  input: Partial<AccountFields> & { email: string; provider: Provider },
): AccountRow {
  const { email: given, provider, ...fields } = input;
  if (provider === "sandbox" && env.name === "live") {
    throw invalid("provider", `must be a real provider: "sandbox" works only with a test key`);
  }
  const email = parseAddress(given)?.address;
  if (email === undefined) {
    throw invalid("email", "must be an email address, for example ann@example.com");
  }
  if (accountByEmail(env.db, caller.teamId, email) !== undefined) {
    throw conflict("the team already has an account with this address or alias", "email");
  }
  if (countAccounts(env.db, caller.teamId) >= ACCOUNTS_MAX) {
    throw conflict(`a team may have at most ${ACCOUNTS_MAX} accounts`);
  }
  const merged = mergeSettings(env, blankAccount(env, caller, email, provider), fields);
  const row = watched(env, verifyAgain(env, merged));
  ensureCapacity(env, caller.teamId, "accounts");
  insertAccount(env.db, row);
  watchDomains(env, null, row);
  wantDomains(env.db, caller.teamId, [domainOf(email)], env.clock.now());
  audit(env, caller, {
    action: "account.create",
    target: `account:${row.id}`,
    after: accountFacts(row),
  });
  wakeTeam(env, row);
  return row;
}

/**
 * Merges `patch` into the account. New servers or secrets have to be proven anew and end an `error`;
 * so does `status: "active"` by itself. Throws `conflict` for a status that an account takes by itself
 * only.
 */
export function patchAccount(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: Partial<AccountFields> & { status?: AccountStatus; email?: string; provider?: Provider },
): AccountRow {
  const before = requireAccount(env, caller, id);
  const { status, email, provider, ...fields } = patch;
  if (email !== undefined && parseAddress(email)?.address !== before.email) {
    throw invalid("email", "can't be changed; create another account");
  }
  if (provider !== undefined && provider !== before.provider) {
    throw invalid("provider", "can't be changed; create another account");
  }
  const merged = mergeSettings(env, before, fields);
  const isNew = isReconnected(before, merged);
  const renewed = isNew ? verifyAgain(env, merged) : merged;
  const moved =
    status === undefined || status === before.status ? renewed : moveAccount(env, renewed, status);
  const after = watched(env, onTrial(env, before, moved));
  if (JSON.stringify(before) === JSON.stringify(after)) {
    return before;
  }
  const row = { ...after, updatedAt: env.clock.now() };
  updateAccount(env.db, row);
  watchDomains(env, before, row);
  if (row.timezone !== before.timezone) {
    recountAccount(env, row);
  }
  if (isNew) {
    env.mail.forget(id);
  }
  const changed = changedCredentials(before, row);
  audit(env, caller, {
    action: "account.patch",
    target: `account:${id}`,
    before: accountFacts(before),
    after: {
      ...accountFacts(row),
      ...(changed.length === 0 ? {} : { changedCredentials: changed }),
    },
  });
  if (before.status === "error" && row.status === "active") {
    emitRecovered(env, row);
  }
  wakeTeam(env, row);
  refreshHealth(env, id);
  return requireAccount(env, caller, id);
}

/** Throws `not_found` for another team's account as for one that never was. */
export function requireAccount(env: Environment, caller: Caller, id: Id): AccountRow {
  return found(findAccount(env.db, caller.teamId, id), "account");
}

/** May this account write at all now? */
export function isSendable(row: AccountRow, envName: Env): boolean {
  return row.status === "active" && isReady(row, envName) && row.unconfirmed === null;
}

/** True while the account's mailbox is read: paused and failing ones too, as far as they let us in. */
export function isPolled(row: AccountRow, envName: Env): boolean {
  return isReady(row, envName) && row.status !== "disabled" && row.statusReason !== "auth";
}

/** A message was accepted. */
export function recordSmtpOk(env: Environment, id: Id): void {
  const row = accountById(env.db, id);
  if (row !== undefined && (row.consecutiveSmtpErrors > 0 || row.lastError !== null)) {
    updateAccount(env.db, { ...row, consecutiveSmtpErrors: 0, lastError: null });
    refreshHealth(env, id);
  }
}

/** The account failed, not the recipient. The fifth time in a row it rests in `error` and is probed. */
export function recordSmtpError(env: Environment, id: Id, words: string): void {
  const row = accountById(env.db, id);
  if (row === undefined) {
    return;
  }
  const consecutiveSmtpErrors = row.consecutiveSmtpErrors + 1;
  const counted = { ...row, consecutiveSmtpErrors, lastError: clip(words) };
  if (row.status === "active" && consecutiveSmtpErrors >= SMTP_ERRORS_MAX) {
    const due = probeAt(0, env.clock.now());
    putInError(env, { ...counted, statusReason: "smtp_errors", probes: 0, probeAt: due });
  } else {
    updateAccount(env.db, counted);
  }
  refreshHealth(env, id);
}

/**
 * The server refused the credentials: `error` at once, until somebody changes them. One that a person
 * has paused or disabled stays so, and is not ready when it comes back.
 */
export function recordAuthFailure(env: Environment, id: Id, words: string): void {
  const row = accountById(env.db, id);
  if (row === undefined) {
    return;
  }
  const notReadyReason = env.name === "live" ? "failed" : null;
  const refused: AccountRow = { ...row, notReadyReason, lastError: clip(words), probeAt: null };
  if (row.status !== "active" && row.status !== "error") {
    updateAccount(env.db, watched(env, refused));
  } else if (row.statusReason === "auth") {
    updateAccount(env.db, refused);
  } else {
    putInError(env, { ...refused, statusReason: "auth" });
  }
}

/** The provider's quota or rate: the account rests until then, and nobody is to blame. */
export function recordBackoff(env: Environment, id: Id, until: UnixMs, words: string): void {
  const row = accountById(env.db, id);
  if (row !== undefined) {
    const backoffUntil = unixMs(Math.max(until, row.backoffUntil ?? until));
    updateAccount(env.db, { ...row, backoffUntil, lastError: clip(words) });
  }
}

/** An account in `error` works again. */
export function recoverAccount(env: Environment, id: Id): void {
  const row = accountById(env.db, id);
  if (row?.status === "error") {
    const active = { ...resolved(row), notReadyReason: null };
    auditMove(env, active, "recover");
    updateAccount(env.db, { ...watched(env, active), updatedAt: env.clock.now() });
    emitRecovered(env, row);
    wakeTeam(env, row);
    refreshHealth(env, id);
  }
}

/** `row` with its next read of the mailbox, and its next callout, planned or called off as its state wants. */
export function watched(env: Environment, row: AccountRow): AccountRow {
  const pollAt = isPolled(row, env.name) ? (row.pollAt ?? env.clock.now()) : null;
  const asks = row.verifyAddresses && row.status === "active" && !isStopped(row.calloutTroubles);
  return {
    ...row,
    pollAt,
    wakeAt: row.status === "active" ? row.wakeAt : null,
    calloutAt: asks ? (row.calloutAt ?? env.clock.now()) : null,
  };
}

/** The send worker looks at the team's accounts anew: this one's share may be another's. */
export function wakeTeam(env: Environment, row: AccountRow): void {
  wakeAccounts(env.db, row.teamId);
  env.wake();
}

function blankAccount(
  env: Environment,
  caller: Caller,
  email: string,
  provider: Provider,
): AccountRow {
  const now = env.clock.now();
  return {
    ...ACCOUNT_DEFAULTS,
    id: env.ids.next(now),
    teamId: caller.teamId,
    email,
    provider,
    status: "active",
    statusReason: null,
    notReadyReason: null,
    health: HEALTHY,
    healthAt: null,
    smtp: presetServer(provider, "smtp", email),
    imap: presetServer(provider, "imap", email),
    saveSent: savesSent(provider),
    secrets: null,
    workspaceId: null,
    dkim: null,
    dkimDueAt: null,
    consecutiveSmtpErrors: 0,
    lastError: null,
    backoffUntil: null,
    probeAt: null,
    probes: 0,
    wakeAt: null,
    lastClaimAt: null,
    lastCampaignId: null,
    lastOtherCampaignId: null,
    pollCursor: "",
    pollAt: null,
    pollErrors: 0,
    unconfirmed: null,
    refusals: null,
    calloutAt: null,
    calloutTroubles: null,
    createdAt: now,
    updatedAt: now,
  };
}

/** After new servers or secrets: what was known of the old ones is forgotten. */
export function verifyAgain(env: Environment, row: AccountRow): AccountRow {
  const known = accountById(env.db, row.id);
  const isSameMailbox =
    known?.imap?.host === row.imap?.host && known?.imap?.username === row.imap?.username;
  const fresh: AccountRow = {
    ...(row.status === "error" ? resolved(row) : row),
    consecutiveSmtpErrors: 0,
    lastError: null,
    backoffUntil: null,
    refusals: null,
    pollErrors: 0,
    pollCursor: isSameMailbox ? row.pollCursor : "",
    probes: 0,
    probeAt: null,
    notReadyReason: null,
  };
  if (env.name === "test") {
    return fresh;
  }
  if (!canLogIn(row, heldCredentials(row))) {
    return { ...fresh, notReadyReason: "no_credentials" };
  }
  if ((workspaceById(env.db, row.workspaceId)?.lastError ?? null) !== null) {
    return { ...fresh, notReadyReason: "workspace" };
  }
  const due = row.status === "disabled" ? null : env.clock.now();
  return { ...fresh, notReadyReason: "untested", probeAt: due };
}

function moveAccount(env: Environment, row: AccountRow, status: AccountStatus): AccountRow {
  switch (status) {
    case "error":
      throw conflict(`"error" can't be set; Outrider sets it when the mailbox fails`, "status");
    case "active": {
      const isVerified = isReady(row, env.name) && row.statusReason !== "auth";
      return isVerified ? resolved(row) : verifyAgain(env, resolved(row));
    }
    default: {
      const isProbed = status === "paused" && row.status !== "error";
      return { ...row, status, statusReason: "manual", probeAt: isProbed ? row.probeAt : null };
    }
  }
}

function resolved(row: AccountRow): AccountRow {
  return {
    ...row,
    status: "active",
    statusReason: null,
    consecutiveSmtpErrors: 0,
    lastError: null,
    probes: 0,
    probeAt: null,
  };
}

function putInError(env: Environment, row: AccountRow): void {
  const failed: AccountRow = { ...row, status: "error", updatedAt: env.clock.now() };
  auditMove(env, failed, "error");
  updateAccount(env.db, watched(env, failed));
  emit(env, row.teamId, "account.error", {
    account_id: row.id,
    email: row.email,
    reason: row.statusReason,
    last_error: row.lastError,
    reconnect_url: reconnectUrl(env, row),
  });
}

/** Into `error` or out of it, by itself. `after` as it is about to be stored. */
function auditMove(env: Environment, after: AccountRow, verb: "error" | "recover"): void {
  const before = accountById(env.db, after.id);
  const facts = (row: AccountRow | undefined) =>
    row === undefined
      ? null
      : { status: row.status, statusReason: row.statusReason, lastError: row.lastError };
  auditEngine(env, after.teamId, {
    action: `account.${verb}`,
    target: `account:${after.id}`,
    before: facts(before),
    after: facts(after),
  });
}

function emitRecovered(env: Environment, row: AccountRow): void {
  emit(env, row.teamId, "account.recovered", { account_id: row.id, email: row.email });
}

function clip(words: string): string {
  return words.slice(0, LAST_ERROR_MAX);
}

/** For the audit log: what a person sets. Of secrets only which are held. */
export function accountFacts(row: AccountRow): Record<string, unknown> {
  const { email, provider, status, statusReason, displayName, signature, timezone } = row;
  const { dailyLimit, hourlyLimit, minGapSeconds, maxGapSeconds, ramp, smtp, imap, saveSent } = row;
  const { aliases, sendAs, workspaceId, providerLimits, verifyAddresses } = row;
  return {
    ...{ email, provider, status, statusReason, displayName, signature, timezone },
    ...{ dailyLimit, hourlyLimit, minGapSeconds, maxGapSeconds, ramp, smtp, imap, saveSent },
    ...{ aliases, sendAs, providerLimits, workspaceId, verifyAddresses },
    credentials: heldCredentials(row),
  };
}
