/**
 * What a crash leaves behind: messages that were claimed and whose outcome was never recorded. Runs once
 * at start, before any worker. Looks first whether the accounts' credentials can still be read.
 *
 * Not yet begun: tried again. Begun: looked up in the account's Sent folder by its Message-ID; found
 * means sent, anything else is in doubt, shown, and resent only by a person's hand.
 */

import type { Environment } from "#environment.ts";
import type { FindOutcome } from "#platform/ports/mail.ts";
import { accountById, accountsWithSecrets } from "#store/mailboxes/accounts.ts";
import { listAllWorkspaces } from "#store/mailboxes/workspaces.ts";
import { messageById, messagesUnderWay } from "#store/sending/messages.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { settleFound, settleUnknown, withdraw } from "#usecases/delivery/settle.ts";
import { forgetFuture } from "#usecases/events/wake.ts";
import { recordAuthFailure } from "#usecases/mailboxes/accounts.ts";
import {
  openCredentials,
  UNREADABLE,
  UnreadableCredentials,
} from "#usecases/mailboxes/credentials.ts";
import { isGrantReadable, mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { probeSoon } from "#usecases/mailboxes/probes.ts";
import { recordWorkspace } from "#usecases/mailboxes/workspaces.ts";

/** Look-ups at once. */
const LOOKUPS_MAX = 8;

export interface Recovery {
  retried: number;
  found: number;
  unknown: number;
  /** Accounts whose credentials cannot be read. */
  unreadable: number;
}

export async function recover(env: Environment): Promise<Recovery> {
  const left = messagesUnderWay(env.db);
  const unreadable = await checkCredentials(env);
  const result: Recovery = { retried: 0, found: 0, unknown: 0, unreadable };
  const begun = left.filter(({ dataAt }) => dataAt !== null);
  await env.commit(() => {
    for (const message of left) {
      if (message.dataAt === null) {
        withdraw(env, message.id, "restart", env.clock.now());
        result.retried += 1;
      }
    }
    forgetFuture(env, env.clock.now());
  });
  for (let start = 0; start < begun.length; start += LOOKUPS_MAX) {
    const batch = begun.slice(start, start + LOOKUPS_MAX);
    await Promise.all(batch.map((message) => resolve(env, message, result)));
  }
  return result;
}

async function resolve(env: Environment, message: MessageRow, result: Recovery): Promise<void> {
  const outcome = await look(env, message);
  await env.commit(() => {
    if (outcome.kind === "found") {
      settleFound(env, message.id, outcome.folder, env.clock.now());
      result.found += 1;
      return;
    }
    const current = messageById(env.db, message.id);
    if (current?.status === "sending") {
      const why = outcome.kind === "absent" ? "not in the Sent folder" : outcome.reason;
      const response = `no response was recorded before a restart; ${why}`;
      settleUnknown(env, { ...current, response });
      result.unknown += 1;
    }
  });
}

async function look(env: Environment, message: MessageRow): Promise<FindOutcome> {
  const account = accountById(env.db, message.accountId);
  if (account === undefined) {
    return { kind: "uncheckable", reason: "the account is gone" };
  }
  try {
    return await env.mail.find(mailboxOf(env, account), message.messageId);
  } catch (error) {
    if (error instanceof UnreadableCredentials) {
      return { kind: "uncheckable", reason: error.message };
    }
    throw error;
  }
}

/**
 * Accounts whose secrets were sealed with another master key are in `error`, each by itself, and the rest
 * goes on. With the right key back they are tried again, as are those whose OAuth client was refused.
 */
async function checkCredentials(env: Environment): Promise<number> {
  let unreadable = await checkWorkspaceSecrets(env);
  for (const row of accountsWithSecrets(env.db)) {
    const words = unreadableWords(env, row);
    if (words !== null) {
      unreadable += 1;
      if (row.lastError !== UNREADABLE) {
        await env.commit(() => recordAuthFailure(env, row.id, words));
      }
    } else if (row.statusReason === "auth" && mayWorkNow(row.lastError ?? "")) {
      await env.commit(() => probeSoon(env, row));
    }
  }
  return unreadable;
}

/** Of a workspace that alone is refused; with the right key back it is asked again by itself. */
async function checkWorkspaceSecrets(env: Environment): Promise<number> {
  const unreadable = listAllWorkspaces(env.db).filter((row) => !isGrantReadable(env.vault, row));
  for (const { id } of unreadable) {
    await env.commit(() => recordWorkspace(env, id, UNREADABLE));
  }
  return unreadable.length;
}

/** Settings were at fault, and they may be others since. */
function mayWorkNow(lastError: string): boolean {
  return lastError === UNREADABLE || /\b(invalid_client|unauthorized_client)\b/.test(lastError);
}

function unreadableWords(env: Environment, row: AccountRow): string | null {
  try {
    openCredentials(env.vault, row);
    return null;
  } catch (error) {
    if (error instanceof UnreadableCredentials) {
      return error.message;
    }
    throw error;
  }
}
