import { Type } from "@sinclair/typebox";
import { Count, IdOf, Nullable, OneOf, Shape, TimestampOf } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import { EXPLAIN_REASONS, type Explanation } from "#usecases/forecast/explain-lead.ts";
import { FORECAST_DAYS_MAX, type Forecast as Forecasted } from "#usecases/forecast/forecast.ts";

const DAYS_DEFAULT = 7;
/** Sends listed one by one; the days count all of them. */
export const SENDS_MAX = 1000;

export const ForecastQuery = Shape({
  days: Type.Integer({
    minimum: 1,
    maximum: FORECAST_DAYS_MAX,
    default: DAYS_DEFAULT,
    description: "Days to look ahead",
  }),
  as_if_started: Type.Boolean({
    default: false,
    description: "Forecast a draft or a paused campaign as if it were started now",
  }),
});

export const Forecast = Shape({
  campaign_id: IdOf("The campaign's id"),
  from: TimestampOf("Start of the forecast"),
  to: TimestampOf("End of the forecast"),
  total: Count("Emails that will be sent"),
  next_send_at: Nullable(TimestampOf("When the next email is sent; null when none is")),
  days: Type.Array(
    Shape({
      date: Type.String({
        format: "date",
        description: "Local date of the campaign",
        examples: ["2026-03-02"],
      }),
      new_leads: Count("First emails"),
      follow_ups: Count("Emails of later steps"),
    }),
    { description: "Emails by day" },
  ),
  accounts: Type.Array(
    Shape({
      account_id: IdOf("The account's id"),
      sends: Type.Array(Type.Integer({ minimum: 0 }), {
        description: "Emails on each of the days",
        examples: [[30, 30, 12]],
      }),
    }),
    { description: "Emails by account, the busiest first" },
  ),
  sends: Type.Array(
    Shape({
      at: TimestampOf("When the email is sent"),
      lead_id: IdOf("Lead that gets it"),
      enrollment_id: Nullable(
        IdOf(
          "Id of the campaign lead; null while a rule has yet to move the lead into the campaign",
        ),
      ),
      account_id: IdOf("Account that sends it"),
      step_id: IdOf("Step that is sent"),
      step_position: Type.Integer({ minimum: 1, description: "Position of the step, from 1" }),
    }),
    { description: `The emails in order, the first ${SENDS_MAX} at most` },
  ),
});

export const Explained = Shape({
  enrollment_id: IdOf("Id of the campaign lead"),
  reason: OneOf(EXPLAIN_REASONS, {
    description: "What the lead is waiting for, or why it gets no more email",
  }),
  message: Type.String({
    description: "The same in plain words",
    examples: ["the send window is closed"],
  }),
  next_send_at: Nullable(TimestampOf("When the next email is sent; null when nothing is planned")),
  estimated: Type.Boolean({
    description:
      "Whether `next_send_at` is an estimate, because it is too far ahead to plan exactly",
  }),
  ahead: Nullable(
    Count(
      "New leads of the campaign that come before this one, of those with a risky address where it has one and the campaign spreads them; null for a follow-up. Counted up to 100,000: there may then be more, and next_send_at is the earliest date",
    ),
  ),
});

export function presentForecast(row: CampaignRow, forecast: Forecasted) {
  return present(Forecast, {
    ...forecast,
    sends: forecast.sends.map((send) => ({
      ...send,
      enrollmentId: send.isToCome ? null : send.enrollmentId,
    })),
    campaignId: row.id,
    nextSendAt: forecast.sends[0]?.at ?? null,
  });
}

export function presentExplanation(id: string, explained: Explanation) {
  return present(Explained, { ...explained, enrollmentId: id });
}
