/**
 * A fixed split by segments of its leads: how each variant does against the first within each of them.
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
import {
  NO_SEGMENT,
  OTHER_SEGMENT,
  type SegmentKey,
  type StratumKey,
  segmentKeyText,
} from "./segment-keys.ts";

/** Of more, the smallest are one. */
export const SEGMENTS_MAX = 20;
/** Values of a team's own field that are segments, beside all others and none. */
export const VALUES_SHOWN_MAX = 10;

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
  by: string;
  segments: Segment[];
  /** For each variant but the first: whether its lift is the same in all segments. */
  interactions: { pValue: number }[];
  /** Null where no difference between segments is shown. */
  sentence: string | null;
}

/**
 * `all` is every segment with its leads. `isAssigning`: leads are still added, so that a test that may be read once
 * says nothing yet.
 */
export function readSegments(
  figures: Figures,
  key: SegmentKey,
  all: readonly Group[],
  isAssigning: boolean,
): Segments | null {
  if (isBandit(figures.mode)) {
    return null;
  }
  const groups = largest(all, key.by === "custom" ? VALUES_SHOWN_MAX : SEGMENTS_MAX - 1);
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
    by: segmentKeyText(key),
    segments,
    interactions: interactions.map(({ pValue }) => ({ pValue })),
    sentence: isAssigning ? null : tell(figures, key, segments, interactions),
  };
}

/** Emailed leads of one segment, by variant. */
export interface Group {
  segment: string;
  counts: readonly Counts[];
}

/** From what is summed up with each email. */
export function strataGroups({ strata, arms }: Figures, by: StratumKey): Group[] {
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

/** Largest first, `most` of them (one more where that is all); then all others as one, and who is in none. */
function largest(groups: readonly Group[], most: number): Group[] {
  const sentIn = ({ counts }: Group) => counts.reduce((sum, { sent }) => sum + sent, 0);
  const sorted = groups
    .filter((group) => sentIn(group) > 0)
    .toSorted((a, b) => sentIn(b) - sentIn(a) || (a.segment < b.segment ? -1 : 1));
  const none = sorted.filter(({ segment }) => segment === NO_SEGMENT);
  const named = sorted.filter(({ segment }) => segment !== NO_SEGMENT);
  const isFitting = named.length === SEGMENTS_MAX && most === SEGMENTS_MAX - 1;
  const kept = isFitting ? named : named.slice(0, most);
  const rest = named.slice(kept.length);
  const others = rest.length === 0 ? [] : [merge(rest[0]?.counts.length ?? 0, OTHER_SEGMENT, rest)];
  return [...kept, ...others, ...none];
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
  key: SegmentKey,
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
  if (ratioIn(compared[0] ?? -1) === Number.POSITIVE_INFINITY) {
    return null;
  }
  const said = (at: number | undefined) => {
    const ratio = ratioIn(at ?? -1);
    const times = Number.isFinite(ratio) ? `${asRatio(ratio)}x` : "many times";
    return `${times} ${saidOf(key, segments[at ?? -1]?.segment ?? "")}`;
  };
  const [a, b] = [arms[0]?.name ?? "", arms[least + 1]?.name ?? ""];
  return (
    `${b} against ${a} differs between ${WORDS[key.by].many(key)}: ` +
    `${said(compared[0])}, ${said(compared.at(-1))}. Confirm it with an experiment there before you act on it.`
  );
}

/** What segments are called, and where one of them is. */
const WORDS: Readonly<
  Record<SegmentKey["by"], { many: (key: SegmentKey) => string; of: string; without: string }>
> = {
  provider: { many: () => "providers", of: "at", without: "" },
  mailbox: { many: () => "mailboxes", of: "from mailbox", without: "" },
  country: { many: () => "countries", of: "in", without: "where it isn't known" },
  custom: {
    many: (key) => `values of ${key.by === "custom" ? key.field : ""}`,
    of: "for",
    without: "without one",
  },
};

function saidOf({ by }: SegmentKey, segment: string): string {
  const { of, without } = WORDS[by];
  if (segment === NO_SEGMENT) {
    return without;
  }
  return `${of} ${segment === OTHER_SEGMENT ? "the others" : segment}`;
}
