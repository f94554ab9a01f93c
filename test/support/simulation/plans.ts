/** The plans of simulations: with so few emails a month that they run out. */

import { PLAN_LIMITS, type PlanLimits } from "#domain/sending/plan.ts";

export const SIMULATED_PLANS: PlanLimits = {
  community: PLAN_LIMITS.community,
  starter: { ...PLAN_LIMITS.community, mails: 15, placement_runs: 3 },
  pro: { ...PLAN_LIMITS.community, mails: 60, placement_runs: 10 },
  scale: PLAN_LIMITS.community,
};
