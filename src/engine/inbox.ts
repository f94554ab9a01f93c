/**
 * The inbox lane: reads every mailbox from where it left off, and lets each mail take effect. The
 * cursor moves in the transaction of the mails before it, so a crash reads them again and the store
 * recognises them.
 */

import { classify } from "#domain/inbound/classify.ts";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import type { PollOutcome, ReceivedMail } from "#runtime/ports/mail.ts";
import {
  accountById,
  accountsToPoll,
  movePoll,
  nextPollAt,
  updateAccount,
} from "#store/accounts.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { isPolled, noteAuthFailure } from "#usecases/accounts.ts";
import { type Arrived, receiveMail } from "#usecases/inbox.ts";
import { mailboxOf } from "#usecases/mailbox.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Mailboxes read side by side. */
const POLLS_MAX = 16;
const BACKOFF_MS_MAX = 60 * MINUTE_MS;

export function inboxLane(world: World): Lane {
  return {
    name: "inbox",
    step: async (now) => {
      const due = accountsToPoll(world.db, now, POLLS_MAX);
      await Promise.all(due.map((account) => readMailbox(world, account, now)));
      return due.length === POLLS_MAX ? now : nextPollAt(world.db);
    },
    settled: () => Promise.resolve(),
  };
}

async function readMailbox(world: World, account: AccountRow, now: UnixMs): Promise<void> {
  const outcome = await world.mail.poll(mailboxOf(world, account), account.pollCursor);
  if (outcome.kind === "unreachable") {
    await world.commit(() => noteUnreachable(world, account, outcome, now));
    return;
  }
  const arrived: Arrived[] = [];
  for (const received of outcome.mails) {
    arrived.push(await read(account, received));
  }
  await world.commit(() => {
    for (const mail of arrived) {
      receiveMail(world, account, mail);
    }
    const current = accountById(world.db, account.id);
    if (current !== undefined) {
      const next = plus(now, outcome.more ? 0 : world.pollEveryMs);
      movePoll(world.db, account.id, {
        pollCursor: outcome.cursor,
        pollErrors: 0,
        pollAt: isPolled(current, world.env) ? next : null,
      });
    }
  });
  if (arrived.length > 0) {
    world.wake();
  }
}

async function read(account: AccountRow, received: ReceivedMail): Promise<Arrived> {
  const mail = await parseMail(received.raw);
  const own = { addresses: [account.email], receivedAt: received.receivedAt };
  return { received, mail, reading: classify(mail, own) };
}

function noteUnreachable(
  world: World,
  account: AccountRow,
  outcome: Extract<PollOutcome, { kind: "unreachable" }>,
  now: UnixMs,
): void {
  if (outcome.login) {
    noteAuthFailure(world, account.id, outcome.reason);
  }
  const current = accountById(world.db, account.id);
  if (current !== undefined) {
    const pollErrors = current.pollErrors + 1;
    const wait = Math.min(BACKOFF_MS_MAX, world.pollEveryMs * 2 ** Math.min(pollErrors, 10));
    updateAccount(world.db, {
      ...current,
      pollErrors,
      lastError: current.lastError ?? outcome.reason,
      pollAt: outcome.login ? null : plus(now, wait),
    });
  }
}
