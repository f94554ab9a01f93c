import { type Static, Type } from "@sinclair/typebox";
import { Id, Line, Shape } from "#api/schema.ts";
import { FIGURE_DAYS_MAX } from "#domain/campaigns/figures.ts";
import type { Period } from "#usecases/campaigns/figures.ts";

const LocalDate = (description: string) =>
  Type.String({ description, pattern: "^\\d{4}-\\d{2}-\\d{2}$", examples: ["2026-03-01"] });

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const counts = {
  sent: Count("Mails of sequences that a server has taken"),
  replied: Count("Leads, on the day of their first reply"),
  positive: Count("Conversations that began that day and are judged interested or a meeting"),
  bounced: Count("Mails, on the day on which the bounce became known"),
  unsubscribed: Count("Leads of a campaign"),
  opened: Count("Mails opened by a person for the first time, where opens are tracked"),
  clicked: Count("Mails in which a person followed a link for the first time, where tracked"),
};

export const Stats = Shape({
  from: LocalDate("First day"),
  to: LocalDate("Last day"),
  timezone: Type.String(),
  totals: Shape(counts),
  days: Type.Array(Shape({ date: LocalDate("In the time zone asked for"), ...counts }), {
    maxItems: FIGURE_DAYS_MAX,
  }),
  reply_hours: Type.Array(Type.Array(Type.Integer({ minimum: 0 })), {
    description: "Replies by weekday, Monday first, and hour of the day, 0 to 23",
  }),
});

export const StatsQuery = Shape({
  from: Type.Optional(LocalDate("First day; 29 days before `to` if left out")),
  to: Type.Optional(LocalDate("Last day, included; today if left out")),
  timezone: Line(64, { description: "IANA name of the zone whose days are counted; UTC" }),
  campaign_id: Type.Optional(Id),
  account_id: Type.Optional(Id),
});
StatsQuery.properties.timezone.default = "UTC";

export function presentStatistics(period: Period): Static<typeof Stats> {
  const { from, to, timezone, totals, days, heat } = period;
  return { from, to, timezone, totals, days, reply_hours: heat };
}
