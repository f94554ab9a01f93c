/** Counts by day in stacked bars, with a cursor for pointer and arrow keys. */

import { useSignal } from "@preact/signals";
import { count } from "../lib/format.ts";
import { sum } from "../lib/sum.ts";
import { Chart, type Series } from "./chart.tsx";
import { CursorKeys, Picture, Rule } from "./plot.tsx";
import { axisScale } from "./scale.ts";

export interface StackSeries extends Series {
  /** One value a label. */
  values: readonly number[];
}

interface StackProps {
  title: string;
  note?: string;
  labels: readonly string[];
  series: readonly StackSeries[];
}

const HEIGHT = 190;
const MARGIN = { top: 8, right: 4, bottom: 22, left: 36 };
const TICKS = 4;
const LABEL_PX = 52;
const GAP = 0.28;

export function Stack({ title, note, labels, series }: StackProps) {
  const figures = {
    columns: ["Day", ...series.map(({ name }) => name)],
    rows: labels.map((label, at) => [label, ...series.map(({ values }) => values[at] ?? 0)]),
  };
  return (
    <Chart title={title} legend={series} figures={figures} {...(note ? { note } : {})}>
      {(width) => <Bars {...{ title, labels, series, width }} />}
    </Chart>
  );
}

function Bars({ title, labels, series, width }: Omit<StackProps, "note"> & { width: number }) {
  const cursor = useSignal<number | undefined>(undefined);
  const totals = labels.map((_, at) => sum(series.map(({ values }) => values[at] ?? 0)));
  const y = axisScale(Math.max(1, ...totals), [HEIGHT - MARGIN.bottom, MARGIN.top], TICKS);
  const room = (width - MARGIN.left - MARGIN.right) / Math.max(1, labels.length);
  const bar = room * (1 - GAP);
  const every = Math.max(1, Math.ceil(LABEL_PX / room));
  const last = labels.length - 1;
  const xOf = (at: number) => MARGIN.left + at * room + (room - bar) / 2;
  const said = (at: number) =>
    `${labels[at]}: ${series.map(({ name, values }) => `${name} ${count(values[at])}`).join(", ")}`;
  return (
    <>
      <Picture
        {...{ title, cursor }}
        height={HEIGHT}
        pointAt={(px) => {
          const at = Math.floor((px - MARGIN.left) / room);
          return at < 0 || at > last ? undefined : at;
        }}
      >
        {y.ticks.filter(Number.isInteger).map((tick) => (
          <Rule
            key={tick}
            at={y(tick)}
            from={MARGIN.left}
            to={width - MARGIN.right}
            text={count(tick)}
          />
        ))}
        {labels.map((label, at) => {
          let below = 0;
          return (
            <g key={label} opacity={cursor.value === undefined || cursor.value === at ? 1 : 0.55}>
              {series.map(({ name, colour, values }) => {
                const value = values[at] ?? 0;
                const top = y(below + value);
                const height = y(below) - top;
                below += value;
                const fill = `var(--series-${colour})`;
                return <rect key={name} x={xOf(at)} y={top} width={bar} {...{ height, fill }} />;
              })}
              {at % every === 0 && (
                <text x={xOf(at) + bar / 2} y={HEIGHT - 6} text-anchor="middle">
                  {label}
                </text>
              )}
            </g>
          );
        })}
      </Picture>
      <CursorKeys {...{ title, cursor, last }} rest={0} say={said} />
      <p class="quiet small chart-cursor">
        {cursor.value === undefined ? " " : said(cursor.value)}
      </p>
    </>
  );
}
