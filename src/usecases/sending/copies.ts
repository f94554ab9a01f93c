/** Copies of sent emails, filed where the account's own mail program shows them. */

import { DAY_MS, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { CopyOutcome, Envelope } from "#platform/ports/mail.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { bytesOf, filesOfMessage } from "#store/sending/message-files.ts";
import { copiesDue, messageById, updateMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { envelopeOf } from "./draft.ts";

/** `full`: the files of other emails leave no memory for those of the copy. */
const COPY_RETRY_MS = { failed: 15 * MINUTE_MS, full: 5 * SECOND_MS };
/** A copy that could not be made in this time is given up: the email itself was sent. */
const COPY_MS_MAX = DAY_MS;

/** Copies of one mailbox; its id. */
export interface Copies {
  id: Id;
  teamId: Id;
  messages: readonly MessageRow[];
}

/** The copies that are due, by mailbox. */
export function copiesByMailbox(db: Db, look: Parameters<typeof copiesDue>[1]): Copies[] {
  const mailboxes = Map.groupBy(copiesDue(db, look), ({ accountId }) => accountId);
  return [...mailboxes].flatMap(([id, messages]) =>
    messages.slice(0, 1).map(({ teamId }) => ({ id, teamId, messages })),
  );
}

type Copied = "saved" | keyof typeof COPY_RETRY_MS;

/**
 * Files copies that are due, one after the other; where the mailbox fails, its other copies wait too and nobody
 * waits for them.
 */
export async function copySent(
  env: Environment,
  { id: accountId, messages }: Copies,
  now: UnixMs,
): Promise<void> {
  const account = accountById(env.db, accountId);
  let last: Copied = "saved";
  for (const { id } of messages) {
    // As it is now: the recipient may have been erased while other copies were made.
    const message = messageById(env.db, id);
    if (message === undefined || message.copyDueAt === null) {
      continue;
    }
    if (account !== undefined && last === "saved") {
      last = await saveCopy(env, account, message);
    }
    const copied = last;
    await env.commit(() => {
      const current = messageById(env.db, id);
      if (current !== undefined && current.copyDueAt !== null) {
        const expired = now - (current.sentAt ?? now) > COPY_MS_MAX;
        const isOver = copied === "saved" || expired;
        const copyDueAt = isOver ? null : plus(now, COPY_RETRY_MS[copied]);
        updateMessage(env.db, { ...current, copyDueAt });
      }
    });
  }
}

async function saveCopy(
  env: Environment,
  account: AccountRow,
  message: MessageRow,
): Promise<Copied> {
  const forget = env.attachmentCapacity.take(bytesOf(filesOfMessage(env.db, message.id)));
  if (forget === undefined) {
    return "full";
  }
  try {
    const envelope = await envelopeOf(env, account, message);
    const outcome = await fileCopy(env, account, envelope);
    if (outcome.kind === "failed") {
      env.log.warn("no copy in the Sent folder yet", {
        message: message.id,
        cause: outcome.reason,
      });
    }
    return outcome.kind === "failed" ? "failed" : "saved";
  } finally {
    forget();
  }
}

async function fileCopy(
  env: Environment,
  account: AccountRow,
  envelope: Envelope,
): Promise<CopyOutcome> {
  try {
    return await env.mail.saveSent(mailboxOf(env, account), envelope);
  } catch (error) {
    if (error instanceof UnreadableCredentials) {
      return { kind: "failed", reason: error.message };
    }
    throw error;
  }
}
