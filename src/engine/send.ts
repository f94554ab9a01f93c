/**
 * The send lane: claim, hand over, settle. Mailboxes work side by side, each one mail at a time, in the
 * order in which they became due; a slow server holds up nobody else.
 */

import { CLAIMS_A_ROUND } from "#domain/message.ts";
import type { UnixMs } from "#domain/time.ts";

import type { SendOutcome } from "#runtime/ports/mail.ts";
import { accountsToWake, nextWakeAt } from "#store/accounts.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { UnreadableCredentials } from "#usecases/credentials.ts";
import { envelopeOf } from "#usecases/draft.ts";
import { mailboxOf } from "#usecases/mailbox.ts";
import { beginBody, type Claim, claimNext, type Withdrawal } from "#usecases/outbox.ts";
import { settle, withdraw } from "#usecases/settle.ts";
import type { World } from "#world.ts";
import type { Lane } from "./lane.ts";

/** Mails on their way at once; each is a connection. */
const SENDS_MAX = 200;

class Withdrawn extends Error {
  readonly why: Withdrawal;
  constructor(why: Withdrawal) {
    super(`withdrawn: ${why}`);
    this.why = why;
  }
}

export function sendLane(world: World): Lane {
  const underWay = new Set<Promise<void>>();

  const step = async (now: UnixMs): Promise<UnixMs | undefined> => {
    const room = Math.min(CLAIMS_A_ROUND, SENDS_MAX - underWay.size);
    if (room <= 0) {
      return undefined;
    }
    const due = accountsToWake(world.db, now, room);
    const claims = await Promise.all(
      due.map(({ id }) => world.commit(() => claimNext(world, id, now))),
    );
    let started = false;
    for (const claim of claims) {
      if (claim.kind === "send") {
        start(claim);
        started = true;
      }
    }
    return started || due.length === room ? now : nextWakeAt(world.db);
  };

  const start = (claim: Extract<Claim, { kind: "send" }>) => {
    const sending = send(world, claim.account, claim.message).finally(() => {
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

/** Never rejects: whatever happens is recorded, or left to `recover.ts` when it cannot even be recorded. */
async function send(world: World, account: AccountRow, message: MessageRow): Promise<void> {
  let begun = false;
  let withdrawn: Withdrawal | undefined;
  let outcome: SendOutcome;
  try {
    const mailbox = mailboxOf(world, account);
    const envelope = await envelopeOf(world, account, message);
    outcome = await world.mail.send(mailbox, envelope, async () => {
      const why = await world.commit(() => beginBody(world, message.id));
      if (why !== undefined) {
        withdrawn = why;
        throw new Withdrawn(why);
      }
      begun = true;
    });
  } catch (error) {
    outcome = failedInside(world, message, error, begun);
  }
  try {
    await world.commit(() => {
      const now = world.clock.now();
      if (withdrawn === undefined) {
        settle(world, message.id, outcome, now, account);
      } else {
        withdraw(world, message.id, withdrawn, now);
      }
    });
  } catch (error) {
    world.log.error("outcome not recorded", { message: message.id, cause: describe(error) });
  }
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
