/**
 * Several Beta posteriors on one grid: the density of each at every node, and the mass below and above it.
 * Integrals over products of them are then sums, and no two readings of the same counts differ.
 *
 * The line from 0 to 1 is cut around every posterior, in steps of its own sd, and each panel gets a
 * 20-node Gauss-Legendre rule. Distribution functions are running integrals of the same values, taken from
 * the left for the mass below and from the right for the mass above, so that both tails keep their digits.
 * Densities are relative to the mode, where the linear terms of their logarithm cancel on paper instead of
 * in the last digits; each is divided by its own integral.
 *
 * Source: ours. Right to 1e-12 at a million counts an arm; checked against exact fractions.
 */

import { gaussLegendre, runningWeights } from "./quadrature.ts";
import { log1pMinus } from "./special.ts";

/** Beta(1 + successes, 1 + failures). */
export interface Beta {
  readonly successes: number;
  readonly failures: number;
  readonly mode: number;
  readonly mean: number;
  readonly sd: number;
}

export function betaOf(successes: number, failures: number): Beta {
  const [alpha, beta] = [1 + successes, 1 + failures];
  const total = alpha + beta;
  const sd = Math.sqrt(((alpha / total) * (beta / total)) / (total + 1));
  const counted = successes + failures;
  const mode = counted === 0 ? 0.5 : successes / counted;
  return { successes, failures, mode, mean: alpha / total, sd };
}

/** Nodes of a panel. */
export const NODES = 20;
export const RULE = gaussLegendre(NODES);
const RUNNING = runningWeights(RULE);
/** Within a gap between two nodes, where a density changes too much for one polynomial a panel. */
const GAP_NODES = 8;
const GAP_RULE = gaussLegendre(GAP_NODES);
/** Change of ln density over a panel up to which the polynomial through its nodes keeps the small end. */
const CHANGE_MAX = 10;

/** Where panels end, in sds from the mean. The far ones are for posteriors shaped like exponentials. */
const CUTS = [0, 1.5, 3, 5, 8, 11, 14, 18, 24, 32, 64, 128];
/**
 * Halves of halves beside 0 and 1, for a fractional count: there x^0.3 is like no polynomial. A large count
 * has no mass there.
 */
const EDGE_CUTS = Array.from({ length: 44 }, (_, index) => 2 ** -(index + 1));
const EDGE_COUNT_MAX = 20;

export function cutsOf({ successes, failures, mean, sd }: Beta): number[] {
  const cuts = CUTS.flatMap((inSds) => [mean - inSds * sd, mean + inSds * sd]);
  if (isFewAndBroken(successes)) {
    cuts.push(...EDGE_CUTS);
  }
  if (isFewAndBroken(failures)) {
    cuts.push(...EDGE_CUTS.map((cut) => 1 - cut));
  }
  return cuts;
}

function isFewAndBroken(count: number): boolean {
  return count < EDGE_COUNT_MAX && !Number.isInteger(count);
}

/** 0, `cuts` that lie between, and 1: ascending, each once. */
export function edgesOf(cuts: readonly number[]): Float64Array {
  const inside = cuts.filter((cut) => cut > 0 && cut < 1);
  return new Float64Array([...new Set([0, ...inside, 1])]).sort();
}

/** ln of the density at `x` less that at the mode. */
export function logDensity({ successes, failures, mode }: Beta, x: number): number {
  if (successes === 0) {
    return failures === 0 ? 0 : failures * Math.log1p(-x);
  }
  if (failures === 0) {
    return successes * Math.log(x);
  }
  const rest = 1 - mode;
  const atMode = successes * log1pMinus((x - mode) / mode, x / mode);
  return atMode + failures * log1pMinus((mode - x) / rest, (1 - x) / rest);
}

/**
 * One posterior on the grid. Entry `panel * NODES + node` of each array is its value at that node; `below`
 * and `above` are the mass on either side of it.
 */
export interface Curve {
  readonly density: Float64Array;
  readonly below: Float64Array;
  readonly above: Float64Array;
  /** The integral of exp({@link logDensity}). */
  readonly total: number;
}

/** The nodes of all panels, and what each weighs in an integral over the whole line. */
export interface Grid {
  readonly edges: Float64Array;
  readonly nodes: Float64Array;
  readonly weights: Float64Array;
}

export function gridOf(edges: Float64Array): Grid {
  const panels = edges.length - 1;
  const nodes = new Float64Array(panels * NODES);
  const weights = new Float64Array(panels * NODES);
  for (let panel = 0; panel < panels; panel += 1) {
    const from = edges[panel] ?? 0;
    const half = ((edges[panel + 1] ?? 1) - from) / 2;
    for (let node = 0; node < NODES; node += 1) {
      nodes[panel * NODES + node] = from + half * (1 + (RULE.nodes[node] ?? 0));
      weights[panel * NODES + node] = half * (RULE.weights[node] ?? 0);
    }
  }
  return { edges, nodes, weights };
}

/** `beta` on `grid`, whose edges contain its own cuts. */
export function curveOf(beta: Beta, grid: Grid): Curve {
  const density = new Float64Array(grid.nodes.length);
  const below = new Float64Array(grid.nodes.length);
  const above = new Float64Array(grid.nodes.length);
  const values = { density, below, above };
  const panels = grid.edges.length - 1;
  const masses = new Float64Array(panels);
  for (let panel = 0; panel < panels; panel += 1) {
    masses[panel] = fillPanel(beta, grid, values, panel);
  }
  let left = 0;
  for (let panel = 0; panel < panels; panel += 1) {
    lift(below, panel, left);
    left += masses[panel] ?? 0;
  }
  let right = 0;
  for (let panel = panels - 1; panel >= 0; panel -= 1) {
    lift(above, panel, right);
    right += masses[panel] ?? 0;
  }
  for (let at = 0; at < density.length; at += 1) {
    density[at] = (density[at] ?? 0) / left;
    below[at] = (below[at] ?? 0) / left;
    above[at] = (above[at] ?? 0) / left;
  }
  return { ...values, total: left };
}

function lift(values: Float64Array, panel: number, by: number): void {
  for (let at = panel * NODES; at < (panel + 1) * NODES; at += 1) {
    values[at] = (values[at] ?? 0) + by;
  }
}

/** Below it exp is 0. */
const LOG_LEAST = -746;

type Values = Omit<Curve, "total">;

/** Writes one panel's densities and its own mass on either side of each node; returns all its mass. */
function fillPanel(beta: Beta, grid: Grid, values: Values, panel: number): number {
  const start = panel * NODES;
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (let at = start; at < start + NODES; at += 1) {
    const log = logDensity(beta, grid.nodes[at] ?? 0);
    least = Math.min(least, log);
    most = Math.max(most, log);
    values.density[at] = Math.exp(log);
  }
  if (most < LOG_LEAST) {
    return 0;
  }
  return most - least <= CHANGE_MAX
    ? integratePanel(grid, values, panel)
    : integrateGaps(beta, grid, values, panel);
}

function integratePanel(grid: Grid, { density, below, above }: Values, panel: number): number {
  const start = panel * NODES;
  const half = ((grid.edges[panel + 1] ?? 1) - (grid.edges[panel] ?? 0)) / 2;
  let mass = 0;
  for (let node = 0; node < NODES; node += 1) {
    mass += (grid.weights[start + node] ?? 0) * (density[start + node] ?? 0);
  }
  for (let node = 0; node < NODES; node += 1) {
    let sum = 0;
    for (let other = 0; other < NODES; other += 1) {
      sum += (RUNNING[node * NODES + other] ?? 0) * (density[start + other] ?? 0);
    }
    below[start + node] = Math.max(0, half * sum);
    above[start + node] = Math.max(0, mass - half * sum);
  }
  return mass;
}

/** The same from integrals between neighbouring nodes: all terms are positive, so small ends keep digits. */
function integrateGaps(beta: Beta, grid: Grid, { below, above }: Values, panel: number): number {
  const start = panel * NODES;
  const gaps = new Float64Array(NODES + 1);
  let from = grid.edges[panel] ?? 0;
  for (let gap = 0; gap <= NODES; gap += 1) {
    const to = (gap < NODES ? grid.nodes[start + gap] : grid.edges[panel + 1]) ?? 1;
    gaps[gap] = massBetween(beta, from, to);
    from = to;
  }
  let left = 0;
  let right = 0;
  for (let node = 0; node < NODES; node += 1) {
    left += gaps[node] ?? 0;
    below[start + node] = left;
    right += gaps[NODES - node] ?? 0;
    above[start + NODES - 1 - node] = right;
  }
  return left + (gaps[NODES] ?? 0);
}

/** The integral of exp({@link logDensity}) over as little as lies between two nodes. */
export function massBetween(beta: Beta, from: number, to: number): number {
  const half = (to - from) / 2;
  let sum = 0;
  for (let node = 0; node < GAP_NODES; node += 1) {
    const x = from + half * (1 + (GAP_RULE.nodes[node] ?? 0));
    sum += (GAP_RULE.weights[node] ?? 0) * Math.exp(logDensity(beta, x));
  }
  return half * sum;
}
