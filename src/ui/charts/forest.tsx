/** Intervals against one line of no difference, on a scale of ratios: ×0.5 is as far as ×2. */

import { Chart, type Series } from "./chart.tsx";
import { logScale } from "./scale.ts";

export interface Interval extends Series {
  /** Ratio to the one it is held against; null: nothing to divide by. */
  value: number | null;
  low: number | null;
  /** Null: without bound. */
  high: number | null;
}

const ROW = 40;
const AXIS = 26;
const TICKS = [0.1, 0.2, 0.33, 0.5, 0.67, 1, 1.5, 2, 3, 5, 10];
const REACH_MIN = 1.6;
const REACH_MAX = 10;

/** `1.9` is "+90%", `0.5` is "−50%". */
export function liftOf(ratio: number | null): string {
  if (ratio === null) {
    return "–";
  }
  const change = Math.round((ratio - 1) * 100);
  return `${change > 0 ? "+" : change < 0 ? "−" : ""}${Math.abs(change)}%`;
}

export function Forest(props: {
  title: string;
  note?: string;
  /** What the intervals are held against. */
  against: string;
  of: readonly Interval[];
}) {
  const { title, note, against, of } = props;
  const figures = {
    columns: [`Compared with ${against}`, "Lift", "From", "To"],
    rows: of.map(({ name, value, low, high }) => [
      name,
      liftOf(value),
      liftOf(low),
      high === null ? "no bound" : liftOf(high),
    ]),
  };
  return (
    <Chart title={title} figures={figures} {...(note ? { note } : {})}>
      {(width) => <Rows {...{ title, against, of, width }} />}
    </Chart>
  );
}

/** "−10% to +90%". */
export function boundsOf(low: number | null, high: number | null): string {
  return low === null && high === null
    ? "no bounds yet"
    : `${liftOf(low)} to ${high === null ? "no bound" : liftOf(high)}`;
}

function reachOf(of: readonly Interval[]): number {
  const ends = of.flatMap(({ low, high }) => [
    low === null || low === 0 ? 1 : 1 / low,
    high === null ? 1 : high,
  ]);
  return Math.min(REACH_MAX, Math.max(REACH_MIN, ...ends) * 1.1);
}

function Rows(props: { title: string; against: string; of: readonly Interval[]; width: number }) {
  const { title, against, of, width } = props;
  const reach = reachOf(of);
  const bottom = of.length * ROW;
  const x = logScale([1 / reach, reach], [4, width - 4]);
  const ticks = TICKS.filter((tick) => tick >= 1 / reach && tick <= reach);
  const every = ticks.length * 46 > width ? 2 : 1;
  const middle = ticks.indexOf(1);
  return (
    <svg height={bottom + AXIS} role="img" aria-label={title}>
      {ticks.map((tick, at) => (
        <g key={tick} transform={`translate(${x(tick)} 0)`}>
          <line class={tick === 1 ? "axis-line" : "grid-line"} y2={bottom} />
          {(at - middle) % every === 0 && (
            <text y={bottom + 18} text-anchor="middle">
              {tick === 1 ? `as ${against}`.slice(0, 18) : `×${tick}`}
            </text>
          )}
        </g>
      ))}
      {of.map(({ name, colour, value, low, high }, nth) => (
        <g key={name} transform={`translate(0 ${nth * ROW})`}>
          <text class="row-label" x={4} y={12}>
            {name}
          </text>
          <text class="row-label" x={width - 4} y={12} text-anchor="end">
            {value === null ? "no rate to compare" : `${liftOf(value)} (${boundsOf(low, high)})`}
          </text>
          {value !== null && (
            <>
              <line
                class="whisker"
                x1={x(low ?? 0)}
                x2={x(high ?? reach)}
                y1={26}
                y2={26}
                stroke={`var(--series-${colour})`}
              />
              <circle cx={x(value)} cy={26} r={4.5} fill={`var(--series-${colour})`} />
            </>
          )}
        </g>
      ))}
    </svg>
  );
}
