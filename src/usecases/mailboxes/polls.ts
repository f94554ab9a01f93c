/** What reading an account's mailbox says of the account. */

import { LAST_ERROR_MAX } from "#domain/mailboxes/account.ts";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { PollOutcome } from "#platform/ports/mail.ts";
import { accountById, schedulePollSooner, updateAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { isReconnected, isRevived } from "./account-settings.ts";
import { isPolled, recordAuthFailure } from "./accounts.ts";

const BACKOFF_MS_MAX = 60 * MINUTE_MS;
/** How much less often a mailbox is read that tells of new email by itself: for its junk folder. */
const WATCHED_FACTOR = 5;
/** Begins what reading has to say in `last_error`, so that it can take it back. */
const PREFIX = "IMAP: ";

/**
 * The mailbox of `read` was read up to the outcome's cursor. Runs inside a commit, as all of these; each
 * says nothing of an account that has been given other servers or secrets meanwhile.
 */
export function recordRead(
  env: Environment,
  read: AccountRow,
  outcome: Extract<PollOutcome, { kind: "read" }>,
  { now, isWatched }: { now: UnixMs; isWatched: boolean },
): void {
  const row = accountById(env.db, read.id);
  if (row === undefined || isReconnected(read, row)) {
    return;
  }
  const every = env.pollEveryMs * (isWatched ? WATCHED_FACTOR : 1);
  const quietMs = (outcome.quietUntil?.() ?? now) - now;
  const turns = Math.max(1, Math.ceil(quietMs / every));
  const next = plus(now, outcome.more ? 0 : turns * every);
  updateAccount(env.db, {
    ...row,
    lastError: row.lastError?.startsWith(PREFIX) ? null : row.lastError,
    pollCursor: outcome.cursor,
    pollErrors: 0,
    pollAt: isPolled(row, env.name) ? next : null,
  });
}

/**
 * The mailbox could not be read: it is tried less and less often, or, where the credentials were refused,
 * not at all. What sending has to say in `last_error` stands before it.
 */
export function recordUnreadable(
  env: Environment,
  read: AccountRow,
  { reason, login }: Extract<PollOutcome, { kind: "unreachable" }>,
  now: UnixMs,
): void {
  const known = accountById(env.db, read.id);
  if (known === undefined || isReconnected(read, known)) {
    return;
  }
  const isRefused = login && !isRevived(read, known);
  if (isRefused) {
    recordAuthFailure(env, known.id, reason);
  }
  const row = accountById(env.db, known.id) ?? known;
  const isOurs = row.lastError === null || row.lastError.startsWith(PREFIX);
  const pollErrors = row.pollErrors + 1;
  const wait = Math.min(BACKOFF_MS_MAX, env.pollEveryMs * 2 ** Math.min(pollErrors, 10));
  updateAccount(env.db, {
    ...row,
    pollErrors,
    lastError: isOurs ? `${PREFIX}${reason}`.slice(0, LAST_ERROR_MAX) : row.lastError,
    pollAt: isRefused || !isPolled(row, env.name) ? null : plus(now, wait),
  });
}

/** They are read next. Runs inside a commit. */
export function readSoon(env: Environment, ids: readonly Id[], now: UnixMs): void {
  for (const id of ids) {
    schedulePollSooner(env.db, id, now);
  }
}
