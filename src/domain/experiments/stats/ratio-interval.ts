/**
 * How many times a's rate b's is, with its interval at the planned end; while leads are assigned the
 * interval of `sequential.ts` is the one that may be read.
 *
 * Source: the method of variance estimates recovery for a ratio (Donner and Zou 2012), on Wilson limits.
 */

import { wilson } from "./intervals.ts";
import type { Pair } from "./two-proportion.ts";

export interface RatioReading {
  /** p_b / p_a; null where a has no success. */
  ratio: number | null;
  low: number;
  /** Null: no bound. */
  high: number | null;
}

const LEVEL = 0.95;

/** Both arms need trials. */
export function ratioInterval({ xA, nA, xB, nB }: Pair, level: number = LEVEL): RatioReading {
  const [pA, pB] = [xA / nA, xB / nB];
  const a = wilson({ x: xA, n: nA, level });
  const b = wilson({ x: xB, n: nB, level });
  const product = pA * pB;
  // l (2p − l) of one arm and u (2p − u) of the other, as both bounds need them.
  const [lowA, highA] = [a.lower * (2 * pA - a.lower), a.upper * (2 * pA - a.upper)];
  const [lowB, highB] = [b.lower * (2 * pB - b.lower), b.upper * (2 * pB - b.upper)];
  const below = (product - root(product, lowB * highA)) / highA;
  const above = (product + root(product, highB * lowA)) / lowA;
  return {
    ratio: xA === 0 ? null : pB / pA,
    low: xB === 0 ? 0 : Math.max(0, below),
    high: xA === 0 || !Number.isFinite(above) ? null : above,
  };
}

function root(product: number, crossed: number): number {
  return Math.sqrt(Math.max(0, product ** 2 - crossed));
}
