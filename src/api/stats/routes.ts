/** `/stats`: what happened to the team's mail, day by day. */

import { resource } from "#api/context.ts";
import { defined } from "#api/defined.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { readFigures } from "#usecases/campaigns/figures.ts";
import { presentStatistics, Stats, StatsQuery } from "./schema.ts";

export const statsRoutes = resource("campaigns", "/stats").get(
  "",
  ({ world, caller, request }) => {
    const { from, to, timezone, campaign_id, account_id } = readQuery(StatsQuery, request);
    const whose = defined({ campaignId: campaign_id, accountId: account_id });
    return presentStatistics(
      readFigures(world, caller, { timezone, ...defined({ from, to }), ...whose }),
    );
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
