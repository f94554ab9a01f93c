/**
 * Quantiles of a Beta posterior, from either end: the gap between two nodes of its grid that holds the
 * quantile, and Newton's method inside of it.
 */

import {
  type Beta,
  curveOf,
  cutsOf,
  edgesOf,
  gridOf,
  logDensity,
  massBetween,
} from "./beta-grid.ts";

/** The rates with `tail` of the mass below the one, and above the other. `tail` is below a half. */
export function centralInterval(beta: Beta, tail: number): { lower: number; upper: number } {
  const { nodes, ...grid } = gridOf(edgesOf(cutsOf(beta)));
  const { below, above, total } = curveOf(beta, { nodes, ...grid });
  const last = nodes.length - 1;
  const after = below.findIndex((mass) => mass >= tail);
  const before = above.findLastIndex((mass) => mass >= tail);
  const least = { at: nodes[after - 1] ?? 0, mass: below[after - 1] ?? 0 };
  const most = { at: before === last ? 1 : (nodes[before + 1] ?? 1), mass: above[before + 1] ?? 0 };
  return {
    lower: inGap(beta, least.at, nodes[after] ?? 1, (tail - least.mass) * total),
    upper: inGap(beta, most.at, nodes[before] ?? 0, (tail - most.mass) * total),
  };
}

const STEPS_MAX = 100;

/** Where, on the way from `from` to `to`, the mass behind is `mass`; `to` may lie on either side. */
function inGap(beta: Beta, from: number, to: number, mass: number): number {
  let [near, far] = [from, to];
  let x = (from + to) / 2;
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const missing = mass - Math.abs(massBetween(beta, from, x));
    if (missing > 0) {
      near = x;
    } else {
      far = x;
    }
    const change = (missing / Math.exp(logDensity(beta, x))) * Math.sign(to - from);
    const next = x + change;
    const isInside = (next - near) * (next - far) < 0;
    const before = x;
    x = isInside ? next : (near + far) / 2;
    if (Math.abs(x - before) <= Number.EPSILON * Math.min(x, before)) {
      break;
    }
  }
  return x;
}
