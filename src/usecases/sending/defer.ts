/** What a bug of ours kept from being claimed: it is tried again after a while, and others go before it. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { HOUR_MS, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { changeEnrollment } from "#usecases/leads/enrollments.ts";

/** Of the lead, for the bug may go with the next version. */
const LEAD_MS = HOUR_MS;
/** Of the mailbox, so that a bug in every lead does not go through all of them at once. */
const MAILBOX_MS = MINUTE_MS;

/** `enrollmentId` is null where no lead is to blame. Runs inside a commit. */
export function defer(env: Environment, accountId: Id, enrollmentId: Id | null, now: UnixMs): void {
  const row = enrollmentId === null ? undefined : enrollmentById(env.db, enrollmentId);
  if (row !== undefined && isOpen(row.status) && row.dueAt !== null) {
    const dueAt = plus(now, LEAD_MS);
    changeEnrollment(env, row, { dueAt, notBefore: dueAt });
  }
  wakeAccountAt(env, accountId, plus(now, MAILBOX_MS));
}

/** Runs inside a commit. */
export function wakeAccountAt(env: Environment, accountId: Id, wakeAt: UnixMs): void {
  const account = accountById(env.db, accountId);
  if (account !== undefined) {
    updateAccount(env.db, { ...account, wakeAt });
  }
}
