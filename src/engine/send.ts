/**
 * The send worker: claim, hand over, settle. Mailboxes work side by side, each one email at a time, in the
 * order in which they became due; a slow server holds up nobody else.
 */

import { providerIn } from "#domain/campaigns/counters.ts";
import { countedAs, takesNoEmail } from "#domain/mailboxes/mail-provider.ts";
import { classifyFault } from "#domain/mailboxes/smtp-fault.ts";
import { CLAIMS_A_ROUND } from "#domain/sending/message.ts";
import { stackOf } from "#domain/thrown.ts";
import { isAhead, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { SendOutcome } from "#platform/ports/mail.ts";
import { createShares, type Shares } from "#platform/shares.ts";
import { isStorageTrouble } from "#store/campaigns/trouble.ts";
import { accountsToWake, nextWakeAt, type WaitingMailbox } from "#store/mailboxes/accounts.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { StoreClosing } from "#store/sqlite/commit.ts";
import type { AccountRow, MailDomainRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { claimNext } from "#usecases/delivery/claim.ts";
import {
  beginBody,
  passReceiver,
  settle,
  settleUnrecorded,
  withdraw,
} from "#usecases/delivery/settle.ts";
import { forgetFuture } from "#usecases/events/wake.ts";
import { UnreadableCredentials } from "#usecases/mailboxes/credentials.ts";
import { findReceiver } from "#usecases/mailboxes/mail-domains.ts";
import { mailboxOf } from "#usecases/mailboxes/mailbox.ts";
import { isRefusedBy } from "#usecases/mailboxes/receivers.ts";
import { ClaimFault } from "#usecases/sending/claim-step.ts";
import { defer, wakeAccountAt } from "#usecases/sending/defer.ts";
import { envelopeOf } from "#usecases/sending/draft.ts";
import type { Claim, Withdrawal } from "#usecases/sending/outgoing.ts";
import { isLeftToOthers, isMatched } from "#usecases/sending/provider-match.ts";
import { within } from "./run.ts";
import type { Worker } from "./worker.ts";

/**
 * Emails on their way at once, each a connection: of all, and to one host. A host's share is a
 * round's, so that a clock that jumps serves mailboxes in the projection's order.
 */
const SENDS_MAX = { all: 200, host: CLAIMS_A_ROUND };
/** After a claim that was undone, since files of other emails fill the memory: about as long as one takes. */
const FULL_MS = 5 * SECOND_MS;
/** Nobody was found beside a team that fills the rounds: its queue is not walked again before. */
const ALONE_MS = SECOND_MS;
/** After an outcome that could not be recorded: until it is, nothing more is sent. */
const RECORD_AGAIN_MS = 5 * SECOND_MS;

/** Undoes a claim: its files don't fit into memory beside those of other emails. */
class AttachmentsFull extends Error {}

class Withdrawn extends Error {
  readonly why: Withdrawal;
  constructor(why: Withdrawal) {
    super(`withdrawn: ${why}`);
    this.why = why;
  }
}

/** A mailbox whose turn it is. */
interface Turn {
  id: Id;
  /** Frees its slot, and the memory of what it has claimed. */
  release: () => void;
}

export function sendWorker(env: Environment): Worker {
  const underWay = new Set<Promise<void>>();
  const shares = createShares(SENDS_MAX);
  const rounds = createRounds(env, shares);
  /** Outcomes that the disk had no room for, by message: only this process knows them. */
  const unrecorded = new Map<Id, () => void>();

  const recordLate = async (): Promise<void> => {
    for (const [id, write] of unrecorded) {
      if ((await record(env, id, write)) === "later") {
        return;
      }
      unrecorded.delete(id);
    }
  };

  /** The clock goes back only where somebody sets it. */
  let latest = env.clock.now();

  const step = async (now: UnixMs): Promise<UnixMs | undefined> => {
    if (now < latest) {
      await env.commit(() => forgetFuture(env, now));
    }
    latest = now;
    await recordLate();
    if (unrecorded.size > 0) {
      return plus(now, RECORD_AGAIN_MS);
    }
    const room = Math.min(CLAIMS_A_ROUND, shares.room());
    if (room <= 0) {
      return undefined;
    }
    // Mostly nothing is due, which the index alone tells.
    const next = nextWakeAt(env.db);
    if (next === undefined || next > now) {
      return next;
    }
    const waiting = rounds(now, room);
    const due = waiting.flatMap((one): Turn[] => {
      const release = shares.take(one);
      return release === undefined ? [] : [{ id: one.id, release }];
    });
    const claims = await Promise.allSettled(
      due.map((one) => env.commit(() => claimWithin(env, one, now))),
    );
    const started = due.filter(({ release }, at) => startClaimed(claims[at], release)).length > 0;
    // Only now: what the other mailboxes have claimed is theirs to send.
    await Promise.all(due.map(({ id }, at) => passOver(env, id, claims[at], now)));
    const isMore = started || waiting.length === room;
    return isMore ? now : nextWakeAt(env.db, shares.full());
  };

  /** False where there is nothing to send: the slot is free again. */
  const startClaimed = (claim: PromiseSettledResult<Claim> | undefined, release: () => void) => {
    if (claim?.status === "fulfilled" && claim.value.kind === "send") {
      start(claim.value, release);
      return true;
    }
    release();
    return false;
  };

  const start = (claim: Extract<Claim, { kind: "send" }>, release: () => void) => {
    const { account, message } = claim;
    const sending = send(env, account, message).then(async (write) => {
      if ((await record(env, message.id, write)) === "later") {
        unrecorded.set(message.id, write);
      }
      underWay.delete(sending);
      release();
      env.wake();
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

/**
 * The mailboxes of the next round. Where one team would have more than its three quarters of it and others wait
 * behind, these come in for the rest.
 */
function createRounds({ db }: Environment, shares: Shares) {
  let aloneUntil: UnixMs | undefined;
  return (now: UnixMs, room: number): WaitingMailbox[] => {
    const { hosts, teams } = shares.full();
    const first = accountsToWake(db, now, room, { hosts, teams });
    const rest = Math.floor(room / 4);
    const [largest] = [...Map.groupBy(first, ({ teamId }) => teamId)].filter(
      ([, mailboxes]) => mailboxes.length > room - rest,
    );
    const isShort = first.length < room || rest === 0;
    if (isShort || largest === undefined || isAhead(aloneUntil, now, ALONE_MS)) {
      return first;
    }
    const [team, own] = largest;
    const others = accountsToWake(db, now, rest, { hosts, teams: [...teams, team] });
    aloneUntil = others.length === 0 ? plus(now, ALONE_MS) : undefined;
    return [...own.slice(0, room - others.length), ...others];
  };
}

/**
 * Claims an email only if its files fit into memory now: one that waited for others with its claim would come after
 * its window, and hold a slot. Throws {@link AttachmentsFull}, which undoes the claim.
 */
function claimWithin(env: Environment, turn: Turn, now: UnixMs): Claim {
  const claim = claimNext(env, turn.id, now);
  if (claim.kind === "send" && claim.bytes > 0) {
    const forget = env.attachmentCapacity.take(claim.bytes);
    if (forget === undefined) {
      throw new AttachmentsFull();
    }
    const { release } = turn;
    turn.release = () => {
      forget();
      release();
    };
  }
  return claim;
}

/** Throws what is the disk's trouble; a bug of ours is one lead's or one mailbox's, and others go on. */
async function passOver(
  env: Environment,
  account: Id,
  claim: PromiseSettledResult<Claim> | undefined,
  now: UnixMs,
): Promise<void> {
  if (claim?.status !== "rejected") {
    return;
  }
  const fault: unknown = claim.reason;
  if (fault instanceof AttachmentsFull) {
    await env.commit(() => wakeAccountAt(env, account, plus(now, FULL_MS)));
    return;
  }
  if (isStorageTrouble(fault)) {
    throw fault;
  }
  env.log.error("claiming failed inside", { account, cause: stackOf(fault) });
  const enrollment = fault instanceof ClaimFault ? fault.enrollmentId : null;
  await env.commit(() => defer(env, account, enrollment, now));
}

/** Hands an email over and returns how to record its outcome. Never rejects. */
async function send(
  env: Environment,
  account: AccountRow,
  message: MessageRow,
): Promise<() => void> {
  let begun = false;
  let withdrawn: Withdrawal | undefined;
  let outcome: SendOutcome;
  const isStep = message.kind === "step";
  const looking = lookUp(env, account, message);
  const known = await looking.briefly;
  const claimed = env.clock.now();
  if (known !== undefined && isStep) {
    const { provider, mx } = known;
    const found = countedAs({ provider, isKnown: mx !== "unknown" });
    const isMiscounted = isLimited(account) && found !== providerIn(message.reserved);
    const isUnmatched = isLeftToOthers(env, account, message, known);
    if (isMiscounted || isUnmatched || isRefusedBy(account, known, claimed)) {
      return () => passReceiver(env, message.id, known, "receiver", claimed);
    }
    // The next claim puts its lead on hold.
    if (takesNoEmail(known.mx)) {
      return () => passReceiver(env, message.id, known, "address", claimed);
    }
  }
  try {
    const mailbox = mailboxOf(env, account);
    const envelope = await envelopeOf(env, account, message);
    outcome = await env.mail.send(mailbox, envelope, async () => {
      const why = await begin(env, message.id);
      if (why !== undefined) {
        withdrawn = why;
        throw new Withdrawn(why);
      }
      begun = true;
    });
  } catch (error) {
    outcome = failedInside(env, message, error, begun);
  }
  const why = withdrawn;
  const at = env.clock.now();
  if (why !== undefined) {
    return () => withdraw(env, message.id, why, at);
  }
  const refused = outcome.kind !== "accepted" && classifyFault(outcome).kind === "sender";
  const receiver = refused ? await findReceiver(env, message, { afresh: true }) : looking.found();
  const tried = receiver === undefined ? { account } : { account, receiver };
  return () => settle(env, message.id, outcome, at, tried);
}

/** Name servers answer in less; an email waits no longer for them. */
const LOOK_MS_MAX = 2_000;
/** After one that took longer, no email of its team waits at all. */
const SILENT_MS = MINUTE_MS;
const silences = new WeakMap<Environment, Map<Id, UnixMs>>();

/**
 * Whose servers the recipient's domain is behind. It's waited for as long as it takes only where some provider
 * refuses the mailbox, the mailbox has limits for some, or leads wait for a mailbox at theirs; otherwise an email goes out without, and counts for
 * whatever has come when it's settled.
 */
function lookUp(env: Environment, account: AccountRow, message: MessageRow) {
  let found: MailDomainRow | undefined;
  if (account.refusals === null && message.kind !== "step") {
    return { briefly: Promise.resolve(found), found: () => found };
  }
  const answer = findReceiver(env, message, { afresh: false }).then((receiver) => {
    found = receiver;
    return receiver;
  });
  const wait = async () => {
    const until = silences.get(env) ?? new Map<Id, UnixMs>();
    const isSilent = (until.get(account.teamId) ?? 0) > env.wall.now();
    const receiver = await within(isSilent ? 0 : LOOK_MS_MAX, answer);
    if (receiver === undefined && !isSilent) {
      silences.set(env, until.set(account.teamId, plus(env.wall.now(), SILENT_MS)));
    }
    return receiver;
  };
  const mustKnow = account.refusals !== null || isLimited(account) || isMatched(env, message);
  return { briefly: mustKnow ? answer : wait(), found: () => found };
}

function isLimited({ providerLimits }: AccountRow): boolean {
  return Object.keys(providerLimits).length > 0;
}

/** What forbids the body; a store that cannot note that it began does too, and no server is to blame. */
async function begin(env: Environment, message: Id): Promise<Withdrawal | undefined> {
  try {
    return await env.commit(() => beginBody(env, message));
  } catch (error) {
    if (isStorageTrouble(error)) {
      return "storage";
    }
    throw error;
  }
}

/**
 * Never rejects. "later": the disk is full or busy, and it can be tried again. What fails by a bug of ours
 * is in doubt, so that its mailbox goes on; what cannot even be that, or comes when the program ends, is left
 * to `recover.ts`.
 */
async function record(env: Environment, message: Id, write: () => void): Promise<"done" | "later"> {
  const unconfirmed = () => settleUnrecorded(env, message);
  for (const way of [write, unconfirmed]) {
    try {
      await env.commit(way);
      return "done";
    } catch (error) {
      if (error instanceof StoreClosing) {
        return "done";
      }
      env.log.error("outcome not recorded", { message, cause: stackOf(error) });
      if (isStorageTrouble(error)) {
        return "later";
      }
    }
  }
  return "done";
}

function failedInside(
  env: Environment,
  message: MessageRow,
  error: unknown,
  bodySent: boolean,
): SendOutcome {
  if (error instanceof UnreadableCredentials) {
    const verdict = { code: 535, enhanced: null, response: error.message };
    return { kind: "refused", stage: "auth", ...verdict };
  }
  env.log.error("sending failed inside", { message: message.id, cause: stackOf(error) });
  return { kind: "unreachable", stage: "connect", reason: "internal error", bodySent };
}
