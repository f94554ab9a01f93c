/** A small line of counts by day, for a row or a card. It says its figures in words to those who do not see it. */

import { count } from "../lib/format.ts";
import { sum } from "../lib/sum.ts";

const WIDTH = 84;
const HEIGHT = 22;
const INSET = 2;

/** `said` is for what isn't counted by day. */
export function Spark(props: { label?: string; values: readonly number[]; said?: string }) {
  const { label, values } = props;
  const most = Math.max(1, ...values);
  const step = (WIDTH - 2 * INSET) / Math.max(1, values.length - 1);
  const points = values.map((value, at) => {
    const y = HEIGHT - INSET - (value / most) * (HEIGHT - 2 * INSET);
    return `${(INSET + at * step).toFixed(1)},${y.toFixed(1)}`;
  });
  const said =
    props.said ??
    `${label}: ${count(sum(values))} in ${values.length} days, at most ${count(most)} in one day`;
  return (
    <svg
      class="spark"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={said}
    >
      <title>{said}</title>
      <polyline points={points.join(" ")} />
    </svg>
  );
}
