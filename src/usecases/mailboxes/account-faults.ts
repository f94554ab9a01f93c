/** What a failed transaction says of the mailbox that tried it. */

import { providerOfServer } from "#domain/mailboxes/mail-provider.ts";
import type { Fault } from "#domain/mailboxes/smtp-fault.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow, MailDomainRow } from "#store/tables/accounts.ts";
import { isReconnected, isRevived } from "./account-settings.ts";
import { recordAuthFailure, recordBackoff, recordSmtpError } from "./accounts.ts";
import { recordSenderRefused } from "./receivers.ts";

export interface Blame {
  accountId: Id;
  /** The account as it was when the email was claimed; left out where that is not known. */
  tried: AccountRow | undefined;
  fault: Fault;
  words: string;
  now: UnixMs;
  /** Whose servers the email was for; left out where that was not asked for. */
  receiver?: MailDomainRow | undefined;
}

/**
 * Runs inside a commit. Says nothing of an account that has been given other servers or secrets since: a
 * password that was refused is not the one that stands there now.
 */
export function recordFault(env: Environment, blame: Blame): void {
  const { accountId, tried, fault, words, now, receiver } = blame;
  const account = accountById(env.db, accountId);
  if (account === undefined || (tried !== undefined && isReconnected(tried, account))) {
    return;
  }
  if (fault.kind === "auth") {
    if (tried === undefined || !isRevived(tried, account)) {
      recordAuthFailure(env, accountId, words);
    }
    return;
  }
  const isReceivers = fault.kind === "sender" || isBy(receiver, fault, account);
  if (isReceivers && receiver !== undefined) {
    recordSenderRefused(env, accountId, { receiver, words, now });
  }
  if (fault.kind === "backoff" && !isReceivers) {
    recordBackoff(env, accountId, plus(now, fault.ms), words);
  }
  if (fault.kind === "unknown" || ("account" in fault && fault.account)) {
    recordSmtpError(env, accountId, words);
  }
}

/** Is it the recipient's provider that slows the mailbox down, rather than the mailbox's own? */
function isBy(receiver: MailDomainRow | undefined, fault: Fault, { smtp }: AccountRow): boolean {
  return (
    fault.kind === "backoff" &&
    fault.by !== undefined &&
    fault.by === receiver?.provider &&
    fault.by !== providerOfServer(smtp?.host ?? "")
  );
}
