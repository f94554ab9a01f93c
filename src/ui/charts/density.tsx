/** Where the rate of each variant probably lies: its posterior, Beta(1 + successes, 1 + failures). */

import { useSignal } from "@preact/signals";
import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { percent } from "../lib/format.ts";
import { Chart, type Series } from "./chart.tsx";

export interface Posterior extends Series {
  successes: number;
  failures: number;
}

const HEIGHT = 220;
const MARGIN = { top: 8, right: 12, bottom: 22, left: 12 };
const POINTS = 161;
/** Standard deviations shown to each side of every mean. */
const SDS = 3.6;
const TICKS = 7;
const DASHES = ["", "6 3", "2 3", "8 3 2 3", "1 2"];

export interface Curve {
  x: number;
  density: number;
  /** Probability that the rate is above `x`. */
  above: number;
}

/** The shares of all posteriors that are worth drawing. */
export function extentOf(
  of: readonly Pick<Posterior, "successes" | "failures">[],
): [number, number] {
  const ends = of.map(({ successes, failures }) => {
    const [a, b] = [1 + successes, 1 + failures];
    const mean = a / (a + b);
    const sd = Math.sqrt((mean * (1 - mean)) / (a + b + 1));
    return [mean - SDS * sd, mean + SDS * sd] as const;
  });
  return [
    Math.max(0, Math.min(...ends.map(([low]) => low))),
    Math.min(1, Math.max(...ends.map(([, high]) => high))),
  ];
}

/** The density at even steps from `low` to `high`; the area below it is 1 where all of it is inside. */
export function curveOf(
  { successes, failures }: Pick<Posterior, "successes" | "failures">,
  [low, high]: readonly [number, number],
): Curve[] {
  const step = (high - low) / (POINTS - 1);
  const mode = successes + failures === 0 ? 0.5 : successes / (successes + failures);
  const logAt = (x: number) =>
    (successes === 0 ? 0 : successes * Math.log(x)) +
    (failures === 0 ? 0 : failures * Math.log(1 - x));
  const top = logAt(mode);
  const raw = Array.from({ length: POINTS }, (_, at) => Math.exp(logAt(low + at * step) - top));
  const total = raw.reduce((sum, value) => sum + value, 0) * step;
  let above = 1;
  return raw.map((value, at) => {
    const density = value / total;
    above -= density * step;
    return { x: low + at * step, density, above: Math.max(0, above + (density * step) / 2) };
  });
}

export interface DensityProps {
  title: string;
  note?: string;
  of: readonly Posterior[];
}

export function Density({ title, note, of }: DensityProps) {
  const extent = extentOf(of);
  const curves = of.map((posterior) => curveOf(posterior, extent));
  const figures = {
    columns: ["Rate", ...of.map(({ name }) => `${name}: chance to be above it`)],
    rows: (curves[0] ?? [])
      .filter((_, at) => at % 8 === 0)
      .map(({ x }, nth) => [
        percentOf(x),
        ...curves.map((curve) => percent(curve[nth * 8]?.above ?? 0)),
      ]),
  };
  return (
    <Chart title={title} legend={of} figures={figures} {...(note ? { note } : {})}>
      {(width) => <Plot {...{ title, of, curves, extent, width }} />}
    </Chart>
  );
}

function percentOf(x: number): string {
  return `${(x * 100).toFixed(1)}%`;
}

function Plot(props: {
  title: string;
  of: readonly Posterior[];
  curves: readonly Curve[][];
  extent: [number, number];
  width: number;
}) {
  const { title, of, curves, extent, width } = props;
  const cursor = useSignal<number | undefined>(undefined);
  const x = scaleLinear(extent, [MARGIN.left, width - MARGIN.right]);
  const most = Math.max(...curves.flatMap((curve) => curve.map(({ density }) => density)));
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const stroke = line<Curve>(
    (point) => x(point.x),
    ({ density }) => y(density),
  );
  const fill = area<Curve>(
    (point) => x(point.x),
    y(0),
    ({ density }) => y(density),
  );
  const at = cursor.value ?? Math.floor(POINTS / 2);
  const rate = curves[0]?.[at]?.x ?? 0;
  const said = of.map(({ name }, nth) => [name, percent(curves[nth]?.[at]?.above ?? 0)] as const);
  return (
    <>
      <svg
        height={HEIGHT}
        role="img"
        aria-label={title}
        onPointerMove={({ offsetX }) => {
          const share = (x.invert(offsetX) - extent[0]) / (extent[1] - extent[0]);
          cursor.value = Math.min(POINTS - 1, Math.max(0, Math.round(share * (POINTS - 1))));
        }}
        onPointerLeave={() => {
          cursor.value = undefined;
        }}
      >
        {x.ticks(Math.min(TICKS, Math.floor(width / 70))).map((tick) => (
          <g key={tick} transform={`translate(${x(tick)} 0)`}>
            <line class="grid-line" y1={MARGIN.top} y2={HEIGHT - MARGIN.bottom} />
            <text y={HEIGHT - 4} text-anchor="middle">
              {percentOf(tick)}
            </text>
          </g>
        ))}
        {of.map(({ name, colour }, nth) => (
          <g key={name}>
            <path class="area" d={fill(curves[nth] ?? []) ?? ""} fill={`var(--series-${colour})`} />
            <path
              class="line"
              d={stroke(curves[nth] ?? []) ?? ""}
              stroke={`var(--series-${colour})`}
              stroke-dasharray={DASHES[nth % DASHES.length]}
            />
          </g>
        ))}
        <line class="axis-line" x1={MARGIN.left} x2={width - MARGIN.right} y1={y(0)} y2={y(0)} />
        {cursor.value !== undefined && (
          <line class="cursor-line" x1={x(rate)} x2={x(rate)} y1={MARGIN.top} y2={y(0)} />
        )}
      </svg>
      <input
        class="unseen"
        type="range"
        aria-label={`${title}: move along`}
        aria-valuetext={`Above ${percentOf(rate)}: ${said.map((one) => one.join(" ")).join(", ")}`}
        min={0}
        max={POINTS - 1}
        value={at}
        onInput={({ currentTarget }) => {
          cursor.value = Number(currentTarget.value);
        }}
        onBlur={() => {
          cursor.value = undefined;
        }}
      />
      {cursor.value !== undefined && (
        <div
          class="tip"
          style={{
            left: `${x(rate) + 170 > width ? Math.max(0, x(rate) - 182) : x(rate) + 12}px`,
            bottom: "60px",
            top: "auto",
          }}
        >
          <strong>Chance to be above {percentOf(rate)}</strong>
          <dl>
            {said.map(([name, chance]) => (
              <>
                <dt>{name}</dt>
                <dd>{chance}</dd>
              </>
            ))}
          </dl>
        </div>
      )}
    </>
  );
}
