/**
 * The first part of sending: *claim* takes the next email of a mailbox in one transaction. Manual replies
 * come first, then placement tests, then sequences. `settle.ts` has what follows.
 */

import { earlier as sooner, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { isUnderWay } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { claimPlayedStep } from "#usecases/sending/claim-step.ts";
import type { Claim } from "#usecases/sending/outgoing.ts";
import { OUTGOING } from "./kinds.ts";

type ClaimOf = (typeof OUTGOING)["step"]["claim"];

/** Claims the next email of an account. Runs inside a commit. Throws `ClaimFault`. */
export function claimNext(env: Environment, accountId: Id, now: UnixMs): Claim {
  const account = accountById(env.db, accountId);
  if (account !== undefined && account.unconfirmed !== null) {
    updateAccount(env.db, { ...account, wakeAt: null });
    return { kind: "wait", until: undefined };
  }
  return claim(env, accountId, now, OUTGOING.step.claim);
}

/** As {@link claimNext} at a past instant: what a mailbox would have sent then. */
export function claimPlayed(env: Environment, accountId: Id, at: UnixMs): Claim {
  return claim(env, accountId, at, claimPlayedStep);
}

function claim(env: Environment, accountId: Id, now: UnixMs, claimStep: ClaimOf): Claim {
  const account = accountById(env.db, accountId);
  if (account === undefined) {
    return { kind: "wait", until: undefined };
  }
  if (isUnderWay(env.db, accountId)) {
    updateAccount(env.db, { ...account, wakeAt: null });
    return { kind: "wait", until: undefined };
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
