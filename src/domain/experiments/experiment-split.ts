/**
 * Whether leads were split as planned, and where they weren't. Nothing is decided before that is cleared up.
 *
 * Source: the rules are ours, argued in `docs/adr/experiments.md`.
 */

import { splitCheck, srmChi2 } from "#domain/experiments/stats/split-check.ts";
import type { EpochFigures, Figures } from "./experiment-figures.ts";
import { asPercent, type Params } from "./experiment-words.ts";
import type { Counts } from "./exposure.ts";

export interface SplitReading {
  /** Null before anything was sent. */
  pValue: number | null;
  pAnytime: number | null;
  /** The one of the two that the alarm goes by. */
  pDecisive: number | null;
  /** Verdicts are blocked. */
  alarm: boolean;
  /** Place of the variant furthest from its share. */
  worst: number | null;
  observed: number[];
  expected: number[];
  /** Where the split is off the most. */
  suspect: { accountId: string | null; provider: string | null } | null;
}

export function readSplitCheck(figures: Figures): SplitReading {
  const observed = figures.arms.map(({ counts }) => counts.sent);
  const expected = figures.arms.map((_, arm) => expectedLeads(figures.epochs, arm));
  const inSplit = expected.flatMap((leads, arm) => (leads > 0 ? [arm] : []));
  const nothing = {
    ...{ pValue: null, pAnytime: null, pDecisive: null },
    ...{ alarm: false, worst: null, suspect: null },
  };
  if (inSplit.length < 2) {
    return { ...nothing, observed, expected };
  }
  const weights = inSplit.map((arm) => expected[arm] ?? 0);
  const { pValue, pAnytime, pDecisive, alarm, worst } = splitCheck({
    observed: inSplit.map((arm) => observed[arm] ?? 0),
    weights,
    isFinal: figures.isFinal,
  });
  return {
    pValue,
    pAnytime,
    pDecisive,
    alarm,
    worst: worst === null ? null : (inSplit[worst] ?? null),
    observed,
    expected,
    suspect: alarm ? suspectOf(figures, inSplit, weights) : null,
  };
}

function expectedLeads(epochs: readonly EpochFigures[], arm: number): number {
  return epochs.reduce((total, { allocation, counts }) => {
    const all = counts.reduce((sum, { sent }) => sum + sent, 0);
    return total + all * (allocation[arm] ?? 0);
  }, 0);
}

/** The mailbox or the provider where the split is the least likely. */
function suspectOf(
  figures: Figures,
  inSplit: readonly number[],
  weights: readonly number[],
): SplitReading["suspect"] {
  const strata = figures.strata();
  const groups = [
    ...Map.groupBy(strata, ({ accountId }) => accountId)
      .entries()
      .map(([accountId, of]) => ({ where: { accountId, provider: null }, of })),
    ...Map.groupBy(strata, ({ provider }) => provider)
      .entries()
      .map(([provider, of]) => ({ where: { accountId: null, provider }, of })),
  ];
  let [least, suspect] = [1, null as SplitReading["suspect"]];
  for (const { where, of } of groups) {
    const observed = inSplit.map((arm) => sentIn(of, arm));
    const { pValue } = srmChi2({ observed, weights });
    if (pValue < least) {
      [least, suspect] = [pValue, where];
    }
  }
  return suspect;
}

function sentIn(strata: readonly { counts: readonly Counts[] }[], arm: number): number {
  return strata.reduce((total, { counts }) => total + (counts[arm]?.sent ?? 0), 0);
}

function placeOf({ accountId, provider }: NonNullable<SplitReading["suspect"]>): string {
  if (accountId !== null) {
    return `mailbox ${accountId}`;
  }
  return provider === "custom"
    ? "recipients with a mail server of their own"
    : `recipients at ${provider}`;
}

/** Null where the split is sound. */
export function tellSplit(
  { arms }: Figures,
  { observed, expected, worst, suspect, alarm }: SplitReading,
): { params: Params; sentence: string } | null {
  if (!alarm || worst === null) {
    return null;
  }
  const total = observed.reduce((all, leads) => all + leads, 0);
  const params = {
    variant: arms[worst]?.name ?? "",
    observed: (observed[worst] ?? 0) / total,
    expected: (expected[worst] ?? 0) / total,
    suspect: suspect?.accountId ?? suspect?.provider ?? null,
  };
  const cause = suspect === null ? "the cause" : `the cause (look at ${placeOf(suspect)})`;
  const sentence =
    `The split is off: ${params.variant} received ${asPercent(params.observed)}% of leads instead ` +
    `of ${asPercent(params.expected)}%. Fix ${cause} before trusting these results.`;
  return { params, sentence };
}
