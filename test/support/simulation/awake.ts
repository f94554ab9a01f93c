/** No mailbox sleeps past the time at which it could send: its hint is never later than the planner's. */

import { decide } from "#domain/plan-sends.ts";
import { MINUTE_MS, plus } from "#domain/time.ts";
import { accountsOf } from "#store/accounts.ts";
import { planAccount, storeLedger } from "#store/ledger.ts";
import { isSendable } from "#usecases/outbox.ts";
import type { World } from "#world.ts";
import type { Violation } from "./checks.ts";
import type { Team } from "./team.ts";

export function sleepers(world: World, { caller }: Team): Violation[] {
  const now = world.clock.now();
  const ledger = storeLedger(world.db, caller.teamId);
  return accountsOf(world.db, caller.teamId).flatMap((row): Violation[] => {
    const decision = decide(ledger, planAccount(row, isSendable(world, row)), now);
    const due = decision.kind === "send" ? now : decision.until;
    // What others give back is looked at with the next full minute.
    const isAwake =
      due === undefined || (row.wakeAt ?? Infinity) <= Math.max(due, plus(now, MINUTE_MS));
    const detail = `${row.email} could send at ${due}, sleeps until ${row.wakeAt}`;
    return isAwake ? [] : [{ invariant: "awake", detail }];
  });
}
