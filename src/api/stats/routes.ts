/** `/stats`: what happened to the team's mail, day by day. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Id, Line, Shape } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { FIGURE_DAYS_MAX } from "#domain/campaigns/figures.ts";
import { readFigures } from "#usecases/campaigns/figures.ts";

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

const Stats = Shape({
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

const StatsQuery = Shape({
  from: Type.Optional(LocalDate("First day; 29 days before `to` if left out")),
  to: Type.Optional(LocalDate("Last day, included; today if left out")),
  timezone: Line(64, { description: "IANA name of the zone whose days are counted; UTC" }),
  campaign_id: Type.Optional(Id),
  account_id: Type.Optional(Id),
});
StatsQuery.properties.timezone.default = "UTC";

export const statsRoutes = resource("campaigns", "/stats").get(
  "",
  ({ world, caller, request }) => {
    const period = readFigures(world, caller, readQuery(StatsQuery, request));
    return present(Stats, { ...period, replyHours: period.heat });
  },
  {
    response: { 200: Stats },
    detail: {
      summary: "Mail by day: sent, answered, bounced; and when people answer",
      description:
        "Of the whole team, of one campaign or of one account. Mails of sequences only: answers by " +
        "hand and placement tests are not counted. Kept for 800 days. What is taken back, for " +
        "example a bounce that was none, is taken off the day on which it was counted; an end by " +
        "unsubscribing, off the day of its last change.",
      "x-errors": [404],
      ...queryOf(StatsQuery),
    },
  },
);
