/** Emails sent in each of the latest 24 hours, as small bars. */

import type { Beat } from "../../charts/heartbeat.tsx";
import { dateTime, plural } from "../../lib/format.ts";
import { sum } from "../../lib/sum.ts";

const HOURS = 24;
const HEIGHT = 26;

export function HourBars({ beats }: { beats: readonly Beat[] }) {
  const hours = beats.slice(-HOURS);
  const most = Math.max(1, ...hours.map(({ sent }) => sent));
  const total = sum(hours.map(({ sent }) => sent));
  return (
    <>
      <svg
        class="hour-bars"
        viewBox={`0 0 ${HOURS * 4} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Emails sent in each of the last ${HOURS} hours`}
      >
        {hours.map(({ from, sent }, nth) => {
          const height = sent === 0 ? 1 : Math.max(3, (sent / most) * HEIGHT);
          return (
            <rect
              key={from}
              x={nth * 4 + 0.4}
              width={3.2}
              y={HEIGHT - height}
              height={height}
              data-empty={sent === 0 || undefined}
            >
              <title>{`${dateTime(from)}: ${plural(sent, "email")}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="quiet small">
        {total === 0
          ? `No emails to leads in the last ${HOURS} hours`
          : `${plural(total, "email")} to leads by hour, last ${HOURS} hours`}
      </p>
    </>
  );
}
