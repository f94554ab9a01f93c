/** How fast a campaign goes as its schedule is saved, and how long it takes. */

import type { CampaignDetail, CampaignForecast } from "#client.ts";
import { useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";
import { Card, Loaded } from "../../parts/page.tsx";
import { readForecast, readStats } from "./data.ts";
import { ForecastChart } from "./summary.tsx";

const FORECAST_DAYS = 31;

export function Pace({ campaign }: { campaign: CampaignDetail }) {
  const { id, status } = campaign;
  const isIdle = status === "draft" || status === "paused";
  const data = useData(async () => {
    const [forecast, stats] = await Promise.all([
      readForecast(id, FORECAST_DAYS, isIdle),
      readStats(id),
    ]);
    return { forecast, stats };
  }, ["campaign", "account"]);
  return (
    <div class="span-4 stack">
      <Card title="Pace" note="Based on the saved schedule">
        <Loaded data={data}>
          {({ forecast, stats }) => (
            <div class="stack">
              <PaceWords forecast={forecast} open={stats.open - stats.held} isIdle={isIdle} />
              {forecast.total > 0 && <ForecastChart forecast={forecast} isIdle={isIdle} />}
            </div>
          )}
        </Loaded>
      </Card>
    </div>
  );
}

function PaceWords(props: { forecast: CampaignForecast; open: number; isIdle: boolean }) {
  const { forecast, open, isIdle } = props;
  const { perDay, last } = paceOf(forecast);
  if (perDay === 0) {
    return (
      <p>
        {open === 0
          ? "No leads left to email. Add leads to keep going."
          : "Nothing would be sent. See the launch checklist."}
      </p>
    );
  }
  const verb = isIdle ? "Would send" : "Sends";
  return (
    <p class="pace">
      {verb} <b>{plural(perDay, "email")} a day</b>,{" "}
      {last === undefined ? (
        <>
          more than <b>{count(FORECAST_DAYS)} days</b> to finish
        </>
      ) : (
        <>
          <b>{plural(last, "day")}</b> to finish
        </>
      )}
    </p>
  );
}

/** Emails on a day on which some go out, and the days until the last; undefined beyond the forecast. */
export function paceOf({ days }: Pick<CampaignForecast, "days">): {
  perDay: number;
  last: number | undefined;
} {
  const sums = days.map((day) => day.new_leads + day.follow_ups);
  const busy = sums.filter((sum) => sum > 0);
  const perDay = busy.length === 0 ? 0 : Math.round(sum(busy) / busy.length);
  const last = sums.findLastIndex((sum) => sum > 0) + 1;
  // Weekends and waits between steps leave gaps of some days before the last emails.
  const isOver = last <= sums.length - GAP_DAYS;
  return { perDay, last: isOver ? last : undefined };
}

const GAP_DAYS = 4;
