/** What is still to come of an experiment: its leads, its pace, and when it can be read. */

import { leadsToCome } from "#domain/campaigns/campaign.ts";
import { assignedBy, elapsedMs, isUnderWay } from "#domain/experiments/experiment.ts";
import type { Figures, Outlook } from "#domain/experiments/experiment-figures.ts";
import { DAY_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById } from "#store/campaigns/steps.ts";
import { lastWindowOf } from "#store/sending/exposures.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";

export function outlookOf(
  env: Environment,
  row: ExperimentRow,
  figures: Figures,
  now: UnixMs,
): Outlook {
  const windowMs = row.attributionWindowDays * DAY_MS;
  const ranMs = elapsedMs(row, now);
  const sent = figures.arms.reduce((total, { counts }) => total + counts.sent, 0);
  const isAssigning = row.status === "running";
  const leadsPerDay = paceOf(env, row, sent, ranMs);
  const from = row.firstSentAt === null ? row.startedAt : (row.pausedAt ?? now);
  const daysLeft = isUnderWay(row.status) ? Math.max(0, row.endsAt - from) / DAY_MS : 0;
  const toCome = Math.min(leadsLeft(env, row, sent), leadsPerDay * daysLeft);
  const firstWindow = plus(row.firstSentAt ?? now, windowMs);
  const lastWindow = plus(assignedBy(row, { sent, leadsPerDay, now }), windowMs);
  return {
    isAssigning,
    elapsedMs: ranMs,
    endsAt: row.endsAt,
    now,
    firstReadingAt: firstWindow > now ? firstWindow : plus(now, DAY_MS),
    lastReadingAt:
      row.status === "evaluating"
        ? (lastWindowOf(env.db, row.id) ?? now)
        : unixMs(Math.max(now, lastWindow)),
    leadsByEnd: Math.min(sent + Math.floor(toCome), row.testLeads ?? Number.POSITIVE_INFINITY),
    leadsPerDay,
  };
}

/** By what has been sent; before a day is over by what the campaign may send. */
function paceOf(env: Environment, row: ExperimentRow, sent: number, ranMs: number): number {
  const campaign = campaignById(env.db, row.campaignId);
  return ranMs < DAY_MS ? (campaign?.maxLeadsPerDay ?? 0) : (sent * DAY_MS) / ranMs;
}

/** Leads that may still come to the step. */
function leadsLeft(env: Environment, row: ExperimentRow, sent: number): number {
  const campaign = campaignById(env.db, row.campaignId);
  const step = row.stepId === null ? undefined : stepById(env.db, row.stepId);
  if (campaign === undefined) {
    return 0;
  }
  return leadsToCome(campaign, step?.sent ?? sent);
}
