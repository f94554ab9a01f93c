/**
 * A team that has sent its month's emails pauses: its campaigns say `plan_limit`, and go on by themselves
 * when the month turns or the plan grows. Manual replies and opt-outs are never held up.
 */

import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import {
  activeCampaigns,
  campaignsStoppedByPlan,
  teamsPausedByPlan,
} from "#store/campaigns/campaigns.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { remaining } from "#usecases/events/limits.ts";
import { pauseByGuard, resumeByItself } from "./campaigns.ts";

/**
 * Pauses all active campaigns of a team if it has no emails left at the time of the claim in whose
 * transaction it runs: a claim counts for its own month, though a new one may have begun since.
 */
export function pauseForPlan(env: Environment, teamId: Id, now: UnixMs): void {
  if (remaining(env, teamId, "mails", now) > 0) {
    return;
  }
  for (const row of activeCampaigns(env.db, teamId)) {
    pauseByGuard(env, row, "plan_limit");
  }
}

/** Lets go on what only the plan has stopped, where there are emails left. Runs inside a commit. */
export function resumeWithinPlan(env: Environment, teamId: Id): void {
  if (remaining(env, teamId, "mails") > 0) {
    for (const row of campaignsStoppedByPlan(env.db, teamId)) {
      resumeByItself(env, row);
    }
  }
}

/**
 * Every team that its plan has stopped. Upkeep asks when the program starts, each hour and when a month
 * turns, so nothing has to be remembered of when a team was stopped. Runs inside a commit.
 */
export function resumeAllWithinPlan(env: Environment): void {
  for (const teamId of teamsPausedByPlan(env.db)) {
    resumeWithinPlan(env, teamId);
  }
}
