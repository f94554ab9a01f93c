/**
 * Several arms against one: how often the largest of their differences from it would be as large by chance. All
 * share that one's chance, so they are correlated, and a correction that knows it asks for less than one that doesn't.
 *
 * With λ = n/(n + n₀) of each arm, its z is √λ times what all have in common and √(1 − λ) times what is its own: given
 * the common part they are independent, and one integral is left. λ = 0 takes nothing for granted, and is Šidák's.
 *
 * Source: Dunnett 1955 (JASA 50, 1096–1121); of normal differences, as with his infinite degrees of freedom. For
 * λ = 0: Šidák 1967 (JASA 62, 626–633).
 */

import {
  ArgumentError,
  checkInside,
  checkList,
  checkPositive,
  checkProbability,
} from "./argument.ts";
import { ARMS_MAX } from "./bayes.ts";
import { gaussLegendre } from "./quadrature.ts";
import { normalAbove, normalUpperQuantile } from "./special.ts";

/** λ of each arm that is compared. */
export interface Comparisons {
  readonly lambdas: readonly number[];
}

const RULE = gaussLegendre(20);
/** Beyond what the largest |z| is likely to take of it, the common part has a mass of 1e-19. */
const REACH = 9;
const PANEL_MAX = 1.5;
/** More would need ever narrower panels; less in common makes the p-value larger, never smaller. */
const LAMBDA_MAX = 0.99;
/** Below, a z has no digits left, and all of the tails together are no more than their sum. */
const P_MIN = 1e-300;
const STEPS_MAX = 50;
const PRECISION = 1e-14;

/**
 * P(some |z| as large as that whose own two-sided p-value is `pValue`): with all comparisons in mind. `factor`: of what
 * a test charges for its tail, as a multiple; `pValue` holds it, and so does the result.
 */
export function dunnett({
  pValue,
  lambdas,
  factor = 1,
}: Comparisons & { pValue: number; factor?: number }): { adjusted: number } {
  checkLambdas(lambdas);
  checkProbability("pValue", pValue);
  checkPositive("factor", factor, 1e6);
  const isPlain = pValue === 0 || pValue === 1 || lambdas.length === 1;
  const tail = Math.min(1, pValue / factor);
  return { adjusted: isPlain ? pValue : Math.min(1, factor * tailOf(tail, lambdas)) };
}

/** The p-value of one comparison alone at which {@link dunnett} is `alpha`, and its z. */
export function dunnettLevel({ alpha, lambdas }: Comparisons & { alpha: number }): {
  alone: number;
  critical: number;
} {
  checkLambdas(lambdas);
  checkInside("alpha", alpha);
  // In logarithms, where the tail is nearly a line, from what Bonferroni and Šidák would allow.
  let before = Math.log(alpha / lambdas.length);
  let log = Math.log(-Math.expm1(Math.log1p(-alpha) / lambdas.length));
  const excess = (at: number) => Math.log(tailOf(Math.exp(at), lambdas) / alpha);
  let last = excess(before);
  for (let step = 0; step < STEPS_MAX && log !== before; step += 1) {
    const own = excess(log);
    const next = own === last ? log : log - (own * (log - before)) / (own - last);
    [before, last, log] = [log, own, next];
    if (Math.abs(log - before) <= PRECISION) {
      break;
    }
  }
  const alone = lambdas.length === 1 ? alpha : Math.min(alpha, Math.exp(log));
  return { alone, critical: normalUpperQuantile(alone / 2) };
}

/** By the union of tails given the common part, so that a small one keeps its digits; both signs of it are alike. */
function tailOf(pValue: number, lambdas: readonly number[]): number {
  if (lambdas.length === 1 || pValue < P_MIN) {
    return pValue * lambdas.length;
  }
  const own = Map.groupBy(lambdas, (lambda) => Math.min(LAMBDA_MAX, lambda));
  const arms = [...own].map(([lambda, of]) => ({ lambda, count: of.length }));
  const most = Math.max(...own.keys());
  if (most === 0) {
    return -Math.expm1(lambdas.length * Math.log1p(-pValue));
  }
  const z = normalUpperQuantile(pValue / 2);
  const to = z * Math.sqrt(most) + REACH;
  const panels = Math.ceil(to / Math.min(PANEL_MAX, 2 * Math.sqrt((1 - most) / most)));
  const half = to / panels / 2;
  let sum = 0;
  for (let panel = 0; panel < panels; panel += 1) {
    const middle = (2 * panel + 1) * half;
    for (const [node, x] of RULE.nodes.entries()) {
      const u = middle + half * x;
      sum += (RULE.weights[node] ?? 0) * Math.exp((-u * u) / 2) * someBeyond(z, u, arms);
    }
  }
  return Math.min(1, (2 * half * sum) / Math.sqrt(2 * Math.PI));
}

/** P(some |z| >= `z`) where the common part is `u`. */
function someBeyond(
  z: number,
  u: number,
  arms: readonly { lambda: number; count: number }[],
): number {
  let logNone = 0;
  for (const { lambda, count } of arms) {
    const own = Math.sqrt(1 - lambda);
    const moved = Math.sqrt(lambda) * u;
    const beyond = normalAbove((z - moved) / own) + normalAbove((z + moved) / own);
    logNone += count * Math.log1p(-Math.min(1, beyond));
  }
  return -Math.expm1(logNone);
}

function checkLambdas(lambdas: readonly number[]): void {
  checkList("lambdas", lambdas, { min: 1, max: ARMS_MAX });
  for (const [index, lambda] of lambdas.entries()) {
    if (!(lambda >= 0 && lambda < 1)) {
      throw new ArgumentError(`lambdas[${index}]`, "must be from 0 to below 1");
    }
  }
}
