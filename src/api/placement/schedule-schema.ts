import { Type } from "@sinclair/typebox";
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

export const SchedulePage = Page(Schedule);
export const ScheduleQuery = Shape(PageQuery.properties);

export const ScheduleCreate = Shape(Type.Partial(Shape(settable)).properties, {
  description: "Every Monday at 6 UTC, all accounts and seeds, where nothing else is said",
});
export const SchedulePatch = Shape(Type.Partial(Shape(settable)).properties);
