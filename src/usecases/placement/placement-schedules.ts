/** Placement runs that begin by themselves every week. */

import { SCHEDULES_MAX } from "#domain/placement/placement.ts";
import { nextRunAt, type WeeklySchedule } from "#domain/placement/placement-schedule.ts";
import { conflict, invalid, notFound, Problem } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import { readTimezone } from "#domain/timezone.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { stepsOf } from "#store/campaigns/steps.ts";
import { findAccount } from "#store/mailboxes/accounts.ts";
import {
  countSchedules,
  findSchedule,
  insertSchedule,
  removeSchedule,
  schedulesOf,
  updateSchedule,
} from "#store/placement/placement-schedules.ts";
import { findSeed } from "#store/placement/placement-seeds.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { ScheduleRow } from "#store/tables/placement.ts";
import { audit } from "#usecases/events/record.ts";
import { type RunInput, startRun } from "./placement-runs.ts";

/** What a person may set. */
export interface ScheduleFields extends WeeklySchedule {
  /** Empty: every account that may send then, and every seed that is not paused then. */
  accountIds: readonly Id[];
  seedIds: readonly Id[];
  contentCampaignId: Id | null;
  stepId: Id | null;
  active: boolean;
}

/** What a new schedule has where nothing else is given. */
export const SCHEDULE_DEFAULTS: ScheduleFields = {
  accountIds: [],
  seedIds: [],
  contentCampaignId: null,
  stepId: null,
  weekday: "monday",
  hour: 6,
  timezone: "UTC",
  active: true,
};

/** Throws `validation_error` naming what is not the team's, `conflict` for one too many. */
export function createSchedule(
  env: Environment,
  caller: Caller,
  input: Partial<ScheduleFields>,
): ScheduleRow {
  if (countSchedules(env.db, caller.teamId) >= SCHEDULES_MAX) {
    throw conflict(`a team may have at most ${SCHEDULES_MAX} placement schedules`);
  }
  const now = env.clock.now();
  const row: ScheduleRow = {
    ...check(env, caller, { ...SCHEDULE_DEFAULTS, ...input }),
    id: env.ids.next(now),
    teamId: caller.teamId,
    nextRunAt: null,
    lastRunId: null,
    lastError: null,
    createdAt: now,
    updatedAt: now,
  };
  const planned = plan(row, now);
  insertSchedule(env.db, planned);
  audit(env, caller, {
    action: "placement_schedule.create",
    target: `placement_schedule:${row.id}`,
    after: scheduleFacts(planned),
  });
  env.wake();
  return planned;
}

/** Throws as {@link createSchedule} does, and `not_found`. */
export function patchSchedule(
  env: Environment,
  caller: Caller,
  id: Id,
  patch: Partial<ScheduleFields>,
): ScheduleRow {
  const before = requireSchedule(env, caller, id);
  const merged = { ...before, ...check(env, caller, { ...before, ...patch }) };
  if (JSON.stringify(before) === JSON.stringify(merged)) {
    return before;
  }
  const now = env.clock.now();
  const row = { ...plan({ ...merged, lastError: null }, now), updatedAt: now };
  updateSchedule(env.db, row);
  audit(env, caller, {
    action: "placement_schedule.patch",
    target: `placement_schedule:${id}`,
    before: scheduleFacts(before),
    after: scheduleFacts(row),
  });
  env.wake();
  return row;
}

export function deleteSchedule(env: Environment, caller: Caller, id: Id): void {
  const row = requireSchedule(env, caller, id);
  removeSchedule(env.db, id);
  audit(env, caller, {
    action: "placement_schedule.delete",
    target: `placement_schedule:${id}`,
    before: scheduleFacts(row),
  });
}

/** Throws `not_found` for another team's schedule as for one that never was. */
export function requireSchedule(env: Environment, caller: Caller, id: Id): ScheduleRow {
  const row = findSchedule(env.db, caller.teamId, id);
  if (row === undefined) {
    throw notFound("placement schedule");
  }
  return row;
}

/**
 * Begins the run of a schedule that is due; where it cannot be begun the schedule says why. Either way the
 * next one is a week on: what was missed while the program stood still is made up for once. Runs inside a
 * commit.
 */
export function startScheduled(env: Environment, due: ScheduleRow, now: UnixMs): void {
  const current = findSchedule(env.db, due.teamId, due.id);
  if (current === undefined || current.nextRunAt === null || current.nextRunAt > now) {
    return;
  }
  const planned = plan(current, now);
  try {
    const trigger = { type: "scheduled", scheduleId: current.id } as const;
    const run = startRun(env, engineCaller(current.teamId), inputOf(current), trigger);
    updateSchedule(env.db, { ...planned, lastRunId: run.id, lastError: null });
  } catch (error) {
    if (!(error instanceof Problem)) {
      throw error;
    }
    updateSchedule(env.db, { ...planned, lastError: error.message });
  }
}

/** An account is deleted: schedules go on without it, or, where it was their only one, not at all. */
export function forgetScheduledAccount(env: Environment, { teamId }: Caller, id: Id): void {
  for (const schedule of schedulesOf(env.db, teamId)) {
    if (schedule.accountIds.includes(id)) {
      updateSchedule(env.db, without(env, schedule, "accountIds", id));
    }
  }
}

/** The same for a seed. */
export function forgetScheduledSeed(env: Environment, { teamId }: Caller, id: Id): void {
  for (const schedule of schedulesOf(env.db, teamId)) {
    if (schedule.seedIds.includes(id)) {
      updateSchedule(env.db, without(env, schedule, "seedIds", id));
    }
  }
}

/** An empty list would mean all of them, which is not what was asked for. */
function without(
  env: Environment,
  schedule: ScheduleRow,
  name: "accountIds" | "seedIds",
  id: Id,
): ScheduleRow {
  const left = schedule[name].filter((other) => other !== id);
  const updatedAt = env.clock.now();
  const noun = name === "accountIds" ? "account" : "seed";
  return left.length > 0
    ? { ...schedule, [name]: left, updatedAt }
    : {
        ...schedule,
        active: false,
        nextRunAt: null,
        lastError: `its last ${noun} was deleted`,
        updatedAt,
      };
}

/** What a schedule named may have gone or been paused since: the rest is tested all the same. */
function inputOf({
  accountIds,
  seedIds,
  contentCampaignId: campaignId,
  stepId,
}: ScheduleRow): RunInput {
  return {
    accountIds,
    seedIds,
    skipsUnable: true,
    ...(campaignId === null ? {} : { campaignId }),
    ...(stepId === null ? {} : { stepId }),
  };
}

function plan(row: ScheduleRow, now: UnixMs): ScheduleRow {
  return { ...row, nextRunAt: row.active ? nextRunAt(row, now) : null };
}

type Checked = Pick<ScheduleRow, keyof ScheduleFields>;

function check(env: Environment, { teamId }: Caller, fields: ScheduleFields): Checked {
  const timezone = readTimezone(fields.timezone, "timezone");
  const accountIds = fields.accountIds.map((id, index) => {
    const row = findAccount(env.db, teamId, id.toLowerCase());
    if (row === undefined) {
      throw invalid(`account_ids.${index}`, "no such account");
    }
    return row.id;
  });
  const seedIds = fields.seedIds.map((id, index) => {
    const row = findSeed(env.db, teamId, id.toLowerCase());
    if (row === undefined) {
      throw invalid(`seed_ids.${index}`, "no such seed");
    }
    return row.id;
  });
  const { contentCampaignId: campaignId, stepId, weekday, hour, active } = fields;
  if (campaignId === null && stepId !== null) {
    throw invalid("campaign_id", "is required with a step");
  }
  const campaign =
    campaignId === null ? undefined : findCampaign(env.db, teamId, campaignId.toLowerCase());
  if (campaignId !== null && campaign === undefined) {
    throw invalid("campaign_id", "no such campaign");
  }
  const steps = campaign === undefined ? [] : stepsOf(env.db, campaign.id);
  const step = stepId === null ? undefined : steps.find(({ id }) => id === stepId.toLowerCase());
  if (stepId !== null && step?.type !== "email") {
    throw invalid("step_id", "the campaign has no such email");
  }
  return {
    ...{ accountIds, seedIds, weekday, hour, timezone, active },
    contentCampaignId: campaign?.id ?? null,
    stepId: step?.id ?? null,
  };
}

function scheduleFacts(row: ScheduleRow): Record<string, unknown> {
  const { accountIds, seedIds, contentCampaignId: campaignId, stepId } = row;
  const { weekday, hour, timezone, active } = row;
  return { accountIds, seedIds, campaignId, stepId, weekday, hour, timezone, active };
}
