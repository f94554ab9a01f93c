/**
 * Every other variant against the present text: the question that an experiment with three or more is run for, asked
 * of all of them at once. Their p-values are adjusted by Dunnett's method, and their intervals hold all together.
 *
 * The test that decides of a pair alone decides here as well, at the level that keeps the chance of any false
 * difference: looks and the test at the end by Dunnett with the planned shares, a bandit's by Šidák, whose shares
 * follow what has come back, and e-processes by their number, since nothing is known of how they go together.
 *
 * Source: Dunnett 1955; that his level holds for walks that are watched all the time, too, is Lévy's inequality for
 * the largest of them (`docs/adr/experiments.md`).
 */

import { dunnett, dunnettLevel } from "#domain/experiments/stats/dunnett.ts";
import { TAILS } from "#domain/experiments/stats/group-sequential.ts";
import { ALPHA_FIXED } from "#domain/experiments/stats/sample-size.ts";
import { ALPHA, ALPHA_EARLY } from "#domain/experiments/stats/sequential.ts";
import { commonEpochs, type Figures, isBandit, rivalsOf } from "./experiment-figures.ts";
import { type Levels, PAIR_LEVELS } from "./experiment-pair-tests.ts";
import { beats, type PairReading, pairOf, readPair } from "./experiment-pairs.ts";
import { listed } from "./experiment-words.ts";

/** One variant against the present text, as its pair says it. */
export interface ChallengerReading
  extends Pick<PairReading, "test" | "better" | "pValue" | "ratio" | "ratioLow" | "ratioHigh"> {
  /** Place of the variant; `ratio` is its rate over the present text's. */
  arm: number;
}

/** The pairs with p-values that keep the chance of any false difference from the present text. */
export function withDunnett(figures: Figures, pairs: readonly PairReading[]): PairReading[] {
  const { present, arms } = figures;
  if (arms.length < 3) {
    return [...pairs];
  }
  const lambdas = lambdasOf(figures);
  const adjusted = pairs.map((pair) => {
    return pair.a === present || pair.b === present ? adjust(pair, lambdas) : pair.pValue;
  });
  const ofArm = (arm: number) => {
    const own = pairOf(pairs, present, arm);
    return own === undefined ? 1 : (adjusted[pairs.indexOf(own)] ?? 1);
  };
  // Two challengers differ only where one of them differs from the present text: among equals that is one question.
  return pairs.map((pair, index) => ({
    ...pair,
    pValue: Math.max(
      adjusted[index] ?? 1,
      pair.a === present || pair.b === present ? 0 : Math.min(ofArm(pair.a), ofArm(pair.b)),
    ),
  }));
}

/** `pairs` are those that are told. Where a p-value is that of a win, so is the interval: each pair's own. */
export function readChallengers(
  figures: Figures,
  pairs: readonly PairReading[],
  leadsToCome: number,
): ChallengerReading[] {
  const { present, arms } = figures;
  const lambdas = lambdasOf(figures);
  const levels = lambdas.length < 2 ? PAIR_LEVELS : levelsOf(lambdas);
  return arms.flatMap((_, arm) => {
    const pair = arm === present ? undefined : pairOf(pairs, present, arm);
    if (pair === undefined) {
      return [];
    }
    const { test, better, pValue } = pair;
    const isOwn = lambdas.length < 2 || pValue < adjust(pair, lambdas);
    const place = { ...pair, epochs: commonEpochs(figures.epochs, pair.a, pair.b) };
    const told = isOwn ? pair : readPair(figures, place, leadsToCome, levels);
    return [{ arm, test, better, pValue, ...overPresent(told, present) }];
  });
}

function overPresent(
  { a, ratio, ratioLow, ratioHigh }: Omit<PairReading, "probBBeatsA">,
  present: number,
): Pick<ChallengerReading, "ratio" | "ratioLow" | "ratioHigh"> {
  const inverse = (value: number | null) => (value === null || value === 0 ? null : 1 / value);
  return a === present
    ? { ratio, ratioLow, ratioHigh }
    : {
        ratio: ratio === 0 ? null : inverse(ratio),
        ratioLow: ratioHigh === null ? 0 : inverse(ratioHigh),
        ratioHigh: inverse(ratioLow),
      };
}

/** Of each challenger, its part of the leads of both. 0, which any correlation allows, where the shares moved. */
function lambdasOf({ arms, epochs, mode, present }: Figures): number[] {
  const isFixed =
    !isBandit(mode) && epochs.every(({ allocation }) => allocation.every((share) => share > 0));
  const own = arms[present]?.weight ?? 1;
  return arms.flatMap(({ weight }, arm) =>
    arm === present ? [] : [isFixed ? weight / (weight + own) : 0],
  );
}

/** The p-value of a pair alone with all challengers in mind, by the test that decides. */
function adjust({ test, pAlone: pValue }: PairReading, lambdas: readonly number[]): number {
  if (test === "anytime") {
    return Math.min(1, lambdas.length * pValue);
  }
  return dunnett({ pValue, lambdas, factor: factorOf(test) }).adjusted;
}

function factorOf(test: PairReading["test"]): number {
  return test === "group_sequential" ? TAILS : ALPHA / ALPHA_FIXED;
}

/** The p-value of a pair with the present text. */
export function adjustOf(figures: Figures, pair: PairReading): number {
  return adjust(pair, lambdasOf(figures));
}

/** What {@link adjust} asks of a pair with the present text: a sum of equal p-values is Holm's. */
export function questionOf(figures: Figures, { test, pAlone: pValue }: PairReading) {
  const lambdas = lambdasOf(figures);
  return test === "anytime"
    ? ({ fn: "holm", input: { p: lambdas.map(() => pValue) }, of: "adjusted.0" } as const)
    : ({
        ...{ fn: "dunnett", of: "adjusted" },
        input: { pValue, lambdas, factor: factorOf(test) },
      } as const);
}

/** Levels of intervals that all hold together, and leave out 1 where {@link adjust} shows a difference. */
function levelsOf(lambdas: readonly number[]): Levels {
  const alone = (alpha: number) => dunnettLevel({ alpha, lambdas }).alone;
  return {
    anytime: ALPHA_EARLY / lambdas.length,
    look: TAILS * alone(ALPHA / TAILS),
    last: alone(ALPHA_FIXED),
  };
}

/** Who beats the present text, of those in the race. */
export function aheadOfPresent(figures: Figures, pairs: readonly PairReading[]): number[] {
  const { present } = figures;
  return rivalsOf(figures, present).filter((arm) => beats(pairs, arm, present));
}

/** Who beats the present text, which is behind then; none where one of them is behind, too. */
export function namesAhead(
  figures: Figures,
  { eliminated, pairs }: { eliminated: readonly number[]; pairs: readonly PairReading[] },
): string[] {
  const ahead = aheadOfPresent(figures, pairs);
  const isTold =
    eliminated.includes(figures.present) && !ahead.some((arm) => eliminated.includes(arm));
  return isTold ? ahead.map((arm) => figures.arms[arm]?.name ?? "") : [];
}

/** How a sentence begins that then says who is behind. */
export function startOfLost(ahead: readonly string[], isOver: boolean): string {
  if (ahead.length < 2) {
    return `No single winner${isOver ? "" : " yet"}, but `;
  }
  const [all, but] =
    ahead.length > 2 ? ["all", "none beats every other"] : ["both", "neither beats the other"];
  return `${listed(ahead)} ${all} beat the present text, but ${but}. `;
}
