/**
 * The value remaining in an experiment: the smallest v with P(every other rate <= (1 + v) times the
 * leader's) >= q.
 *
 * Source: the stop rule of Google's content experiments, by integration instead of draws.
 */

import {
  type Beta,
  type Curve,
  cutsOf,
  edgesOf,
  type Grid,
  gridOf,
  logDensity,
  NODES,
  RULE,
} from "./beta-grid.ts";

const DOUBLINGS_MAX = 1100;
const ROUNDS_MAX = 200;
const PRECISION = 1e-13;
/** ln density below which a node of the leader's adds nothing to an integral near 1. */
const LOG_NEGLIGIBLE = -60;

/** `leader` against `others` on `grid`, which has the cuts of them all. `quantile` is above P(leader is best). */
export function remainingValue(
  leader: Beta,
  others: readonly Curve[],
  grid: Grid,
  quantile: number,
): number {
  const allBelow = grid.nodes.map((_, at) =>
    others.reduce((product, { below }) => product * (below[at] ?? 0), 1),
  );
  const excess = (v: number) => chanceWithin(leader, allBelow, grid, 1 + v) - quantile;
  let low = 0;
  let high = leader.sd / leader.mean / 16;
  for (let doubling = 0; doubling < DOUBLINGS_MAX && excess(high) < 0; doubling += 1) {
    low = high;
    high *= 2;
  }
  return rootBetween(excess, low, high);
}

/** P(every other rate <= `factor` times the leader's). */
function chanceWithin(leader: Beta, allBelow: Float64Array, grid: Grid, factor: number): number {
  const scaled = Array.from(grid.edges, (edge) => edge / factor);
  const near = gridOf(edgesOf([...cutsOf(leader), ...scaled]));
  let mass = 0;
  let within = 0;
  let panel = 0;
  for (const [at, x] of near.nodes.entries()) {
    const log = logDensity(leader, x);
    if (log < LOG_NEGLIGIBLE) {
      continue;
    }
    const share = Math.exp(log) * (near.weights[at] ?? 0);
    const point = x * factor;
    while (panel < grid.edges.length - 2 && point >= (grid.edges[panel + 1] ?? 1)) {
      panel += 1;
    }
    mass += share;
    within += share * (point >= 1 ? 1 : interpolate(allBelow, grid, panel, point));
  }
  return within / mass;
}

/** Of the polynomial through a panel's nodes, in the second barycentric form. */
const BARYCENTRIC = RULE.nodes.map((node, index) => {
  return (index % 2 === 0 ? 1 : -1) * Math.sqrt((1 - node * node) * (RULE.weights[index] ?? 0));
});

function interpolate(values: Float64Array, grid: Grid, panel: number, x: number): number {
  const from = grid.edges[panel] ?? 0;
  const to = grid.edges[panel + 1] ?? 1;
  const t = (2 * (x - from)) / (to - from) - 1;
  let above = 0;
  let below = 0;
  for (let node = 0; node < NODES; node += 1) {
    const distance = t - (RULE.nodes[node] ?? 0);
    const value = values[panel * NODES + node] ?? 0;
    if (distance === 0) {
      return value;
    }
    const weight = (BARYCENTRIC[node] ?? 0) / distance;
    above += weight * value;
    below += weight;
  }
  return above / below;
}

/** Where `f`, which grows, crosses 0 between `from` and `to`: false position with Illinois' halving. */
function rootBetween(f: (x: number) => number, from: number, to: number): number {
  let low = { x: from, value: f(from) };
  let high = { x: to, value: f(to) };
  let last = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const x = crossing(low, high);
    const value = f(x);
    const side = value < 0 ? -1 : 1;
    // An end that stays twice counts half, so that it does not stay for good.
    const damp = side === last ? 0.5 : 1;
    if (side < 0) {
      low = { x, value };
      high.value *= damp;
    } else {
      high = { x, value };
      low.value *= damp;
    }
    last = side;
    if (value === 0 || high.x - low.x <= PRECISION * (1 + high.x)) {
      break;
    }
  }
  return high.x;
}

interface Point {
  x: number;
  value: number;
}

/** Where the line through both crosses 0; their middle where rounding puts that on an end. */
function crossing(low: Point, high: Point): number {
  const x = (low.x * high.value - high.x * low.value) / (high.value - low.value);
  return x > low.x && x < high.x ? x : (low.x + high.x) / 2;
}
