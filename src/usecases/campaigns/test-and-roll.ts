/**
 * A test on a few leads, whose better variant then goes to the rest: how many are tested on, and when the rest
 * begins to wait. The planner starts nobody new while it does (`store/sending/ledger.ts`).
 */

import { leadsToCome } from "#domain/campaigns/campaign.ts";
import { BASELINE_DEFAULT } from "#domain/experiments/experiment.ts";
import { testLeadsOf } from "#domain/experiments/stats/sample-size.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Environment, engineCaller } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById } from "#store/campaigns/steps.ts";
import { experimentById, updateExperiment, variantsOf } from "#store/experiments/experiments.ts";
import { countAssigned } from "#store/sending/exposures.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { StepRow } from "#store/tables/campaigns.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import { audit } from "#usecases/events/record.ts";

/** Emails of a step from which its own rate is taken. */
const SENT_MIN = 50;

/** The reply rate of a step so far; undefined where too few were sent to tell. */
export function baselineOf(step: StepRow | undefined): number | undefined {
  const { sent, replied } = step ?? { sent: 0, replied: 0 };
  return sent >= SENT_MIN && replied > 0 && replied < sent ? replied / sent : undefined;
}

/** Leads to test on: what the planner advises for those that are there as it begins. Null in other modes. */
export function testedOn(env: Environment, experiment: ExperimentRow): number | null {
  const campaign = campaignById(env.db, experiment.campaignId);
  if (experiment.optimizationMode !== "test_and_roll" || campaign === undefined) {
    return null;
  }
  const step = experiment.stepId === null ? undefined : stepById(env.db, experiment.stepId);
  const variants = variantsOf(env.db, experiment.id).length;
  const leads = leadsToCome(campaign, step?.sent ?? 0);
  const baseline = baselineOf(step) ?? BASELINE_DEFAULT;
  return variants * testLeadsOf({ leads, baseline, variants });
}

/** Once every lead of the test is assigned, the rest waits until they are measured. */
export function closeWhenTested(env: Environment, id: Id): void {
  const row = experimentById(env.db, id);
  if (row?.status !== "running" || row.testLeads === null) {
    return;
  }
  if (countAssigned(env.db, id) >= row.testLeads) {
    const now = env.clock.now();
    endAssigning(env, { ...row, endsAt: now }, now);
  }
}

/** Nobody is assigned any more. */
export function endAssigning(env: Environment, before: ExperimentRow, dueAt: UnixMs): void {
  const row = { ...before, status: "evaluating" as const, updatedAt: env.clock.now(), dueAt };
  updateExperiment(env.db, row);
  audit(env, engineCaller(row.teamId), {
    action: "experiment.evaluate",
    target: `experiment:${row.id}`,
    before: { status: before.status },
    after: { status: row.status },
  });
}
