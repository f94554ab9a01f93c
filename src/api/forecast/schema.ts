import { Type } from "@sinclair/typebox";
import { Id, Nullable, OneOf, Shape, Timestamp } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { EXPLAIN_REASONS, type Explanation } from "#usecases/forecast/explain-lead.ts";
import { FORECAST_DAYS_MAX, type Forecast as Forecasted } from "#usecases/forecast/forecast.ts";

const DAYS_DEFAULT = 7;
/** Sends listed one by one; the days count all of them. */
const SENDS_MAX = 1000;

export const ForecastQuery = Shape({
  days: Type.Integer({ minimum: 1, maximum: FORECAST_DAYS_MAX, default: DAYS_DEFAULT }),
  as_if_started: Type.Boolean({
    default: false,
    description: "Takes a draft, or a campaign that is paused, as if it were started now",
  }),
});

export const Forecast = Shape({
  campaign_id: Id,
  from: Timestamp,
  to: Timestamp,
  total: Type.Integer({ minimum: 0 }),
  next_send_at: Nullable(Timestamp),
  days: Type.Array(
    Shape({
      date: Type.String({ format: "date", description: "Local date of the campaign" }),
      new_leads: Type.Integer({ minimum: 0 }),
      follow_ups: Type.Integer({ minimum: 0 }),
    }),
  ),
  accounts: Type.Array(
    Shape({
      account_id: Id,
      sends: Type.Array(Type.Integer({ minimum: 0 }), { description: "One count for each day" }),
    }),
    { description: "The mailboxes that write, busiest first" },
  ),
  sends: Type.Array(
    Shape({
      at: Timestamp,
      lead_id: Id,
      enrollment_id: Id,
      account_id: Id,
      step_id: Id,
      step_position: Type.Integer({ minimum: 1 }),
    }),
    { description: `The first ${SENDS_MAX}` },
  ),
});

export const Explained = Shape({
  enrollment_id: Id,
  reason: OneOf(EXPLAIN_REASONS),
  message: Type.String(),
  next_send_at: Nullable(Timestamp),
  estimated: Type.Boolean({ description: "True beyond the days that are projected exactly" }),
  ahead: Nullable(
    Type.Integer({
      minimum: 0,
      description:
        "New leads of the campaign that come before this one. Counted up to 100,000: they may then be more, and next_send_at is the earliest",
    }),
  ),
});

export function presentForecast(row: CampaignRow, forecast: Forecasted) {
  const { sends } = forecast;
  return present(Forecast, {
    ...forecast,
    campaignId: row.id,
    total: sends.length,
    nextSendAt: sends[0]?.at ?? null,
    sends: sends.slice(0, SENDS_MAX),
  });
}

export function presentExplanation(id: string, explained: Explanation) {
  return present(Explained, { ...explained, enrollmentId: id });
}
