/**
 * Trying an account's connections where it is in `error` or has never been tried, and what such a try says
 * of the account. A probe sends nothing and uses up no lead's attempt.
 */

import { FIRST_PROBES_MAX, isReady, LAST_ERROR_MAX, probeAt } from "#domain/mailboxes/account.ts";
import type { Environment } from "#environment.ts";
import type { Mailbox, TestOutcome } from "#platform/ports/mail.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { isReconnected } from "./account-settings.ts";
import { recordAuthFailure, recoverAccount, wakeTeam, watched } from "./accounts.ts";
import { heldCredentials, UnreadableCredentials } from "./credentials.ts";
import { mailboxOf } from "./mailbox.ts";

/** Tries an account whose time has come. */
export async function probe(env: Environment, account: AccountRow): Promise<void> {
  const outcome = await tryConnections(env, account);
  await env.commit(() => recordProbe(env, account, outcome));
}

/** Lets upkeep try it next. Runs inside a commit. */
export function probeSoon(env: Environment, row: AccountRow): void {
  updateAccount(env.db, { ...row, probeAt: env.clock.now() });
}

/** What a login on both sides says; of secrets that cannot be read, that. */
export async function tryConnections(env: Environment, account: AccountRow): Promise<TestOutcome> {
  let mailbox: Mailbox;
  try {
    mailbox = mailboxOf(env, account);
  } catch (error) {
    if (!(error instanceof UnreadableCredentials)) {
      throw error;
    }
    const refused = { ok: false, error: error.message, login: true };
    return { smtp: refused, imap: refused };
  }
  return await env.mail.test(mailbox);
}

/**
 * Records what a test of `tested` found, and returns the account as it is then; undefined when it is
 * gone. Nothing is recorded of servers or secrets that are not the account's any more. Runs inside a
 * commit.
 */
export function recordProbe(
  env: Environment,
  tested: AccountRow,
  outcome: TestOutcome,
): AccountRow | undefined {
  const row = accountById(env.db, tested.id);
  if (row === undefined || isReconnected(tested, row)) {
    return row;
  }
  if (works(row, outcome)) {
    recordWorking(env, row);
  } else if (row.notReadyReason !== "no_credentials") {
    recordFailed(env, row, outcome);
  }
  return accountById(env.db, tested.id);
}

/** An account that rests because of SMTP errors needs SMTP alone; any other both sides. */
function works(row: AccountRow, { smtp, imap }: TestOutcome): boolean {
  return smtp.ok && (imap.ok || row.statusReason === "smtp_errors");
}

function recordWorking(env: Environment, row: AccountRow): void {
  if (row.status === "error") {
    recoverAccount(env, row.id);
    return;
  }
  const verified = { ...row, notReadyReason: null, lastError: null, probes: 0, probeAt: null };
  updateAccount(env.db, watched(env, verified));
  if (!isReady(row, env.name)) {
    wakeTeam(env, row);
  }
}

/**
 * Refused credentials are an `error` at once. Anything else may pass: an account that has worked before
 * stays ready, and its sending will show.
 */
function recordFailed(env: Environment, row: AccountRow, outcome: TestOutcome): void {
  const words = wordsOf(outcome);
  if (outcome.smtp.login === true || outcome.imap.login === true) {
    recordAuthFailure(env, row.id, words);
    return;
  }
  const probes = row.probes + 1;
  // No server locks a mailbox for a token that we could not get: that may be tried for good.
  const isByToken = row.workspaceId !== null || heldCredentials(row).oauth;
  const isHarmless = probes < FIRST_PROBES_MAX || isByToken;
  const isTriedAgain =
    row.statusReason === "smtp_errors" ||
    (row.notReadyReason !== null && row.status !== "disabled" && isHarmless);
  updateAccount(env.db, {
    ...row,
    notReadyReason: row.notReadyReason === null ? null : "failed",
    lastError: words,
    probes,
    probeAt: isTriedAgain ? probeAt(probes, env.clock.now()) : null,
  });
}

/** What failed, side by side. */
export function wordsOf({ smtp, imap }: TestOutcome): string {
  const parts = [smtp.ok ? "" : `SMTP: ${smtp.error}`, imap.ok ? "" : `IMAP: ${imap.error}`];
  return parts
    .filter((part) => part !== "")
    .join("; ")
    .slice(0, LAST_ERROR_MAX);
}
