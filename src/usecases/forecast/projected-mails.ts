/** A plan's emails of a month, as a projection uses them up. */

import type { Ledger } from "#domain/sending/ledger.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { mailsOfMonth } from "#store/billing/limits.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { allowanceOf, monthOf } from "#usecases/events/limits.ts";

export interface ProjectedMails {
  /** The counter that an email at this instant goes on. */
  counter(at: UnixMs): ReturnType<typeof mailsOfMonth>;
  /** The month's end while no emails are left: what the plan has stopped goes on then. */
  restUntil(ledger: Ledger, at: UnixMs): UnixMs | undefined;
}

export function projectMails(env: Environment, teamId: Id): ProjectedMails {
  const allowed = allowanceOf(env, teamId).limits.mails;
  const counter = (at: UnixMs) => mailsOfMonth(teamId, monthOf(at).month);
  return {
    counter,
    restUntil: (ledger, at) =>
      allowed !== null && ledger.count(counter(at)) >= allowed ? monthOf(at).monthTo : undefined,
  };
}
