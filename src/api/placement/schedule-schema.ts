import { type Static, Type } from "@sinclair/typebox";
import { defined } from "#api/defined.ts";
import {
  Documented,
  Id,
  Line,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  Timestamp,
} from "#api/schema.ts";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { toIso, toIsoOrNull } from "#domain/time.ts";
import type { ScheduleRow } from "#store/tables/placement.ts";
import type { ScheduleFields } from "#usecases/placement/placement-schedules.ts";

const IDS_MAX = 500;

const ids = (description: string) =>
  Type.Array(Id, { maxItems: IDS_MAX, uniqueItems: true, description });

const settable = {
  account_ids: ids("Empty: every account that may send then"),
  seed_ids: ids("Empty: every seed that is not paused then"),
  campaign_id: Nullable(Id),
  step_id: Nullable(Id),
  weekday: OneOf(WEEKDAYS),
  hour: Type.Integer({ minimum: 0, maximum: 23 }),
  timezone: Documented(Line(64, { description: "IANA time zone name" }), { format: "timezone" }),
  active: Type.Boolean(),
};

export const SCHEDULE_SETTABLE = Object.keys(settable);
export const SCHEDULE_READ_ONLY = [
  "next_run_at",
  "last_run_id",
  "last_error",
  "updated_at",
] as const;

export const Schedule = Shape({
  id: Id,
  team_id: Id,
  ...settable,
  next_run_at: Nullable(Timestamp),
  last_run_id: Nullable(Id),
  last_error: Nullable(Type.String({ description: "Why the last run could not be begun" })),
  created_at: Timestamp,
  updated_at: Timestamp,
});
type Schedule = Static<typeof Schedule>;

export const SchedulePage = Page(Schedule);
export const ScheduleQuery = Shape(PageQuery.properties);

export const ScheduleCreate = Shape(Type.Partial(Shape(settable)).properties, {
  description: "Every Monday at 6 UTC, all accounts and seeds, where nothing else is said",
});
export const SchedulePatch = Shape(Type.Partial(Shape(settable)).properties);

export function presentSchedule(row: ScheduleRow): Schedule {
  return {
    id: row.id,
    team_id: row.teamId,
    account_ids: row.accountIds,
    seed_ids: row.seedIds,
    campaign_id: row.contentCampaignId,
    step_id: row.stepId,
    weekday: row.weekday,
    hour: row.hour,
    timezone: row.timezone,
    active: row.active,
    next_run_at: toIsoOrNull(row.nextRunAt),
    last_run_id: row.lastRunId,
    last_error: row.lastError,
    created_at: toIso(row.createdAt),
    updated_at: toIso(row.updatedAt),
  };
}

/** Wire to use case: only what was given. */
export function readSchedule(input: Static<typeof SchedulePatch>): Partial<ScheduleFields> {
  return defined({
    accountIds: input.account_ids,
    seedIds: input.seed_ids,
    contentCampaignId: input.campaign_id,
    stepId: input.step_id,
    weekday: input.weekday,
    hour: input.hour,
    timezone: input.timezone,
    active: input.active,
  });
}
