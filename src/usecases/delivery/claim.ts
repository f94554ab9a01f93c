/**
 * The first part of sending: *claim* takes the next email of a mailbox in one transaction. Manual replies
 * come first, then placement tests, then sequences. `settle.ts` has what follows.
 */

import { plus, SECOND_MS, earlier as sooner, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { nextTest } from "#store/placement/placement-tests.ts";
import { isUnderWay, nextReply } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { claimPlayedStep, decideStep } from "#usecases/sending/claim-step.ts";
import type { Claim } from "#usecases/sending/outgoing.ts";
import { OUTGOING } from "./kinds.ts";

type ClaimOf = (typeof OUTGOING)["step"]["claim"];

/** Claims the next email of an account. Runs inside a commit. Throws `ClaimFault`. */
export function claimNext(env: Environment, accountId: Id, now: UnixMs): Claim {
  const account = accountById(env.db, accountId);
  return account === undefined || account.unconfirmed !== null
    ? rest(env, account)
    : claim(env, account, now, OUTGOING.step.claim);
}

/** As {@link claimNext} at a past instant: what a mailbox would have sent then. */
export function claimPlayed(env: Environment, accountId: Id, at: UnixMs): Claim {
  const account = accountById(env.db, accountId);
  return account === undefined ? rest(env, account) : claim(env, account, at, claimPlayedStep);
}

/**
 * When a mailbox that has an outcome is to be asked again: now, unless its least gap keeps it waiting and
 * nothing but its sequences has anything to send. What the next claim would find out is then known at once,
 * without a transaction of its own. Null: only a change can bring work.
 */
export function askAgainAt(env: Environment, account: AccountRow, now: UnixMs): UnixMs | null {
  const { id, status, lastClaimAt, minGapSeconds, unconfirmed } = account;
  const rests = lastClaimAt !== null && now < plus(lastClaimAt, minGapSeconds * SECOND_MS);
  if (status !== "active" || unconfirmed !== null || !rests) {
    return now;
  }
  if (nextReply(env.db, id) !== undefined || nextTest(env.db, id) !== undefined) {
    return now;
  }
  const decision = decideStep(env, account, now);
  return decision.kind === "wait" ? (decision.until ?? null) : now;
}

/** Only a change can bring it work. */
function rest(env: Environment, account: AccountRow | undefined): Claim {
  if (account !== undefined) {
    updateAccount(env.db, { ...account, wakeAt: null });
  }
  return { kind: "wait", until: undefined };
}

function claim(env: Environment, account: AccountRow, now: UnixMs, claimStep: ClaimOf): Claim {
  if (isUnderWay(env.db, account.id)) {
    return rest(env, account);
  }
  let until: UnixMs | undefined;
  for (const claimKind of [OUTGOING.manual.claim, OUTGOING.placement.claim, claimStep]) {
    const claimed = claimKind(env, account, now);
    if (claimed.kind === "send") {
      return claimed;
    }
    until = sooner(until, claimed.until);
  }
  updateAccount(env.db, { ...account, wakeAt: until ?? null });
  return { kind: "wait", until };
}
