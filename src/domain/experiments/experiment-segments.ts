/**
 * A fixed split by segments of its leads: how each variant does against the first within a provider or a mailbox.
 * The more segments there are, the more of them differ by chance, so intervals and p-values hold for all of them
 * together, and one test decides whether there's anything to say. Nothing of it is part of the verdict.
 *
 * A bandit has none: its segments would have to be read within its epochs, and hold too few leads there.
 *
 * Source: ours, argued in `docs/adr/experiments.md`.
 */

import { homogeneity } from "#domain/experiments/stats/homogeneity.ts";
import { type RatioReading, ratioInterval } from "#domain/experiments/stats/intervals.ts";
import { ALPHA, holm } from "#domain/experiments/stats/sequential.ts";
import { type Pair, twoProportionTest } from "#domain/experiments/stats/two-proportion.ts";
import { eventsOf, type Figures, isBandit } from "./experiment-figures.ts";
import { asRatio } from "./experiment-words.ts";
import { addCounts, type Counts, NO_COUNTS } from "./exposure.ts";

export const SEGMENT_KEYS = ["provider", "mailbox"] as const;
export type SegmentKey = (typeof SEGMENT_KEYS)[number];

/** Of more, the smallest are one. */
export const SEGMENTS_MAX = 20;
export const OTHER_SEGMENT = "other";

export interface SegmentLift extends RatioReading {
  rateA: number | null;
  rateB: number | null;
  /** With all other segments and variants in mind. */
  pValue: number;
}

export interface Segment {
  segment: string;
  leads: number;
  /** Of each variant but the first, against it. */
  lifts: SegmentLift[];
}

export interface Segments {
  by: SegmentKey;
  segments: Segment[];
  /** For each variant but the first: whether its lift is the same in all segments. */
  interactions: { pValue: number }[];
  /** Null where no difference between segments is shown. */
  sentence: string | null;
}

/** `isAssigning`: leads are still added, so that a test that may be read once says nothing yet. */
export function readSegments(
  figures: Figures,
  by: SegmentKey,
  isAssigning: boolean,
): Segments | null {
  if (isBandit(figures.mode)) {
    return null;
  }
  const groups = largest(groupsOf(figures, by));
  const rivals = figures.arms.map((_, arm) => arm).slice(1);
  const pairs = groups.map(({ counts }) => rivals.map((arm) => pairIn(figures, counts, arm)));
  const level = 1 - ALPHA / Math.max(1, groups.length * rivals.length);
  const { adjusted } = holm({ p: pairs.flat().map(pOf) });
  const segments = groups.map(({ segment, counts }, at) => ({
    segment,
    leads: counts.reduce((sum, { sent }) => sum + sent, 0),
    lifts: (pairs[at] ?? []).map((pair, nth) => ({
      ...liftOf(pair, level),
      pValue: adjusted[at * rivals.length + nth] ?? 1,
    })),
  }));
  const tests = rivals.map((_, nth) => {
    const strata = pairs.flatMap((row) => row[nth] ?? []);
    return strata.length === 0 ? { pValue: 1, compared: [] } : homogeneity({ strata });
  });
  const { adjusted: ofTests } = holm({ p: tests.map(({ pValue }) => pValue) });
  const interactions = tests.map(({ compared }, nth) => ({ pValue: ofTests[nth] ?? 1, compared }));
  return {
    by,
    segments,
    interactions: interactions.map(({ pValue }) => ({ pValue })),
    sentence: isAssigning ? null : tell(figures, by, segments, interactions),
  };
}

interface Group {
  segment: string;
  counts: readonly Counts[];
}

function groupsOf({ strata, arms }: Figures, by: SegmentKey): Group[] {
  const all = Map.groupBy(strata(), ({ accountId, provider }) =>
    by === "mailbox" ? accountId : provider,
  );
  return [...all].map(([segment, of]) => merge(arms.length, segment, of));
}

function merge(arms: number, segment: string, of: readonly Pick<Group, "counts">[]): Group {
  const counts = Array.from({ length: arms }, (_, arm) =>
    of.reduce((sum, one) => addCounts(sum, one.counts[arm] ?? NO_COUNTS), { ...NO_COUNTS }),
  );
  return { segment, counts };
}

/** Largest first. */
function largest(groups: readonly Group[]): Group[] {
  const sentIn = ({ counts }: Group) => counts.reduce((sum, { sent }) => sum + sent, 0);
  const sorted = groups
    .filter((group) => sentIn(group) > 0)
    .toSorted((a, b) => sentIn(b) - sentIn(a) || (a.segment < b.segment ? -1 : 1));
  if (sorted.length <= SEGMENTS_MAX) {
    return sorted;
  }
  const kept = sorted.slice(0, SEGMENTS_MAX - 1);
  const rest = sorted.slice(SEGMENTS_MAX - 1);
  return [...kept, merge(rest[0]?.counts.length ?? 0, OTHER_SEGMENT, rest)];
}

/** Emailed leads and what has come of them, of the first variant and of `arm`. */
function pairIn({ metric }: Figures, counts: readonly Counts[], arm: number): Pair {
  const [a, b] = [counts[0] ?? NO_COUNTS, counts[arm] ?? NO_COUNTS];
  return { xA: eventsOf(metric, a), nA: a.sent, xB: eventsOf(metric, b), nB: b.sent };
}

function pOf(pair: Pair): number {
  return twoProportionTest(pair).pValue;
}

function liftOf(pair: Pair, level: number): Omit<SegmentLift, "pValue"> {
  const { xA, nA, xB, nB } = pair;
  const isKnown = nA > 0 && nB > 0;
  return {
    rateA: nA === 0 ? null : xA / nA,
    rateB: nB === 0 ? null : xB / nB,
    ...(isKnown ? ratioInterval({ ...pair, level }) : { ratio: null, low: 0, high: null }),
  };
}

function tell(
  { arms }: Figures,
  by: SegmentKey,
  segments: readonly Segment[],
  interactions: readonly { pValue: number; compared: readonly number[] }[],
): string | null {
  const least = interactions.reduce<number | null>((found, { pValue }, nth) => {
    const isLess = pValue <= ALPHA && pValue < (interactions[found ?? -1]?.pValue ?? 1);
    return isLess ? nth : found;
  }, null);
  if (least === null) {
    return null;
  }
  const ratioIn = (at: number) => segments[at]?.lifts[least]?.ratio ?? Number.POSITIVE_INFINITY;
  const compared = (interactions[least]?.compared ?? []).toSorted(
    (a, b) => ratioIn(a) - ratioIn(b),
  );
  const said = (at: number | undefined) => {
    const ratio = ratioIn(at ?? -1);
    const times = Number.isFinite(ratio) ? `${asRatio(ratio)}x` : "many times";
    return `${times} ${by === "mailbox" ? "from mailbox" : "at"} ${segments[at ?? -1]?.segment ?? ""}`;
  };
  const [a, b] = [arms[0]?.name ?? "", arms[least + 1]?.name ?? ""];
  return (
    `${b} against ${a} differs between ${by === "mailbox" ? "mailboxes" : "providers"}: ` +
    `${said(compared[0])}, ${said(compared.at(-1))}. Confirm it with an experiment there before you act on it.`
  );
}
