/** How long each email took from our hand to the seed's folder: one mark an email. */

import { Chart } from "../../charts/chart.tsx";
import { logScale } from "../../charts/scale.ts";
import { plural } from "../../lib/format.ts";
import { providerName } from "../accounts/words.ts";
import { delayOf } from "./matrix.tsx";
import { PLACES, placeOf, type Result } from "./words.ts";

const ROW = 28;
const LEFT = 92;
const RADIUS = 4;
const RADIUS_MAX = 12;
const WORD_PX = 40;
const SHORTEST_MS = 1000;
const TICKS = [1, 3, 10, 30, 60, 300, 900, 3600, 14_400, 43_200].map((seconds) => seconds * 1000);

export function LatencyStrip({ results }: { results: readonly Result[] }) {
  const arrived = results.flatMap((result) =>
    result.latency_ms === null ? [] : [{ ...result, ms: Math.max(SHORTEST_MS, result.latency_ms) }],
  );
  const sorted = arrived.map(({ ms }) => ms).sort((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  const rows = [...Map.groupBy(arrived, ({ seed_provider }) => seed_provider)].sort();
  const longest = Math.max(10_000, ...sorted) * 1.2;
  const title =
    median === undefined ? "Delivery time" : `Half of the emails arrived within ${delayOf(median)}`;
  const figures = {
    columns: ["Mailbox", "Seed", "Seconds", "Placement"],
    rows: arrived.map((one) => [
      one.account_email,
      one.seed_email,
      Math.round(one.ms / 1000),
      PLACES[placeOf(one)].name,
    ]),
  };
  if (median === undefined) {
    return (
      <>
        <h2>{title}</h2>
        <p class="quiet small">The chart appears once the first email is found.</p>
      </>
    );
  }
  return (
    <Chart
      title={title}
      note="From sending to arrival, by seed provider. Larger marks stand for more emails."
      figures={figures}
    >
      {(width) => {
        const x = logScale([SHORTEST_MS, longest], [LEFT, width - 12]);
        return (
          <svg height={rows.length * ROW + 24} role="img" aria-label={title}>
            {TICKS.filter((tick, nth) => tick <= longest && isApart(x, nth)).map((tick) => (
              <g key={tick} transform={`translate(${x(tick)} 0)`}>
                <line class="grid-line" y2={rows.length * ROW} />
                <text y={rows.length * ROW + 16} text-anchor="middle">
                  {delayOf(tick)}
                </text>
              </g>
            ))}
            {rows.map(([provider, mails], nth) => (
              <g key={provider} transform={`translate(0 ${nth * ROW + ROW / 2})`}>
                <text class="row-label" dy="0.34em">
                  {providerName(provider)}
                </text>
                {[...Map.groupBy(mails, markOf).values()].map((same) => (
                  <Mark key={markOf(same[0])} mails={same} x={x} />
                ))}
              </g>
            ))}
          </svg>
        );
      }}
    </Chart>
  );
}

type Arrived = Result & { ms: number };

/** What would be drawn in one place. */
function markOf(mail: Arrived | undefined): string {
  return mail === undefined ? "" : `${delayOf(mail.ms)} ${placeOf(mail)}`;
}

/** As large as there are emails in its place. */
function Mark({ mails, x }: { mails: readonly Arrived[]; x: (ms: number) => number }) {
  const [first] = mails;
  return (
    first && (
      <circle
        class="mark"
        cx={x(first.ms)}
        r={Math.min(RADIUS_MAX, RADIUS * Math.sqrt(mails.length))}
        fill={`var(--${PLACES[placeOf(first)].tone})`}
      >
        <title>
          {`${plural(mails.length, "email")} in ${delayOf(first.ms)}: ${mails.map((mail) => mail.account_email).join(", ")}`}
        </title>
      </circle>
    )
  );
}

/** Whether the tick's word does not run into the one before. */
function isApart(x: (ms: number) => number, nth: number): boolean {
  const [before = 0, tick = 0] = [TICKS[nth - 1], TICKS[nth]];
  return nth === 0 || x(tick) - x(before) >= WORD_PX;
}
