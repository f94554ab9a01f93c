/**
 * What a change of a campaign's steps means for the leads under way, before it is made. They are counted by
 * where they stand, in an index; one that stands behind a step is taken to have had it.
 */

import { AFFECTED_MAX } from "#domain/campaigns/campaign.ts";
import { nextStep, type Sequence, stepsUpTo } from "#domain/campaigns/sequence.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { countAtPlace } from "#store/leads/places.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import { planStep, type StepChange, type StepPlan } from "./steps.ts";

/** Leads for whom the same changes. */
export interface AffectedGroup {
  leads: number;
  /** What they get next, its position that after the change; null: nothing follows. */
  next: StepRow | null;
  /** What they would get without the change. */
  insteadOf: StepRow | null;
}

export interface ForeseenStep {
  /** The step as it becomes, or as it was. */
  row: StepRow;
  groups: AffectedGroup[];
}

/** Changes nothing. Throws as the change does. */
export function foreseeStep(
  env: Environment,
  caller: Caller,
  campaignId: Id,
  change: StepChange,
): ForeseenStep {
  const plan = planStep(env, caller, campaignId, change);
  const campaign = campaignById(env.db, plan.row.campaignId);
  return { row: plan.row, groups: campaign?.startedAt == null ? [] : groupsOf(env, plan) };
}

function groupsOf(env: Environment, { before, after, row }: StepPlan): AffectedGroup[] {
  const groups = new Map<string, AffectedGroup>();
  const places = [null, ...before.steps.map(({ placeId }) => placeId), ...before.left.keys()];
  let left = AFFECTED_MAX;
  for (const placeId of places) {
    const insteadOf = comingNext(before, before, placeId);
    const next = comingNext(before, after, placeId);
    // Before the first step nothing waits.
    const isLater =
      placeId !== null &&
      (insteadOf?.waitDays !== next?.waitDays || insteadOf?.waitMinutes !== next?.waitMinutes);
    if (left > 0 && (insteadOf?.id !== next?.id || isLater)) {
      const leads = countAtPlace(env.db, row.campaignId, placeId, left);
      const key = `${insteadOf?.id} ${next?.id}`;
      const known = groups.get(key)?.leads ?? 0;
      left -= leads;
      groups.set(key, { leads: known + leads, next, insteadOf });
    }
  }
  return [...groups.values()].filter(({ leads }) => leads > 0);
}

/** The step that follows a place in `sequence`, to one who has had all that lay ahead of the place before. */
function comingNext(
  before: Sequence<StepRow>,
  sequence: Sequence<StepRow>,
  placeId: Id | null,
): StepRow | null {
  const had = new Set(before.steps.slice(0, stepsUpTo(before, placeId)).map(({ id }) => id));
  const step = nextStep(sequence, placeId, had);
  return step === undefined ? null : { ...step, position: sequence.steps.indexOf(step) + 1 };
}
