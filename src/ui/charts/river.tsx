/** Shares that add up to all, over time: each holds from its point to the next, so edges are steps. */

import { useSignal } from "@preact/signals";
import { scaleLinear } from "d3-scale";
import { percent } from "../lib/format.ts";
import { Chart, type Series } from "./chart.tsx";

export interface RiverSeries extends Series {
  /** 0 to 1, one a point of `labels`. */
  shares: readonly number[];
}

const HEIGHT = 180;
const MARGIN = { top: 4, right: 8, bottom: 22, left: 40 };
const LABEL_PX = 72;

export function River(props: {
  title: string;
  note?: string;
  /** What stands under each point. */
  labels: readonly string[];
  series: readonly RiverSeries[];
}) {
  const { title, note, labels, series } = props;
  const figures = {
    columns: ["From", ...series.map(({ name }) => name)],
    rows: labels.map((label, at) => [
      label,
      ...series.map((each) => percent(each.shares[at] ?? 0)),
    ]),
  };
  return (
    <Chart title={title} legend={series} figures={figures} {...(note ? { note } : {})}>
      {(width) => <Plot {...{ title, labels, series, width }} />}
    </Chart>
  );
}

function Plot(props: {
  title: string;
  labels: readonly string[];
  series: readonly RiverSeries[];
  width: number;
}) {
  const { title, labels, series, width } = props;
  const cursor = useSignal<number | undefined>(undefined);
  const x = scaleLinear([0, labels.length], [MARGIN.left, width - MARGIN.right]);
  const y = scaleLinear([0, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const every = Math.max(1, Math.ceil((labels.length * LABEL_PX) / width));
  const at = cursor.value ?? labels.length - 1;
  const said = series.map(({ name, shares }) => `${name} ${percent(shares[at] ?? 0)}`).join(", ");
  return (
    <>
      <svg
        height={HEIGHT}
        role="img"
        aria-label={title}
        onPointerMove={({ offsetX }) => {
          cursor.value = Math.min(labels.length - 1, Math.max(0, Math.floor(x.invert(offsetX))));
        }}
        onPointerLeave={() => {
          cursor.value = undefined;
        }}
      >
        {[0, 0.5, 1].map((tick) => (
          <g key={tick} transform={`translate(0 ${y(tick)})`}>
            <line class="grid-line" x1={MARGIN.left} x2={width - MARGIN.right} />
            <text x={MARGIN.left - 8} dy="0.32em" text-anchor="end">
              {percent(tick)}
            </text>
          </g>
        ))}
        {labels.map(
          (label, nth) =>
            nth % every === 0 && (
              <text key={label} x={x(nth)} y={HEIGHT - 4} text-anchor="start">
                {label}
              </text>
            ),
        )}
        {labels.map((label, nth) => {
          let below = 0;
          return (
            <g key={label} opacity={cursor.value === undefined || cursor.value === nth ? 1 : 0.7}>
              {series.map(({ name, colour, shares }) => {
                const from = below;
                below += shares[nth] ?? 0;
                return (
                  <rect
                    key={name}
                    x={x(nth)}
                    width={Math.max(0, x(nth + 1) - x(nth) - (labels.length > 60 ? 0 : 1))}
                    y={y(below)}
                    height={Math.max(0, y(from) - y(below) - 1)}
                    fill={`var(--series-${colour})`}
                  />
                );
              })}
            </g>
          );
        })}
      </svg>
      <input
        class="unseen"
        type="range"
        aria-label={`${title}: move along`}
        aria-valuetext={`${labels[at] ?? ""}: ${said}`}
        min={0}
        max={labels.length - 1}
        value={at}
        onInput={({ currentTarget }) => {
          cursor.value = Number(currentTarget.value);
        }}
        onBlur={() => {
          cursor.value = undefined;
        }}
      />
      <p class="quiet small number">
        {labels[at]}: {said}
      </p>
    </>
  );
}
