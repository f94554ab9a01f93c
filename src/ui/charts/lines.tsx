/** Counts over time, one line a series, with a cursor for pointer and arrow keys. */

import { useSignal } from "@preact/signals";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { count } from "../lib/format.ts";
import { Chart, type Series } from "./chart.tsx";

export interface LineSeries extends Series {
  /** One value a point of `labels`. */
  values: readonly number[];
  /** Bounds of each value, drawn as a band in place of the area below the line. */
  bounds?: readonly (readonly [low: number, high: number])[];
  /** For comparison: a dashed line with nothing below it. */
  isDashed?: boolean;
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
  /** The axis reaches at least this far; 1 where it is left out. */
  least?: number;
  /** False: lines alone, where areas would hide each other. */
  hasAreas?: boolean;
}

export function Lines({
  title,
  note,
  labels,
  series,
  format = count,
  least = 1,
  hasAreas = true,
}: LinesProps) {
  const figures = {
    columns: ["", ...series.map(({ name }) => name)],
    rows: labels.map((label, at) => [label, ...series.map(({ values }) => values[at] ?? 0)]),
  };
  return (
    <Chart title={title} legend={series} figures={figures} {...(note ? { note } : {})}>
      {(width) => <Plot {...{ labels, series, format, width, title, least, hasAreas }} />}
    </Chart>
  );
}

interface PlotProps extends Omit<LinesProps, "note"> {
  format: (value: number) => string;
  least: number;
  hasAreas: boolean;
  width: number;
}

function Plot({ title, labels, series, format, width, least, hasAreas }: PlotProps) {
  const cursor = useSignal<number | undefined>(undefined);
  const last = labels.length - 1;
  const most = mostOf(series, least);
  const x = scaleLinear([0, Math.max(1, last)], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS);
  const stroke = line<number>(
    (_, at) => x(at),
    (value) => y(value),
  ).defined(Number.isFinite);
  const fill = area<number>(
    (_, at) => x(at),
    y(0),
    (value) => y(value),
  );
  const band = area<readonly [number, number]>(
    (_, at) => x(at),
    ([low]) => y(low),
    ([, high]) => y(high),
  );
  const areaOf = (values: LineSeries["values"], bounds: LineSeries["bounds"]) => {
    if (bounds !== undefined) {
      return band([...bounds]);
    }
    return hasAreas ? fill([...values]) : null;
  };
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
          <Rule key={tick} at={y(tick)} width={width} text={format(tick)} />
        ))}
        {labels.map(
          (label, at) =>
            at % every === 0 && (
              <text key={label} x={x(at)} y={HEIGHT - 4} text-anchor="middle">
                {label}
              </text>
            ),
        )}
        {series.map(({ name, colour, values, bounds, isDashed }) => (
          <Drawn
            key={name}
            colour={`var(--series-${colour})`}
            fill={isDashed ? null : areaOf(values, bounds)}
            stroke={stroke([...values])}
            isDashed={isDashed === true}
          />
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

function Drawn(props: {
  colour: string;
  fill: string | null;
  stroke: string | null;
  isDashed: boolean;
}) {
  const { colour, fill, stroke, isDashed } = props;
  return (
    <g>
      {fill !== null && <path class="area" d={fill} fill={colour} />}
      <path class={isDashed ? "line dashed" : "line"} d={stroke ?? ""} stroke={colour} />
    </g>
  );
}

/** The highest value or bound, at least `least`. */
function mostOf(series: readonly LineSeries[], least: number): number {
  const tops = series.flatMap(({ values, bounds = [] }) => [
    ...values.filter(Number.isFinite),
    ...bounds.map(([, high]) => high),
  ]);
  return Math.max(least, ...tops);
}

function Rule({ at, width, text }: { at: number; width: number; text: string }) {
  return (
    <g transform={`translate(0 ${at})`}>
      <line class="grid-line" x1={MARGIN.left} x2={width - MARGIN.right} />
      <text x={MARGIN.left - 8} dy="0.32em" text-anchor="end">
        {text}
      </text>
    </g>
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

function Tip(
  props: Omit<PlotProps, "title" | "least" | "hasAreas"> & { at: number; left: number },
) {
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
