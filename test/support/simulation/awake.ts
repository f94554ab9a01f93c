/** No mailbox sleeps past the time at which it could send: its hint is never later than the planner's. */

import type { PlanAccount } from "#domain/sending/budget.ts";
import type { Ledger } from "#domain/sending/ledger.ts";
import { decide } from "#domain/sending/plan-sends.ts";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import { planAccount, storeLedger } from "#store/sending/ledger.ts";
import { isSendable } from "#usecases/sending/claim-step.ts";
import type { Violation } from "./checks.ts";
import type { Team } from "./team.ts";

/** Questions asked of the planner, each at the instant until which the one before told to wait. */
const ASKED_MAX = 200;

export function sleepers(env: Environment, { caller }: Team): Violation[] {
  const now = env.clock.now();
  const ledger = storeLedger(env.db, caller.teamId);
  return accountsOf(env.db, caller.teamId).flatMap((row): Violation[] => {
    const account = planAccount(row, isSendable(env, row));
    // What others release is looked at with the next full minute.
    const wakesAt = Math.max(row.wakeAt ?? Infinity, plus(now, MINUTE_MS));
    const due = sendsAt(ledger, account, now, wakesAt);
    const isAwake = due === undefined || wakesAt <= Math.max(due, plus(now, MINUTE_MS));
    const detail = `${row.email} could send at ${due}, sleeps until ${row.wakeAt}`;
    return isAwake ? [] : [{ invariant: "awake", detail }];
  });
}

/**
 * When the mailbox would send if nothing changed, before `end`. To be told to ask again is no email yet:
 * a cap that falls makes the mailbox wait for its next day, though nobody is due on it.
 */
function sendsAt(
  ledger: Ledger,
  account: PlanAccount,
  now: UnixMs,
  end: number,
): UnixMs | undefined {
  let at: UnixMs | undefined = now;
  for (let asked = 0; asked < ASKED_MAX && at !== undefined && at < end; asked += 1) {
    const decision = decide(ledger, account, at);
    if (decision.kind === "send") {
      return at;
    }
    at = decision.kind === "wait" ? decision.until : undefined;
  }
  return undefined;
}
