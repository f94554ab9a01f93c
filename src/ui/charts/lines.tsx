/** Counts over time, one line a series, with a cursor for pointer and arrow keys. */

import { useSignal } from "@preact/signals";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { count } from "../lib/format.ts";
import { Chart, type Series } from "./chart.tsx";

export interface LineSeries extends Series {
  /** One value a point of `labels`. */
  values: readonly number[];
}

const HEIGHT = 220;
const MARGIN = { top: 8, right: 8, bottom: 22, left: 40 };
const TICKS = 4;
const LABEL_PX = 72;

export interface LinesProps {
  title: string;
  note?: string;
  /** What stands under each point: days, say. */
  labels: readonly string[];
  series: readonly LineSeries[];
  format?: (value: number) => string;
}

export function Lines({ title, note, labels, series, format = count }: LinesProps) {
  const figures = {
    columns: ["", ...series.map(({ name }) => name)],
    rows: labels.map((label, at) => [label, ...series.map(({ values }) => values[at] ?? 0)]),
  };
  return (
    <Chart title={title} legend={series} figures={figures} {...(note ? { note } : {})}>
      {(width) => <Plot {...{ labels, series, format, width, title }} />}
    </Chart>
  );
}

interface PlotProps extends Omit<LinesProps, "note"> {
  format: (value: number) => string;
  width: number;
}

function Plot({ title, labels, series, format, width }: PlotProps) {
  const cursor = useSignal<number | undefined>(undefined);
  const last = labels.length - 1;
  const most = Math.max(1, ...series.flatMap(({ values }) => values));
  const x = scaleLinear([0, Math.max(1, last)], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  const stroke = line<number>(
    (_, at) => x(at),
    (value) => y(value),
  );
  const fill = area<number>(
    (_, at) => x(at),
    y(0),
    (value) => y(value),
  );
  const every = Math.max(1, Math.ceil((labels.length * LABEL_PX) / width));
  const point = (offset: number) => {
    cursor.value = Math.min(last, Math.max(0, Math.round(x.invert(offset))));
  };
  return (
    <>
      <svg
        height={HEIGHT}
        role="img"
        aria-label={title}
        onPointerMove={({ offsetX }) => point(offsetX)}
        onPointerLeave={() => {
          cursor.value = undefined;
        }}
      >
        {y.ticks(TICKS).map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick)})`}>
            <line class="grid-line" x1={MARGIN.left} x2={width - MARGIN.right} />
            <text x={MARGIN.left - 8} dy="0.32em" text-anchor="end">
              {format(tick)}
            </text>
          </g>
        ))}
        {labels.map(
          (label, at) =>
            at % every === 0 && (
              <text key={label} x={x(at)} y={HEIGHT - 4} text-anchor="middle">
                {label}
              </text>
            ),
        )}
        {series.map(({ name, colour, values }) => (
          <g key={name}>
            <path class="area" d={fill([...values]) ?? ""} fill={`var(--series-${colour})`} />
            <path class="line" d={stroke([...values]) ?? ""} stroke={`var(--series-${colour})`} />
          </g>
        ))}
        {cursor.value !== undefined && (
          <line
            class="cursor-line"
            x1={x(cursor.value)}
            x2={x(cursor.value)}
            y1={MARGIN.top}
            y2={HEIGHT - MARGIN.bottom}
          />
        )}
      </svg>
      <input
        class="unseen"
        type="range"
        aria-label={`${title}: move along`}
        aria-valuetext={describe(labels, series, format, cursor.value ?? last)}
        min={0}
        max={last}
        value={cursor.value ?? last}
        onInput={({ currentTarget }) => {
          cursor.value = Number(currentTarget.value);
        }}
        onBlur={() => {
          cursor.value = undefined;
        }}
      />
      {cursor.value !== undefined && (
        <Tip at={cursor.value} left={x(cursor.value)} {...{ labels, series, format, width }} />
      )}
    </>
  );
}

function describe(
  labels: readonly string[],
  series: readonly LineSeries[],
  format: (value: number) => string,
  at: number,
): string {
  const parts = series.map(({ name, values }) => `${name} ${format(values[at] ?? 0)}`);
  return `${labels[at] ?? ""}: ${parts.join(", ")}`;
}

const TIP_PX = 130;

function Tip(props: Omit<PlotProps, "title"> & { at: number; left: number }) {
  const { at, left, width, labels, series, format } = props;
  const side = left + TIP_PX > width ? left - TIP_PX - 12 : left + 12;
  return (
    <div class="tip" style={{ left: `${side}px`, bottom: "60px", top: "auto" }}>
      <strong>{labels[at]}</strong>
      <dl>
        {series.map(({ name, values }) => (
          <>
            <dt>{name}</dt>
            <dd>{format(values[at] ?? 0)}</dd>
          </>
        ))}
      </dl>
    </div>
  );
}
