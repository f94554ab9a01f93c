/** Where the rate of each variant probably lies: its posterior, Beta(1 + successes, 1 + failures). */

import { useSignal } from "@preact/signals";
import { percent } from "../lib/format.ts";
import { sum } from "../lib/sum.ts";
import { Chart, type Series } from "./chart.tsx";
import { CursorKeys, Picture, Tip, within } from "./plot.tsx";
import { areaPath, linearScale, linePath, roundValues } from "./scale.ts";

export interface Posterior extends Series {
  successes: number;
  failures: number;
}

const HEIGHT = 220;
const MARGIN = { top: 8, right: 12, bottom: 22, left: 12 };
const BASE = HEIGHT - MARGIN.bottom;
const POINTS = 161;
/** Standard deviations shown to each side of every mean. */
const SDS = 3.6;
const TICKS = 7;
const TICK_PX = 70;
const TIP_PX = 170;
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
  const total = sum(raw) * step;
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
    columns: ["Rate", ...of.map(({ name }) => `${name}: probability of a higher rate`)],
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
  return `${+(x * 100).toFixed(1)}%`;
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
  const x = linearScale(extent, [MARGIN.left, width - MARGIN.right]);
  const most = Math.max(...curves.flatMap((curve) => curve.map(({ density }) => density)));
  const y = linearScale([0, most], [BASE, MARGIN.top]);
  const step = (extent[1] - extent[0]) / (POINTS - 1);
  const rateAt = (at: number) => extent[0] + at * step;
  const chancesAt = (at: number) =>
    of.map(({ name }, nth) => [name, percent(curves[nth]?.[at]?.above ?? 0)] as const);
  const here = cursor.value;
  return (
    <>
      <Picture
        {...{ title, cursor }}
        height={HEIGHT}
        pointAt={(px) => within(Math.round((x.invert(px) - extent[0]) / step), POINTS - 1)}
      >
        {roundValues(extent, Math.min(TICKS, Math.floor(width / TICK_PX))).map((tick) => (
          <g key={tick} transform={`translate(${x(tick)} 0)`}>
            <line class="grid-line" y1={MARGIN.top} y2={BASE} />
            <text y={HEIGHT - 4} text-anchor="middle">
              {percentOf(tick)}
            </text>
          </g>
        ))}
        {of.map(({ name, colour }, nth) => {
          const points = (curves[nth] ?? []).map((at) => [x(at.x), y(at.density)] as const);
          const base = points.map(([px]) => [px, BASE] as const);
          return (
            <g key={name}>
              <path class="area" d={areaPath(points, base)} fill={`var(--series-${colour})`} />
              <path
                class="line"
                d={linePath(points)}
                stroke={`var(--series-${colour})`}
                stroke-dasharray={DASHES[nth % DASHES.length]}
              />
            </g>
          );
        })}
        <line class="axis-line" x1={MARGIN.left} x2={width - MARGIN.right} y1={BASE} y2={BASE} />
        {here !== undefined && (
          <line
            class="cursor-line"
            x1={x(rateAt(here))}
            x2={x(rateAt(here))}
            y1={MARGIN.top}
            y2={BASE}
          />
        )}
      </Picture>
      <CursorKeys
        {...{ title, cursor }}
        rest={Math.floor(POINTS / 2)}
        last={POINTS - 1}
        say={(at) =>
          `Above ${percentOf(rateAt(at))}: ${chancesAt(at)
            .map((pair) => pair.join(" "))
            .join(", ")}`
        }
      />
      {here !== undefined && (
        <Tip
          title={`Probability above ${percentOf(rateAt(here))}`}
          x={x(rateAt(here))}
          width={width}
          roomPx={TIP_PX}
          rows={chancesAt(here)}
        />
      )}
    </>
  );
}
