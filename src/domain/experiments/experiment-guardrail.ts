/**
 * Variants that bounce too much, or that people opt out of or complain about more than the others, those that
 * owe their replies to people who decline, and those beyond a limit of the team's own. A losing variant of a web page costs a click; one of a cold email costs
 * the mailbox its reputation, so it is taken out of the race and not only reported.
 *
 * Source: 5 % is what a large relay asks its senders to stay below; the rest is ours.
 */

import { wilson } from "#domain/experiments/stats/intervals.ts";
import {
  eprocessEpochs,
  eprocessLimit,
  eprocessReplies,
} from "#domain/experiments/stats/sequential.ts";
import { cmh } from "#domain/experiments/stats/two-proportion.ts";
import {
  commonEpochs,
  type EpochFigures,
  type Figures,
  isBandit,
  sumOver,
} from "./experiment-figures.ts";
import { asPercent, type Params } from "./experiment-words.ts";
import { addCounts, type Counts, NO_COUNTS } from "./exposure.ts";
import { BOUNCE_RATE_MAX, GUARDRAIL_METRICS, type GuardrailMetric, limitOf } from "./guardrail.ts";

const SENT_MIN = 50;
const LEVEL = 0.99;
/** Of a test that may be read daily. */
const BEYOND_P = 0.01;
/** In sd of what chance does: 1 in 100 on either side, so that a false one costs a winner and no variant. */
const COSTLY_Z = 2.576;

export interface Breach {
  /** Place of the variant. */
  arm: number;
  metric: GuardrailMetric;
  rate: number;
  /** `limit`: surely above a share of its leads. `others`: surely above the other variants. */
  reason: "limit" | "others";
  /** The team's own limit, of the kind that `reason` tells; null where it is one that always holds. */
  own: number | null;
}

/** What is wrong with each variant: one thing, in the order of the metrics. */
export function findBreaches(figures: Figures): Breach[] {
  return figures.arms.flatMap((_, arm) => {
    const breaches = GUARDRAIL_METRICS.map(
      (metric) => aboveLimit(figures, arm, metric) ?? aboveRest(figures, arm, metric),
    );
    return breaches.find((breach) => breach !== null) ?? [];
  });
}

function aboveLimit(figures: Figures, arm: number, metric: GuardrailMetric): Breach | null {
  const { sent, count, breach } = countOf(figures, arm, metric);
  if (metric === "bounces" && sent >= SENT_MIN && isAbove(count, sent, BOUNCE_RATE_MAX)) {
    return breach("limit", null);
  }
  const limit = limitOf(figures.guardrails, metric, "maxRate");
  const isBeyond =
    limit !== undefined &&
    count > limit * sent &&
    eprocessLimit({ x: count, n: sent, limit }).pAnytime <= BEYOND_P;
  return isBeyond ? breach("limit", limit) : null;
}

function aboveRest(figures: Figures, arm: number, metric: GuardrailMetric): Breach | null {
  const { sent, count, breach } = countOf(figures, arm, metric);
  const ratio = limitOf(figures.guardrails, metric, "maxRatio");
  const isCompared = ratio !== undefined || metric !== "negative_replies";
  const isBeyond =
    isCompared && sent >= SENT_MIN && count > 0 && isAboveRest(figures, arm, metric, ratio ?? 1);
  return isBeyond ? breach("others", ratio ?? null) : null;
}

/** One reading of a share, for what need not hold at every one. */
function isAbove(x: number, n: number, limit: number): boolean {
  return n > 0 && wilson({ x, n, level: LEVEL }).lower > limit;
}

function countOf({ arms }: Figures, arm: number, metric: GuardrailMetric) {
  const counts = arms[arm]?.counts ?? NO_COUNTS;
  const [sent, count] = [counts.sent, COUNTED[metric](counts)];
  const breach = (reason: Breach["reason"], own: number | null): Breach => {
    return { arm, metric, rate: count / sent, reason, own };
  };
  return { sent, count, breach };
}

/**
 * `arm` is beyond a limit as far as one reading can tell: it wins nothing by the replies that it gets. Too
 * little to take it out of the race, which {@link findBreaches} decides.
 */
export function findCost(figures: Figures, arm: number): Breach | null {
  for (const metric of GUARDRAIL_METRICS) {
    const { sent, count, breach } = countOf(figures, arm, metric);
    const limit = limitOf(figures.guardrails, metric, "maxRate");
    if (limit !== undefined && isAbove(count, sent, limit)) {
      return breach("limit", limit);
    }
    const ratio = limitOf(figures.guardrails, metric, "maxRatio");
    const isCompared = ratio !== undefined || metric === "opt_outs";
    if (
      isCompared
        ? isCostly(figures, arm, metric, ratio ?? 1)
        : metric === "negative_replies" && isDeclined(figures, arm)
    ) {
      return breach("others", ratio ?? null);
    }
  }
  return null;
}

function isCostly(figures: Figures, arm: number, metric: GuardrailMetric, ratio: number): boolean {
  const counted = COUNTED[metric];
  let [beyond, variance] = [0, 0];
  for (const { allocation, counts } of commonEpochs(figures.epochs, arm)) {
    const share = shareAt(allocation[arm] ?? 0, ratio);
    const all = counts.reduce((total, one) => total + counted(one), 0);
    beyond += counted(counts[arm] ?? NO_COUNTS) - share * all;
    variance += share * (1 - share) * all;
  }
  return beyond > 0 && beyond >= COSTLY_Z * Math.sqrt(variance);
}

/**
 * Of its replies more are negative than of the others', where each reply counts as a success. Compared with
 * leads instead, a text that brings more replies of every kind would be held to bring more negative ones.
 */
function isDeclined({ metric, epochs }: Figures, arm: number): boolean {
  const strata = commonEpochs(epochs, arm).map(({ counts }) => {
    const own = counts[arm] ?? NO_COUNTS;
    const all = counts.reduce((sum, one) => addCounts(sum, one), NO_COUNTS);
    const [xB, nB] = [own.negativeReplies, own.replies];
    return { xA: all.negativeReplies - xB, nA: all.replies - nB, xB, nB };
  });
  return metric === "reply_rate" && strata.length > 0 && cmh({ strata }).z >= COSTLY_Z;
}

type Counted = (counts: Counts) => number;
const COUNTED: Readonly<Record<GuardrailMetric, Counted>> = {
  bounces: ({ bounced }) => bounced,
  opt_outs: ({ optedOut }) => optedOut,
  negative_replies: ({ negativeReplies }) => negativeReplies,
};

/** Part of all events that is the arm's where its rate is `ratio` times that of the others. */
function shareAt(share: number, ratio: number): number {
  return (share * ratio) / (share * ratio + 1 - share);
}

/** Surely at more than `ratio` times the rate of the others, on any day that it is read. */
function isAboveRest(
  figures: Figures,
  arm: number,
  metric: GuardrailMetric,
  ratio: number,
): boolean {
  const { arms } = figures;
  const counted = COUNTED[metric];
  const rest = arms.map((_, index) => index).filter((index) => index !== arm);
  const epochs = commonEpochs(figures.epochs, arm);
  const sum = (of: number) => sumOver(epochs, of, counted);
  const own = sum(arm);
  const others = rest.reduce((total, other) => total + sum(other), 0);
  const expected = epochs.reduce((total, { allocation, counts }) => {
    const all = counts.reduce((events, one) => events + counted(one), 0);
    return total + shareAt(allocation[arm] ?? 0, ratio) * all;
  }, 0);
  if (own <= expected || own + others === 0) {
    return false;
  }
  const isSteady =
    !isBandit(figures.mode) &&
    epochs.every(({ allocation }) => allocation[arm] === epochs[0]?.allocation[arm]);
  const { pAnytime } = isSteady
    ? eprocessReplies({
        repliesA: others,
        repliesB: own,
        shareB: shareAt(epochs[0]?.allocation[arm] ?? 0.5, ratio),
      })
    : eprocessEpochs({ epochs: epochs.flatMap((epoch) => against(epoch, arm, counted, ratio)) });
  return pAnytime <= BEYOND_P;
}

function against(
  { allocation, counts }: EpochFigures,
  arm: number,
  counted: Counted,
  ratio: number,
) {
  const allocB = shareAt(allocation[arm] ?? 0, ratio);
  const repliesB = counted(counts[arm] ?? NO_COUNTS);
  const all = counts.reduce((total, one) => total + counted(one), 0);
  return allocB < 1 ? [{ repliesA: all - repliesB, repliesB, allocA: 1 - allocB, allocB }] : [];
}

/** `isCostly`: it would have won. */
export function tellBreach(
  { arms }: Figures,
  breach: Breach,
  isCostly: boolean,
): { params: Params; sentence: string } {
  const { arm, metric, rate, reason, own } = breach;
  const variant = arms[arm]?.name ?? "";
  const check = arms[arm]?.out === "guardrail" ? "It has been paused; check" : "Check";
  const always = metric === "bounces" ? BOUNCE_RATE_MAX : null;
  const params = {
    ...{ variant, rate, limit: reason === "limit" ? (own ?? always) : always },
    ...(reason === "others" && own !== null ? { max_ratio: own } : {}),
  };
  const told = metric === "bounces" ? tellBounces(breach) : tellRefusals(breach);
  if (isCostly) {
    const sentence = `${variant} has the best results, but ${told}. So it isn't called the winner.`;
    return { params, sentence };
  }
  const sentence =
    metric === "bounces"
      ? `${variant} ${told}. ${check} its content and links.`
      : `${variant} drives people away: ${told}. ${check} its content.`;
  return { params, sentence };
}

function tellBounces({ rate, reason, own }: Breach): string {
  const percent = `${asPercent(rate)}%`;
  if (reason === "others" && own !== null) {
    return `bounces at ${percent}, more than ${own} times as often as the others`;
  }
  const limit = own === null ? "the" : "your";
  const above =
    reason === "limit" || rate > BOUNCE_RATE_MAX
      ? `above ${limit} ${asPercent(own ?? BOUNCE_RATE_MAX)}% limit`
      : "far more than the others";
  return `bounces at ${percent}, ${above}`;
}

function tellRefusals({ metric, rate, reason, own }: Breach): string {
  const isOptOut = metric === "opt_outs";
  const refuse = isOptOut ? "opt out or complain" : "reply that they aren't interested";
  const many = `${asPercent(rate)}% of its recipients ${refuse}`;
  if (reason === "limit") {
    return `${many}, above your ${asPercent(own ?? 0)}% limit`;
  }
  const more = isOptOut ? "far more" : "a larger part of its replies";
  return own === null
    ? `${many}, ${more} than with the others`
    : `${many}, more than ${own} times as many as with the others`;
}
