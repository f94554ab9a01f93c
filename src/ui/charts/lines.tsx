/** Counts over time, one line a series, with a cursor for pointer and arrow keys. */

import { useSignal } from "@preact/signals";
import { count } from "../lib/format.ts";
import { Chart, type Series } from "./chart.tsx";
import { CursorKeys, labelEvery, Picture, Rule, Tip, within } from "./plot.tsx";
import { areaPath, axisScale, linearScale, linePath, type Scale } from "./scale.ts";

export interface LineSeries extends Series {
  /** One value a point of `labels`. */
  values: readonly number[];
  /** For comparison: a dashed line with nothing below it. */
  isDashed?: boolean;
}

const HEIGHT = 220;
const MARGIN = { top: 8, right: 8, bottom: 22, left: 40 };
const BASE = HEIGHT - MARGIN.bottom;
const TICKS = 4;
const LABEL_PX = 72;
const TIP_PX = 130;

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

export function Lines(props: LinesProps) {
  const { title, note, labels, series, format = count, least = 1, hasAreas = true } = props;
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

interface PlotProps extends Required<Omit<LinesProps, "note">> {
  width: number;
}

function Plot({ title, labels, series, format, width, least, hasAreas }: PlotProps) {
  const cursor = useSignal<number | undefined>(undefined);
  const last = labels.length - 1;
  const right = width - MARGIN.right;
  const x = linearScale([0, Math.max(1, last)], [MARGIN.left, right]);
  const y = axisScale(mostOf(series, least), [BASE, MARGIN.top], TICKS);
  const every = labelEvery(labels.length, width, LABEL_PX);
  const valuesAt = (at: number) =>
    series.map(({ name, values }) => [name, format(values[at] ?? 0)] as const);
  const here = cursor.value;
  return (
    <>
      <Picture
        {...{ title, cursor }}
        height={HEIGHT}
        pointAt={(px) => within(Math.round(x.invert(px)), last)}
      >
        {y.ticks.map((tick) => (
          <Rule key={tick} at={y(tick)} from={MARGIN.left} to={right} text={format(tick)} />
        ))}
        {labels.map(
          (label, at) =>
            at % every === 0 && (
              <text
                key={label}
                x={x(at)}
                y={HEIGHT - 4}
                text-anchor={at > 0 && at === last ? "end" : "middle"}
              >
                {label}
              </text>
            ),
        )}
        {series.map((of) => (
          <Drawn key={of.name} {...{ of, x, y, hasAreas }} />
        ))}
        {here !== undefined && (
          <line class="cursor-line" x1={x(here)} x2={x(here)} y1={MARGIN.top} y2={BASE} />
        )}
      </Picture>
      <CursorKeys
        {...{ title, cursor, last }}
        rest={last}
        say={(at) =>
          `${labels[at] ?? ""}: ${valuesAt(at)
            .map((pair) => pair.join(" "))
            .join(", ")}`
        }
      />
      {here !== undefined && (
        <Tip
          title={labels[here] ?? ""}
          x={x(here)}
          width={width}
          roomPx={TIP_PX}
          rows={valuesAt(here)}
        />
      )}
    </>
  );
}

function Drawn(props: { of: LineSeries; x: Scale; y: Scale; hasAreas: boolean }) {
  const { of, x, y, hasAreas } = props;
  const { values, isDashed } = of;
  const colour = `var(--series-${of.colour})`;
  const edge = (heights: readonly number[]) =>
    heights.map((height, at) => [x(at), y(height)] as const);
  return (
    <g>
      {hasAreas && !isDashed && (
        <path class="area" d={areaPath(edge(values), edge(values.map(() => 0)))} fill={colour} />
      )}
      <path class={isDashed ? "line dashed" : "line"} d={linePath(edge(values))} stroke={colour} />
      {values.map(
        (value, at) =>
          isAlone(values, at) && <circle key={at} cx={x(at)} cy={y(value)} r={3} fill={colour} />,
      )}
    </g>
  );
}

/** A point that has no neighbour to be joined with. */
function isAlone(values: readonly number[], at: number): boolean {
  const has = (place: number) => Number.isFinite(values[place]);
  return has(at) && !has(at - 1) && !has(at + 1);
}

/** The highest value, at least `least`. */
function mostOf(series: readonly LineSeries[], least: number): number {
  return Math.max(least, ...series.flatMap(({ values }) => values.filter(Number.isFinite)));
}
