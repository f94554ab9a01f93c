/**
 * The inbox worker: reads every mailbox from where it left off, and lets each email take effect. The
 * cursor moves after the emails before it, so a crash reads them again and the store recognises them.
 */

import { stackOf } from "#domain/thrown.ts";
import { earlier, isAhead, MINUTE_MS, plus, SECOND_MS, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { parseMail } from "#mail/parse.ts";
import { reportIn } from "#mail/reports/attached.ts";
import type { ReceivedMail } from "#platform/ports/mail.ts";
import { createShares } from "#platform/shares.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import { accountById, accountsToPoll, nextPollAt } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { StoreClosing } from "#store/sqlite/commit.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { type Arrived, receiveMail, unreadable } from "#usecases/inbox/inbox.ts";
import { readingOf } from "#usecases/inbox/reading.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { readSoon, recordRead, recordUnreadable } from "#usecases/mailboxes/polls.ts";
import { Watches } from "./watches.ts";
import type { Worker } from "./worker.ts";

/** Mailboxes read side by side: of all, and at one host. A slow server holds up nobody else. */
const POLLS_MAX = { all: 32, host: 16 };
/** Mailboxes looked at in a step, those that are being read among them. */
const LOOK_MAX = 256;
/** A mailbox whose connection is about to be opened is not logged into twice, unless that takes longer. */
const COMING_MS_MAX = 2 * MINUTE_MS;
/** After a look that could not be recorded, so that a full disk does not log in without end. */
const PAUSE_AFTER_FAULT_MS = 5 * SECOND_MS;

export function inboxWorker(env: Environment): Worker {
  const underWay = new Map<Id, Promise<void>>();
  const resting = new Map<Id, UnixMs>();
  const watches = new Watches(env);
  const shares = createShares(POLLS_MAX);

  const start = (id: Id, now: UnixMs, release: () => void) => {
    const account = accountById(env.db, id);
    if (account === undefined) {
      release();
      return;
    }
    const reading = readSafely(env, account, { now, isWatched: () => watches.isWatched(id) });
    const settled = reading.then((isRecorded) => {
      underWay.delete(id);
      release();
      if (isRecorded) {
        resting.delete(id);
      } else {
        resting.set(id, plus(env.clock.now(), PAUSE_AFTER_FAULT_MS));
      }
      env.wake();
    });
    underWay.set(id, settled);
  };

  return {
    name: "inbox",
    watched: () => watches.count,
    step: async (now) => {
      const nextTend = watches.tend(now);
      const news = watches.takeNews((id) => !underWay.has(id));
      if (news.length > 0) {
        await env.commit(() => readSoon(env, news, now));
      }
      const passed = shares.full();
      const waits = accountsToPoll(env.db, now, LOOK_MAX, passed)
        .filter(({ id }) => !underWay.has(id))
        .map((one) => {
          const since = watches.comingSince(one.id);
          const rested = notBefore(one.at, resting.get(one.id), now, PAUSE_AFTER_FAULT_MS);
          const comingUntil = since && plus(since, COMING_MS_MAX);
          return { ...one, at: notBefore(rested, comingUntil, now, COMING_MS_MAX) };
        });
      let started = false;
      for (const one of waits.filter(({ at }) => at <= now)) {
        const release = shares.take(one);
        if (release !== undefined) {
          start(one.id, now, release);
          started = true;
        }
      }
      if (started) {
        return now;
      }
      const isFull = shares.room() <= 0;
      return isFull
        ? nextTend
        : waits.reduce<UnixMs | undefined>(
            (next, { at }) => earlier(next, at),
            earlier(nextTend, nextPollAt(env.db, now, passed)),
          );
    },
    settled: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay.values());
      }
    },
  };
}

/** `at`, or `until` where a wait of `msMax` at most ends later. */
function notBefore(at: UnixMs, until: UnixMs | undefined, now: UnixMs, msMax: number): UnixMs {
  return until !== undefined && isAhead(until, now, msMax) ? unixMs(Math.max(at, until)) : at;
}

interface Reading {
  now: UnixMs;
  /** Asked when it is over: how soon it has to be read again depends on it. */
  isWatched: () => boolean;
}

/**
 * A bug in one mailbox's email is logged, and holds up no other mailbox. Never rejects. False: what came
 * of it could not be recorded, and the mailbox is still due.
 */
async function readSafely(
  env: Environment,
  account: AccountRow,
  reading: Reading,
): Promise<boolean> {
  const { now } = reading;
  try {
    await readMailbox(env, account, reading);
    return true;
  } catch (error) {
    if (error instanceof StoreClosing) {
      return false;
    }
    if (isStorageTrouble(error)) {
      // The server is not to blame, and the email is still there.
      env.log.error("an email could not be stored", {
        account: account.id,
        cause: stackOf(error),
      });
      return false;
    }
    const isUnreadable = error instanceof UnreadableCredentials;
    const reason = isUnreadable ? error.message : "internal error";
    if (!isUnreadable) {
      env.log.error("reading a mailbox failed inside", {
        account: account.id,
        cause: stackOf(error),
      });
    }
    const outcome = { kind: "unreachable", reason, login: isUnreadable } as const;
    try {
      await env.commit(() => recordUnreadable(env, account, outcome, now));
      return true;
    } catch (cause) {
      const words = stackOf(cause);
      env.log.error("a poll was not recorded", { account: account.id, cause: words });
      return false;
    }
  }
}

async function readMailbox(
  env: Environment,
  account: AccountRow,
  { now, isWatched }: Reading,
): Promise<void> {
  const outcome = await env.mail.poll(mailboxOf(env, account), account.pollCursor);
  if (outcome.kind === "unreachable") {
    await env.commit(() => recordUnreadable(env, account, outcome, now));
    return;
  }
  const arrived: Arrived[] = [];
  for (const received of outcome.mails) {
    arrived.push(await read(env, account, received));
  }
  // Queued in one turn, so in one transaction; each is undone alone where it fails.
  const taken = arrived.map((mail) => take(env, account, mail));
  await Promise.all(taken);
  await env.commit(() => recordRead(env, account, outcome, { now, isWatched: isWatched() }));
}

async function read(
  env: Environment,
  account: AccountRow,
  received: ReceivedMail,
): Promise<Arrived> {
  try {
    const parsed = await parseMail(received.raw);
    const mail = received.sizeBytes === undefined ? parsed : { ...parsed, truncated: true };
    const report = await reportIn(received.raw, mail);
    return { received, mail, reading: readingOf(env, account, received, mail), report };
  } catch (error) {
    complain(env, account, received, error);
    return unreadable(received);
  }
}

/**
 * An email that we fail over is kept as it came, and the next one is taken. Not where the disk failed: the
 * email is read again once it can be stored.
 */
async function take(env: Environment, account: AccountRow, arrived: Arrived): Promise<void> {
  try {
    await env.commit(() => receiveMail(env, account, arrived));
  } catch (error) {
    if (isStorageTrouble(error) || error instanceof StoreClosing) {
      throw error;
    }
    complain(env, account, arrived.received, error);
    await env.commit(() => receiveMail(env, account, unreadable(arrived.received)));
  }
}

function complain(
  env: Environment,
  account: AccountRow,
  { folder, uid }: ReceivedMail,
  error: unknown,
): void {
  const cause = stackOf(error);
  env.log.error("reading an email failed", { account: account.id, folder, uid, cause });
}
