/** A plan's mails of a month, as a projection uses them up. */

import type { Ledger } from "#domain/sending/plan-sends.ts";
import type { UnixMs } from "#domain/time.ts";
import { mailsOfMonth } from "#store/billing/limits.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { allowanceOf, monthOf } from "#usecases/events/limits.ts";
import type { World } from "#world.ts";

export interface ProjectedMails {
  /** The counter that a mail at this instant goes on. */
  counter(at: UnixMs): ReturnType<typeof mailsOfMonth>;
  /** The month's end while no mails are left: what the plan has stopped goes on then. */
  restUntil(ledger: Ledger, at: UnixMs): UnixMs | undefined;
}

export function projectMails(world: World, teamId: Id): ProjectedMails {
  const allowed = allowanceOf(world, teamId).limits.mails;
  const counter = (at: UnixMs) => mailsOfMonth(teamId, monthOf(at).month);
  return {
    counter,
    restUntil: (ledger, at) =>
      allowed !== null && ledger.count(counter(at)) >= allowed ? monthOf(at).monthTo : undefined,
  };
}
