/**
 * The figures of a report, each with what it was computed from: a line a figure, so that whoever has the
 * report can compute it again (`outrider stats replay`) and gets the same digits.
 */

import { type Answered, answered } from "#domain/experiments/stats/functions.ts";
import { ALPHA_FIXED, errorsAmong } from "#domain/experiments/stats/sample-size.ts";
import { ALPHA, ALPHA_EARLY, holm } from "#domain/experiments/stats/sequential.ts";
import { adjustOf, questionOf } from "./experiment-challengers.ts";
import {
  closedEventsOf,
  commonEpochs,
  comparedArms,
  type Figures,
  isBandit,
} from "./experiment-figures.ts";
import {
  epochsClosed,
  epochsSoFar,
  eventsJudged,
  expectedEvents,
  judgedOf,
  type Place,
  splitOf,
  strataOf,
} from "./experiment-pair-tests.ts";
import { ofPair, type PairReading } from "./experiment-pairs.ts";
import { baselineOf, type Reading } from "./experiment-reading.ts";
import { type Counts, NO_COUNTS } from "./exposure.ts";

export interface Line extends Answered {
  /** By where it stands in the report, where it stands in this line: paths such as `result.lower`. */
  gives: Readonly<Record<string, string>>;
}

/** `gives`: of the result, unless it says `input`. */
function line(fn: string, input: object, gives: Readonly<Record<string, string>>): Line {
  const paths = Object.entries(gives).map(([path, of]) => {
    return [path, of.startsWith("input.") ? of : `result.${of}`];
  });
  return { ...answered(fn, input), gives: Object.fromEntries(paths) };
}

export const RATES = {
  reply_rate: "replies",
  interested_rate: "interested",
  negative_reply_rate: "negativeReplies",
  bounce_rate: "bounced",
  opt_out_rate: "optedOut",
} as const satisfies Readonly<Record<string, keyof Counts>>;

const COUNTED = {
  replies: "replies",
  interested: "interested",
  negativeReplies: "negative_replies",
  bounced: "bounced",
  optedOut: "opted_out",
} as const;

/** All but those that weren't counted yet when a verdict was kept. */
function knownRates(counts: Counts) {
  return Object.entries(RATES).filter(([, of]) => of in counts);
}

/** Rates of each variant as counted, with their 95 % bands. */
export function rateLines({ arms }: Pick<Figures, "arms">): Line[] {
  return arms.flatMap(({ counts }, arm) =>
    knownRates(counts).map(([rate, of]) => {
      const at = `variants.${arm}`;
      const gives = {
        [`${at}.emails_sent`]: "input.n",
        [`${at}.${COUNTED[of]}`]: "input.x",
        [`${at}.${rate}.low`]: "lower",
        [`${at}.${rate}.high`]: "upper",
      };
      return line("wilson", { x: counts[of], n: counts.sent }, gives);
    }),
  );
}

/** What a reading was computed from. `leadsByEnd` as it was expected then. */
export function readingLines(figures: Figures, reading: Reading, leadsByEnd: number): Line[] {
  const sent = figures.arms.reduce((total, { counts }) => total + counts.sent, 0);
  const toCome = Math.max(0, leadsByEnd - sent);
  return [
    ...beliefLines(figures, reading),
    ...reading.pairs.flatMap((pair, at) => pairLines(figures, pair, at, toCome)),
    ...familyLines(figures, reading),
    ...splitLines(reading),
    ...planLines(figures, reading, leadsByEnd),
  ];
}

function beliefLines(figures: Figures, { isReadable, credibleIntervals }: Reading): Line[] {
  const { metric, arms } = figures;
  const compared = comparedArms(
    metric,
    figures.epochs,
    arms.map((_, arm) => arm),
  );
  const epochs = figures.epochs.map(({ counts }) => {
    const own = arms.map((_, arm) => counts[arm] ?? NO_COUNTS);
    return {
      events: own.map((one) => closedEventsOf(metric, one)),
      trials: own.map(({ successes, failures }) => successes + failures),
    };
  });
  const places = [...arms.keys()].filter((arm) => arms[arm]?.out !== "switched_off");
  const own = {
    successes: places.map((arm) => compared.successes[arm] ?? 0),
    failures: places.map((arm) => compared.failures[arm] ?? 0),
  };
  const each = (path: string, of: string) =>
    Object.fromEntries(places.map((arm, at) => [`variants.${arm}.${path}`, `${of}.${at}`]));
  const off = [...arms.keys()].filter((arm) => !places.includes(arm));
  const offLoss = off.map((arm) => [`variants.${arm}.expected_loss`, `loss.${arm}`]);
  const rates = credibleIntervals.map((_, arm): Line => {
    const [s, f] = [compared.successes[arm] ?? 0, compared.failures[arm] ?? 0];
    const at = `variants.${arm}.success_rate`;
    const gives = { [`${at}.low`]: "lower", [`${at}.high`]: "upper" };
    return line("credible_interval", { s, f, level: 1 - ALPHA }, gives);
  });
  const counts: Line = line("equivalent_counts", { epochs }, {});
  return isReadable
    ? [
        counts,
        ...rates,
        line("p_best", own, each("win_probability", "p")),
        line("expected_loss", own, each("expected_loss", "loss")),
        ...(off.length === 0 ? [] : [line("expected_loss", compared, Object.fromEntries(offLoss))]),
        line("value_remaining", own, { value_remaining_95: "value_remaining" }),
        line("convergence", own, { convergence: "convergence" }),
      ]
    : [counts, ...rates];
}

function pairLines(figures: Figures, pair: PairReading, at: number, toCome: number): Line[] {
  const { a, b } = pair;
  const place: Place = { a, b, epochs: commonEpochs(figures.epochs, a, b) };
  const path = (name: string) => `pairs.${at}.${name}`;
  const ratio = (isShown: boolean, low = "lower", high = "upper"): Record<string, string> =>
    isShown ? { [path("lift_ratio.low")]: low, [path("lift_ratio.high")]: high } : {};
  const lines = isBandit(figures.mode)
    ? banditLines(figures, place, pair, { path, ratio })
    : splitTestLines(figures, place, pair, { path, ratio, toCome });
  if (pair.probBBeatsA !== null) {
    const { successes, failures } = comparedArms(figures.metric, place.epochs, [a, b]);
    const [sA = 0, sB = 0] = successes;
    const [fA = 0, fB = 0] = failures;
    const gives = { [path("prob_b_beats_a")]: "p" };
    lines.push(line("prob_b_beats_a", { sA, fA, sB, fB }, gives));
  }
  return lines;
}

interface Paths {
  path: (name: string) => string;
  /** Of the interval, where this test gives the one that is shown. */
  ratio: (isShown: boolean, low?: string, high?: string) => Record<string, string>;
}

function banditLines(
  figures: Figures,
  place: Place,
  { test, pFixed }: PairReading,
  { path, ratio }: Paths,
): Line[] {
  const epochs = epochsSoFar(figures, place);
  const rates = { [path("rate_a")]: "rate_a", [path("rate_b")]: "rate_b" };
  const isLast = test === "epoch_z";
  const lines: Line[] = [
    line("eprocess_epochs", { epochs }, { [path("p_value_anytime")]: "p_anytime" }),
    line("epochs_cs", { epochs, alpha: ALPHA_EARLY }, ratio(!isLast)),
    line("epoch_test", { epochs }, isLast ? {} : rates),
  ];
  if (pFixed !== null) {
    const input = { epochs: epochsClosed(figures, place), level: 1 - ALPHA_FIXED };
    const own = isLast ? { ...rates, ...ratio(true, "low", "high") } : {};
    const gives = { [path("p_value_fixed")]: "p_value", ...own };
    lines.push(line("epoch_test", input, gives));
  }
  return lines;
}

function splitTestLines(
  figures: Figures,
  place: Place,
  { test, pSequential, pFixed, pStratified }: PairReading,
  { path, ratio, toCome }: Paths & { toCome: number },
): Line[] {
  const { weightA: _a, weightB: _b, ...replies } = splitOf(figures, place);
  const lines: Line[] = [
    line("eprocess_replies", replies, { [path("p_value_anytime")]: "p_anytime" }),
    line("ratio_cs", { ...replies, alpha: ALPHA_EARLY }, ratio(test === "anytime")),
  ];
  if (pSequential !== null) {
    const expected = expectedEvents(figures, place, ofPair(figures, place, toCome));
    const gives = {
      [path("p_value_sequential")]: "p_value",
      ...ratio(test === "group_sequential"),
    };
    lines.push(line("group_sequential", { ...replies, expected }, gives));
  }
  return pFixed === null
    ? lines
    : [
        ...lines,
        ...lastLines(figures, place, { path, ratio }, test),
        ...(pStratified === null ? [] : strataLines(figures, place, path)),
      ];
}

function lastLines(
  figures: Figures,
  place: Place,
  { path, ratio }: Paths,
  test: PairReading["test"],
): Line[] {
  const judged = judgedOf(place);
  const level = 1 - ALPHA_FIXED;
  const isShown = test !== "anytime" && test !== "group_sequential";
  return [
    line("two_prop_p", judged, { [path("p_value_fixed")]: "p_value" }),
    line(
      "newcombe",
      { ...judged, level },
      {
        [path("difference.value")]: "diff",
        [path("difference.low")]: "lower",
        [path("difference.high")]: "upper",
      },
    ),
    line(
      "ratio_interval",
      { ...eventsJudged(figures, judged), level },
      ratio(isShown, "low", "high"),
    ),
  ];
}

/** None where a verdict was kept without them, as where there are thousands. */
function strataLines(figures: Figures, place: Place, path: Paths["path"]): Line[] {
  const strata = strataOf(figures, place);
  return strata.length === 0
    ? []
    : [line("cmh", { strata }, { [path("p_value_stratified")]: "p_value" })];
}

/**
 * Of the present text's pairs by Dunnett, of others by Holm or where one of the two differs from the present text. A
 * winner's pairs show the largest p-value of its own pairs where that is smaller.
 */
function familyLines(figures: Figures, { pairs }: Reading): Line[] {
  const { present, arms } = figures;
  const input = { p: pairs.map(({ pAlone }) => pAlone) };
  const { adjusted } = holm(input);
  const ofPresent = ({ a, b }: PairReading) => arms.length > 2 && (a === present || b === present);
  const byHolm = pairs.flatMap((pair, at) =>
    !ofPresent(pair) && pair.pValue === adjusted[at]
      ? [[`pairs.${at}.p_value`, `adjusted.${at}`] as const]
      : [],
  );
  const byDunnett = pairs.filter(ofPresent).map((pair): Line => {
    const { fn, input: own, of } = questionOf(figures, pair);
    const value = adjustOf(figures, pair);
    const other = pair.a === present ? pair.b : pair.a;
    const told = pairs.flatMap((one, at) => {
      const isOwn = one === pair || (!ofPresent(one) && one.pValue !== adjusted[at]);
      const isOf = one.a === other || one.b === other;
      return isOwn && isOf && one.pValue === value ? [[`pairs.${at}.p_value`, of] as const] : [];
    });
    return line(fn, own, Object.fromEntries(told));
  });
  return [line("holm", input, Object.fromEntries(byHolm)), ...byDunnett];
}

function splitLines({ split: { observed, expected, pValue } }: Reading): Line[] {
  const inSplit = expected.flatMap((leads, arm) => (leads > 0 ? [arm] : []));
  const input = {
    observed: inSplit.map((arm) => observed[arm] ?? 0),
    weights: inSplit.map((arm) => expected[arm] ?? 0),
  };
  return pValue === null
    ? []
    : [
        line("srm_chi2", input, { "split.p_value": "p_value" }),
        line("srm_eprocess", input, { "split.p_value_anytime": "p_anytime" }),
      ];
}

function planLines(figures: Figures, { mdeRatio }: Reading, leadsByEnd: number): Line[] {
  const inRace = figures.arms.filter(({ out }) => out === null).length;
  const nPerVariant = Math.floor(leadsByEnd / Math.max(1, inRace));
  const input = { baseline: baselineOf(figures), nPerVariant, ...errorsAmong(figures.arms.length) };
  return mdeRatio === null ? [] : [line("minimum_detectable", input, { mde_ratio: "ratio" })];
}
