/**
 * The send lane: claim, hand over, settle. Mailboxes work side by side, each one mail at a time, in the
 * order in which they became due; a slow server holds up nobody else.
 */

import { CLAIMS_A_ROUND } from "#domain/message.ts";
import { plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { SendOutcome } from "#runtime/ports/mail.ts";
import { accountsToWake, nextWakeAt } from "#store/accounts.ts";
import type { Id } from "#store/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { isStorageTrouble } from "#store/trouble.ts";
import { UnreadableCredentials } from "#usecases/credentials.ts";
import { envelopeOf } from "#usecases/draft.ts";
import { mailboxOf } from "#usecases/mailbox.ts";
import { beginBody, type Claim, ClaimFault, claimNext, type Withdrawal } from "#usecases/outbox.ts";
import { putOff } from "#usecases/put-off.ts";
import { settle, settleUnrecorded, withdraw } from "#usecases/settle.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Mails on their way at once; each is a connection. */
const SENDS_MAX = 200;
/** After an outcome that could not be recorded: until it is, nothing more is sent. */
const RECORD_AGAIN_MS = 5 * SECOND_MS;

class Withdrawn extends Error {
  readonly why: Withdrawal;
  constructor(why: Withdrawal) {
    super(`withdrawn: ${why}`);
    this.why = why;
  }
}

export function sendLane(world: World): Lane {
  const underWay = new Set<Promise<void>>();
  /** Outcomes that the disk had no room for, by message: only this process knows them. */
  const unrecorded = new Map<Id, () => void>();

  const recordLate = async (): Promise<void> => {
    for (const [id, write] of unrecorded) {
      if ((await record(world, id, write)) === "later") {
        return;
      }
      unrecorded.delete(id);
    }
  };

  const step = async (now: UnixMs): Promise<UnixMs | undefined> => {
    await recordLate();
    if (unrecorded.size > 0) {
      return plus(now, RECORD_AGAIN_MS);
    }
    const room = Math.min(CLAIMS_A_ROUND, SENDS_MAX - underWay.size);
    if (room <= 0) {
      return undefined;
    }
    const due = accountsToWake(world.db, now, room);
    const claims = await Promise.allSettled(
      due.map(({ id }) => world.commit(() => claimNext(world, id, now))),
    );
    let started = false;
    for (const claim of claims) {
      if (claim.status === "fulfilled" && claim.value.kind === "send") {
        start(claim.value);
        started = true;
      }
    }
    // Only now: what the other mailboxes have claimed is theirs to send.
    await Promise.all(due.map(({ id }, at) => passOver(world, id, claims[at], now)));
    return started || due.length === room ? now : nextWakeAt(world.db);
  };

  const start = (claim: Extract<Claim, { kind: "send" }>) => {
    const { account, message } = claim;
    const sending = send(world, account, message).then(async (write) => {
      if ((await record(world, message.id, write)) === "later") {
        unrecorded.set(message.id, write);
      }
      underWay.delete(sending);
      world.wake();
    });
    underWay.add(sending);
  };

  return {
    name: "send",
    step,
    settled: async () => {
      while (underWay.size > 0) {
        await Promise.all(underWay);
      }
    },
  };
}

/** Throws what is the disk's trouble; a bug of ours is one lead's or one mailbox's, and others go on. */
async function passOver(
  world: World,
  account: Id,
  claim: PromiseSettledResult<Claim> | undefined,
  now: UnixMs,
): Promise<void> {
  if (claim?.status !== "rejected") {
    return;
  }
  const fault: unknown = claim.reason;
  if (isStorageTrouble(fault)) {
    throw fault;
  }
  world.log.error("claiming failed inside", { account, cause: describe(fault) });
  const enrollment = fault instanceof ClaimFault ? fault.enrollmentId : null;
  await world.commit(() => putOff(world, account, enrollment, now));
}

/** Hands a mail over and answers how to record what became of it. Never rejects. */
async function send(world: World, account: AccountRow, message: MessageRow): Promise<() => void> {
  let begun = false;
  let withdrawn: Withdrawal | undefined;
  let outcome: SendOutcome;
  try {
    const mailbox = mailboxOf(world, account);
    const envelope = await envelopeOf(world, account, message);
    outcome = await world.mail.send(mailbox, envelope, async () => {
      const why = await begin(world, message.id);
      if (why !== undefined) {
        withdrawn = why;
        throw new Withdrawn(why);
      }
      begun = true;
    });
  } catch (error) {
    outcome = failedInside(world, message, error, begun);
  }
  const why = withdrawn;
  const at = world.clock.now();
  return why === undefined
    ? () => settle(world, message.id, outcome, at, account)
    : () => withdraw(world, message.id, why, at);
}

/** What forbids the body; a store that cannot note that it began does too, and no server is to blame. */
async function begin(world: World, message: Id): Promise<Withdrawal | undefined> {
  try {
    return await world.commit(() => beginBody(world, message));
  } catch (error) {
    if (isStorageTrouble(error)) {
      return "storage";
    }
    throw error;
  }
}

/**
 * Never rejects. "later": the disk is full or busy, and it can be tried again. What fails by a bug of ours
 * is in doubt, so that its mailbox goes on; what cannot even be that is left to `recover.ts`.
 */
async function record(world: World, message: Id, write: () => void): Promise<"done" | "later"> {
  const inDoubt = () => settleUnrecorded(world, message);
  for (const way of [write, inDoubt]) {
    try {
      await world.commit(way);
      return "done";
    } catch (error) {
      world.log.error("outcome not recorded", { message, cause: describe(error) });
      if (isStorageTrouble(error)) {
        return "later";
      }
    }
  }
  return "done";
}

function failedInside(
  world: World,
  message: MessageRow,
  error: unknown,
  bodySent: boolean,
): SendOutcome {
  if (error instanceof UnreadableCredentials) {
    const verdict = { code: 535, enhanced: null, response: error.message };
    return { kind: "refused", stage: "auth", ...verdict };
  }
  world.log.error("sending failed inside", { message: message.id, cause: describe(error) });
  return { kind: "unreachable", stage: "connect", reason: "internal error", bodySent };
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
