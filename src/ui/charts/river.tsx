/** Shares that add up to all, over time: each holds from its point to the next, so edges are steps. */

import { useSignal } from "@preact/signals";
import { percent } from "../lib/format.ts";
import { Chart, type Series } from "./chart.tsx";
import { CursorKeys, labelEvery, Picture, Rule, within } from "./plot.tsx";
import { linearScale } from "./scale.ts";

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
  const x = linearScale([0, labels.length], [MARGIN.left, width - MARGIN.right]);
  const y = linearScale([0, 1], [HEIGHT - MARGIN.bottom, MARGIN.top]);
  const last = labels.length - 1;
  const every = labelEvery(labels.length, width, LABEL_PX);
  const say = (at: number) => {
    const shares = series.map((one) => `${one.name} ${percent(one.shares[at] ?? 0)}`);
    return `${labels[at] ?? ""}: ${shares.join(", ")}`;
  };
  return (
    <>
      <Picture
        {...{ title, cursor }}
        height={HEIGHT}
        pointAt={(px) => within(Math.floor(x.invert(px)), last)}
      >
        {[0, 0.5, 1].map((tick) => (
          <Rule
            key={tick}
            at={y(tick)}
            from={MARGIN.left}
            to={width - MARGIN.right}
            text={percent(tick)}
          />
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
      </Picture>
      <CursorKeys {...{ title, cursor, last, say }} rest={last} />
      <p class="quiet small number">{say(cursor.value ?? last)}</p>
    </>
  );
}
