/**
 * Recipient providers that refuse a mailbox as a sender. Whose servers a lead's domain is behind is asked for
 * only while some provider refuses the mailbox: at a refusal, and before an email to a domain not yet known.
 */

import { LAST_ERROR_MAX } from "#domain/mailboxes/account.ts";
import {
  isProvider,
  isStopped,
  OWN_SERVERS,
  receiverOf,
  refusedBy,
  takenBy,
  tryAgain,
} from "#domain/sending/refusals.ts";
import { toIso, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow, MailDomainRow } from "#store/tables/accounts.ts";
import { refreshHealth } from "#usecases/campaigns/health.ts";
import { auditEngine } from "#usecases/events/record.ts";
import { recordBackoff, wakeTeam } from "./accounts.ts";
import { learnDomain } from "./mail-domains.ts";

/** Does the account write to nobody there for now? */
export function isRefusedBy(account: AccountRow, receiver: MailDomainRow, now: UnixMs): boolean {
  const name = nameOf(receiver);
  return (account.refusals ?? []).some((one) => one.receiver === name && isStopped(one, now));
}

function nameOf({ domain, provider }: MailDomainRow): string {
  return receiverOf(domain, provider);
}

/**
 * A refusal of the mailbox as a sender. Several in a row by domains that run their own servers stop the
 * mailbox as a whole: a block list that they share refuses it everywhere. Runs inside a commit.
 */
export function recordSenderRefused(
  env: Environment,
  id: Id,
  at: { receiver: MailDomainRow; words: string; now: UnixMs },
): void {
  const row = accountById(env.db, id);
  if (row === undefined) {
    return;
  }
  learnDomain(env, at.receiver);
  const receiver = nameOf(at.receiver);
  const words = at.words.slice(0, LAST_ERROR_MAX);
  let refusals = refusedBy(row.refusals ?? [], { receiver, words, now: at.now });
  const until = refusals.at(-1)?.until ?? null;
  if (!isProvider(receiver)) {
    refusals = refusedBy(refusals, { receiver: OWN_SERVERS, words, now: at.now });
  }
  updateAccount(env.db, { ...row, refusals });
  if (until !== null) {
    auditEngine(env, row.teamId, {
      action: "account.refused",
      target: `account:${id}`,
      after: { provider: receiver, until: toIso(until), response: words },
    });
  }
  const everywhere = refusals.at(-1);
  if (everywhere?.receiver === OWN_SERVERS && everywhere.until !== null) {
    recordBackoff(env, id, everywhere.until, words);
  }
  refreshHealth(env, id);
}

/** `receiver` took an email of the mailbox. Runs inside a commit. */
export function recordTaken(env: Environment, id: Id, receiver: MailDomainRow): void {
  const row = accountById(env.db, id);
  const refusals = takenBy(row?.refusals ?? [], nameOf(receiver));
  if (row === undefined || refusals.length === (row.refusals ?? []).length) {
    return;
  }
  updateAccount(env.db, { ...row, refusals: refusals.length === 0 ? null : refusals });
  refreshHealth(env, id);
  wakeTeam(env, row);
}

/** A person has tested the mailbox: every provider that refused it is tried again at once. */
export function tryReceiversAgain(env: Environment, id: Id): void {
  const row = accountById(env.db, id);
  if (row?.refusals != null) {
    const now = env.clock.now();
    const rests = row.refusals.some((one) => one.receiver === OWN_SERVERS && isStopped(one, now));
    const backoffUntil = rests ? null : row.backoffUntil;
    updateAccount(env.db, { ...row, backoffUntil, refusals: tryAgain(row.refusals, now) });
    refreshHealth(env, id);
    wakeTeam(env, row);
  }
}
