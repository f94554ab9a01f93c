/** How a simulation comes to rest: people do all that is waited for, and what must then have ended. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { Problem } from "#domain/problem.ts";
import { DAY_MS, plus } from "#domain/time.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { listExperiments } from "#store/experiments/experiments.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";
import type { ExperimentRow } from "#store/tables/experiments.ts";
import { moveCampaign, patchCampaign } from "#usecases/campaigns/campaigns.ts";
import { moveExperiment } from "#usecases/experiments/experiment-moves.ts";
import { patchCampaignLead } from "#usecases/leads/campaign-leads.ts";
import { patchStep } from "#usecases/leads/steps.ts";
import { patchAccount } from "#usecases/mailboxes/accounts.ts";
import type { Violation } from "./checks.ts";
import { resolve } from "./deeds-leads.ts";
import { choosePlan } from "./deeds-placement.ts";
import { mend } from "./deeds-team.ts";
import { leadsOf, type Stage, write } from "./stage.ts";
import { campaignsOf } from "./team.ts";

/** Every hold is resolved, everything paused goes on, and no limit keeps a campaign going for years. */
export async function calmDown(stage: Stage): Promise<void> {
  const { caller, chronicle } = stage.team;
  if (chronicle.plans.get(caller.teamId)?.at(-1)?.mails !== null) {
    await choosePlan(stage, "scale");
  }
  for (const account of accountsOf(stage.process.env.db, caller.teamId)) {
    const { id, status, notReadyReason, dailyLimit, hourlyLimit, providerLimits, ramp } = account;
    if (status !== "active" || notReadyReason !== null || stage.internet.locked.has(id)) {
      await mend(stage, id);
    }
    const isLimited = Object.keys(providerLimits).length > 0;
    if (dailyLimit < 20 || hourlyLimit < 5 || isLimited || ramp !== null) {
      const wide = { dailyLimit: 40, hourlyLimit: 20, providerLimits: {} };
      const patch = { ...wide, minGapSeconds: 30, ramp: null };
      await write(stage, (env) => patchAccount(env, caller, id, patch));
    }
  }
  await resumeTests(stage);
  for (const [mark, id] of stage.team.chronicle.marks) {
    await calmCampaign(stage, mark, id);
  }
}

/** New leads wait for a test-and-roll that is paused; one whose step another has taken is called off. */
async function resumeTests(stage: Stage): Promise<void> {
  const { caller } = stage.team;
  const rows = listExperiments(stage.process.env.db, caller.teamId, { offset: 0 });
  for (const { id } of rows.filter(isPausedTest)) {
    await write(stage, (env) => {
      try {
        moveExperiment(env, caller, id, "resume");
      } catch (error) {
        if (!(error instanceof Problem && error.type === "conflict")) {
          throw error;
        }
        moveExperiment(env, caller, id, "cancel");
      }
    });
  }
}

function isPausedTest({ status, optimizationMode }: ExperimentRow): boolean {
  return status === "paused" && optimizationMode === "test_and_roll";
}

async function calmCampaign(stage: Stage, mark: string, id: string): Promise<void> {
  const { caller, chronicle } = stage.team;
  const row = campaignsOf(stage.process.env, stage.team).find((one) => one.id === id)!;
  if (row.maxLeadsPerDay < 30 || row.accountIds.length > 0) {
    const accountIds: string[] = [];
    const patch = { maxLeadsPerDay: 30, dailyLimit: null, maxPerDomainPerDay: null, accountIds };
    await write(stage, (env) => patchCampaign(env, caller, id, patch));
  }
  await write(stage, (env) =>
    patchCampaign(env, caller, id, { riskyAddresses: "send", providerMatching: "off" }),
  );
  const first = stepsOf(stage.process.env.db, id).find(({ type }) => type === "email");
  if (first?.subject === null) {
    await write(stage, (env) => patchStep(env, caller, id, first.id, { subject: "A subject" }));
  }
  for (const lead of leadsOf(stage, id)) {
    if (lead.holdReason !== null) {
      await resolve(stage, { mark, campaignId: id, lead });
    } else if (lead.status === "paused" && lead.dueAt === null) {
      chronicle.note("resumed", `${mark}:${lead.email}`);
      await write(stage, (env) =>
        patchCampaignLead(env, caller, id, lead.id, { status: "active" }),
      );
    }
  }
  const now = campaignsOf(stage.process.env, stage.team).find((one) => one.id === id)!;
  if (now.status === "archived") {
    await write(stage, (env) => moveCampaign(env, caller, id, "paused"));
  }
  if (now.status !== "active" && (now.status !== "completed" || now.open > 0)) {
    chronicle.note("resumed", id);
    await write(stage, (env) => moveCampaign(env, caller, id, "active"));
  }
}

/** What should have come to an end and has not. */
export function unfinished(stage: Stage): Violation[] {
  const found: Violation[] = [];
  for (const row of campaignsOf(stage.process.env, stage.team)) {
    for (const lead of leadsOf(stage, row.id)) {
      if (isOpen(lead.status)) {
        const detail = `${lead.email} of ${row.name} (${row.status}) is ${lead.status}, due ${lead.dueAt}, held ${lead.holdReason}`;
        found.push({ invariant: "liveness", detail });
      }
    }
    if (row.status !== "completed" && row.enrolled > 0) {
      found.push({
        invariant: "completion",
        detail: `${row.name} is ${row.status}, ${row.open} open`,
      });
    }
  }
  return [...found, ...overdue(stage)];
}

/** Experiments that should have been read by now. */
function overdue({ process, team }: Stage): Violation[] {
  const rows = listExperiments(process.env.db, team.caller.teamId, { offset: 0 });
  return rows.flatMap(({ name, status, endsAt, firstSentAt, attributionWindowDays }) => {
    const lastAt = plus(endsAt, (attributionWindowDays + 1) * DAY_MS);
    const isOver = firstSentAt !== null && lastAt < process.env.clock.now();
    return isOver && (status === "running" || status === "evaluating")
      ? [{ invariant: "liveness", detail: `${name} is ${status}, and was over at ${lastAt}` }]
      : [];
  });
}
