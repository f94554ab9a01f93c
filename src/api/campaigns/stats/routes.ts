/** `/stats`: what happened to the team's email, day by day. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { Count, IdOf, Line, Shape } from "#api/schema.ts";
import { present } from "#api/wire.ts";
import { FIGURE_DAYS_MAX } from "#domain/campaigns/figures.ts";
import { readFigures } from "#usecases/campaigns/figures.ts";

const LocalDate = (description: string) =>
  Type.String({ description, pattern: "^\\d{4}-\\d{2}-\\d{2}$", examples: ["2026-03-01"] });

const counts = {
  sent: Count("Emails of sequences that were sent"),
  contacted: Count("Leads that were emailed for the first time in their campaign"),
  contacted_replied: Count(
    "Of these leads, those that have replied since; divided by `contacted`, their reply rate",
  ),
  replied: Count("Leads that replied, on the day of their first reply"),
  positive: Count("Conversations of that day with the interest `interested` or `meeting`"),
  bounced: Count("Emails that bounced, on the day of the bounce"),
  unsubscribed: Count("Leads that opted out of a campaign"),
  opened: Count("Emails opened by a person for the first time, where opens are tracked"),
  clicked: Count("Emails with a first click by a person, where clicks are tracked"),
};

const Stats = Shape({
  from: LocalDate("First day of the period"),
  to: LocalDate("Last day of the period"),
  timezone: Type.String({ description: "IANA time zone of the days", examples: ["UTC"] }),
  totals: Shape(counts, { description: "Sums over all days" }),
  days: Type.Array(Shape({ date: LocalDate("Local date in `timezone`"), ...counts }), {
    maxItems: FIGURE_DAYS_MAX,
    description: "Every day of the period, oldest first",
  }),
  reply_hours: Type.Array(Type.Array(Type.Integer({ minimum: 0 })), {
    description: "Replies by weekday, Monday first, and local hour, 0 to 23",
  }),
});

const StatsQuery = Shape({
  from: Type.Optional(LocalDate("First day; without it and `days`, 29 days before `to`")),
  to: Type.Optional(LocalDate("Last day, included; without it, today")),
  days: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: FIGURE_DAYS_MAX,
      description: "Length of the period in days, instead of `from`",
    }),
  ),
  timezone: Line(64, {
    description: "IANA time zone whose days are counted",
    examples: ["Europe/Berlin"],
  }),
  campaign_id: Type.Optional(IdOf("Only emails of this campaign")),
  account_id: Type.Optional(IdOf("Only emails of this account")),
});
StatsQuery.properties.timezone.default = "UTC";

export const statsRoutes = resource("campaigns", "/stats").get(
  "",
  ({ env, caller, request }) => {
    const period = readFigures(env, caller, readQuery(StatsQuery, request));
    return present(Stats, { ...period, replyHours: period.heat });
  },
  {
    response: { 200: Stats },
    detail: {
      summary: "Get statistics by day",
      description:
        "Returns emails sent, replies and bounces for each day, and the hours at which people " +
        "reply: of the whole team, of one campaign or of one account. Only emails of sequences " +
        "count; replies written by hand and placement tests do not. Figures are kept for 800 " +
        "days. A later correction, for example of a bounce that turns out to be none, is " +
        "subtracted from the day on which it was counted; an opt-out, from the day of the lead's " +
        "last change.",
      "x-errors": [404],
      ...queryOf(StatsQuery),
    },
  },
);
