/**
 * The inbox lane: reads every mailbox from where it left off, and lets each mail take effect. The
 * cursor moves after the mails before it, so a crash reads them again and the store recognises them.
 */

import { classify } from "#domain/inbound/classify.ts";
import type { UnixMs } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import type { ReceivedMail } from "#runtime/ports/mail.ts";
import { accountsToPoll, nextPollAt } from "#store/accounts.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { type Arrived, receiveMail, unreadable } from "#usecases/inbox.ts";
import { mailboxOf } from "#usecases/mailbox.ts";
import { noteRead, noteUnreadable } from "#usecases/polls.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Mailboxes read side by side. */
const POLLS_MAX = 16;

export function inboxLane(world: World): Lane {
  return {
    name: "inbox",
    step: async (now) => {
      const due = accountsToPoll(world.db, now, POLLS_MAX);
      await Promise.all(due.map((account) => readSafely(world, account, now)));
      return due.length === POLLS_MAX ? now : nextPollAt(world.db);
    },
    settled: () => Promise.resolve(),
  };
}

/** A bug in one mailbox's mail is logged, and holds up no other mailbox. */
async function readSafely(world: World, account: AccountRow, now: UnixMs): Promise<void> {
  try {
    await readMailbox(world, account, now);
  } catch (error) {
    const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
    world.log.error("reading a mailbox failed inside", { account: account.id, cause });
    const outcome = { kind: "unreachable", reason: "internal error", login: false } as const;
    await world.commit(() => noteUnreadable(world, account, outcome, now));
  }
}

async function readMailbox(world: World, account: AccountRow, now: UnixMs): Promise<void> {
  const outcome = await world.mail.poll(mailboxOf(world, account), account.pollCursor);
  if (outcome.kind === "unreachable") {
    await world.commit(() => noteUnreadable(world, account, outcome, now));
    return;
  }
  const arrived: Arrived[] = [];
  for (const received of outcome.mails) {
    arrived.push(await read(world, account, received));
  }
  // Queued in one turn, so in one transaction; each is undone alone where it fails.
  const taken = arrived.map((mail) => take(world, account, mail));
  await Promise.all(taken);
  await world.commit(() => noteRead(world, account, outcome, now));
  if (arrived.length > 0) {
    world.wake();
  }
}

async function read(world: World, account: AccountRow, received: ReceivedMail): Promise<Arrived> {
  try {
    const mail = await parseMail(received.raw);
    const own = { addresses: [account.email], receivedAt: received.receivedAt };
    return { received, mail, reading: classify(mail, own) };
  } catch (error) {
    complain(world, account, received, error);
    return unreadable(received);
  }
}

/** A mail that we fail over is kept as it came, and the next one is taken. */
async function take(world: World, account: AccountRow, arrived: Arrived): Promise<void> {
  try {
    await world.commit(() => receiveMail(world, account, arrived));
  } catch (error) {
    complain(world, account, arrived.received, error);
    await world.commit(() => receiveMail(world, account, unreadable(arrived.received)));
  }
}

function complain(
  world: World,
  account: AccountRow,
  { folder, uid }: ReceivedMail,
  error: unknown,
): void {
  const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
  world.log.error("reading a mail failed inside", { account: account.id, folder, uid, cause });
}
