import { Type } from "@sinclair/typebox";
import {
  CreatedAt,
  Documented,
  Id,
  IdOf,
  IdParamsOf,
  Line,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TeamId,
  TimestampOf,
  UpdatedAt,
  withDefaults,
} from "#api/schema.ts";
import { WEEKDAYS } from "#domain/campaigns/window.ts";
import { SCHEDULE_DEFAULTS } from "#usecases/placement/placement-schedules.ts";

const IDS_MAX = 500;

const ids = (description: string) =>
  Type.Array(Id, { maxItems: IDS_MAX, uniqueItems: true, description });

const writable = {
  account_ids: ids("Accounts to test; empty for all that may send then"),
  seed_ids: ids("Seeds to send to; empty for all that are not paused then"),
  campaign_id: Nullable(IdOf("Campaign whose email is tested; null for a neutral text")),
  step_id: Nullable(IdOf("Step whose email is tested; null for the first email of the campaign")),
  weekday: OneOf(WEEKDAYS, { description: "Weekday on which it runs" }),
  hour: Type.Integer({
    minimum: 0,
    maximum: 23,
    description: "Local hour at which it runs",
    examples: [7],
  }),
  timezone: Documented(
    Line(64, { description: "IANA time zone of the hour", examples: ["Europe/Berlin"] }),
    { format: "timezone" },
  ),
  active: Type.Boolean({ description: "Whether it runs" }),
};

export const Schedule = Shape({
  id: IdOf("The schedule's id"),
  team_id: TeamId,
  ...writable,
  next_run_at: Nullable(TimestampOf("When it runs next; null while it is not active")),
  last_run_id: Nullable(IdOf("The last run that it started; null before the first")),
  last_error: Nullable(
    Type.String({ description: "Why the last run could not be started; null when it was" }),
  ),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
});

export const ScheduleParams = IdParamsOf("The schedule's id");

export const SchedulePage = Page(Schedule);
export const ScheduleQuery = Shape(PageQuery.properties);

export const ScheduleCreate = withDefaults(Shape(Type.Partial(Shape(writable)).properties), {
  ...SCHEDULE_DEFAULTS,
  campaignId: SCHEDULE_DEFAULTS.contentCampaignId,
});
export const SchedulePatch = Shape(Type.Partial(Shape(writable)).properties);
