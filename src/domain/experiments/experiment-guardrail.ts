/**
 * Variants that bounce too much, or that people opt out of or complain about more than the others. A losing
 * variant of a web page costs a click; one of a cold email costs the mailbox its reputation, so it is taken
 * out of the race and not only reported.
 *
 * Source: 5 % is what a large relay asks its senders to stay below; the rest is ours.
 */

import { wilson } from "#domain/experiments/stats/intervals.ts";
import { eprocessEpochs, eprocessReplies } from "#domain/experiments/stats/sequential.ts";
import {
  commonEpochs,
  type EpochFigures,
  type Figures,
  isBandit,
  sumOver,
} from "./experiment-figures.ts";
import { asPercent, type Params } from "./experiment-words.ts";
import { type Counts, NO_COUNTS } from "./exposure.ts";

/** Share of emails that may bounce. */
const BOUNCE_RATE_MAX = 0.05;
const SENT_MIN = 50;
const LEVEL = 0.99;
const AGAINST_REST_P = 0.01;
/** In sd of what chance does: 1 in 100 on either side, so that a false one costs a winner and no variant. */
const COSTLY_Z = 2.576;

export const GUARDRAIL_METRICS = ["bounces", "opt_outs"] as const;
export type GuardrailMetric = (typeof GUARDRAIL_METRICS)[number];

export interface Breach {
  /** Place of the variant. */
  arm: number;
  metric: GuardrailMetric;
  rate: number;
  /** `limit`: surely above {@link BOUNCE_RATE_MAX}. `others`: surely above the other variants. */
  reason: "limit" | "others";
}

/** What is wrong with each variant: one thing, bounces before opt-outs. */
export function findBreaches(figures: Figures): Breach[] {
  return figures.arms.flatMap((_, arm) => {
    const breach = bounces(figures, arm) ?? aboveRest(figures, arm, "opt_outs");
    return breach === null ? [] : [breach];
  });
}

function bounces(figures: Figures, arm: number): Breach | null {
  const { sent = 0, bounced = 0 } = figures.arms[arm]?.counts ?? {};
  if (sent >= SENT_MIN && wilson({ x: bounced, n: sent, level: LEVEL }).lower > BOUNCE_RATE_MAX) {
    return { arm, metric: "bounces", rate: bounced / sent, reason: "limit" };
  }
  return aboveRest(figures, arm, "bounces");
}

function aboveRest(figures: Figures, arm: number, metric: GuardrailMetric): Breach | null {
  const counts = figures.arms[arm]?.counts ?? NO_COUNTS;
  const count = COUNTED[metric](counts);
  const isAbove =
    counts.sent >= SENT_MIN && count > 0 && isAboveRest(figures, arm, COUNTED[metric]);
  return isAbove ? { arm, metric, rate: count / counts.sent, reason: "others" } : null;
}

/**
 * People opt out of `arm` more than of the others, as far as one reading can tell: it wins nothing by the
 * replies that it gets. Too little to take it out of the race, which {@link findBreaches} decides.
 */
export function findCost(figures: Figures, arm: number): Breach | null {
  const { sent = 0, optedOut = 0 } = figures.arms[arm]?.counts ?? {};
  let [beyond, variance] = [0, 0];
  for (const { allocation, counts } of commonEpochs(figures.epochs, arm)) {
    const share = allocation[arm] ?? 0;
    const all = counts.reduce((total, one) => total + one.optedOut, 0);
    beyond += (counts[arm]?.optedOut ?? 0) - share * all;
    variance += share * (1 - share) * all;
  }
  const isCostly = beyond > 0 && beyond >= COSTLY_Z * Math.sqrt(variance);
  return isCostly ? { arm, metric: "opt_outs", rate: optedOut / sent, reason: "others" } : null;
}

type Counted = (counts: Counts) => number;
const COUNTED: Readonly<Record<GuardrailMetric, Counted>> = {
  bounces: ({ bounced }) => bounced,
  opt_outs: ({ optedOut }) => optedOut,
};

function isAboveRest(figures: Figures, arm: number, counted: Counted): boolean {
  const { arms } = figures;
  const rest = arms.map((_, index) => index).filter((index) => index !== arm);
  const epochs = commonEpochs(figures.epochs, arm);
  const sum = (of: number) => sumOver(epochs, of, counted);
  const own = sum(arm);
  const others = rest.reduce((total, other) => total + sum(other), 0);
  const expected = epochs.reduce((total, epoch) => total + expectedIn(epoch, arm, counted), 0);
  if (own <= expected || own + others === 0) {
    return false;
  }
  const isSteady = !isBandit(figures.mode) && arms.every(({ out }) => out === null);
  const { pAnytime } = isSteady
    ? eprocessReplies({
        repliesA: others,
        repliesB: own,
        shareB: epochs[0]?.allocation[arm] ?? 0.5,
      })
    : eprocessEpochs({ epochs: epochs.flatMap((epoch) => against(epoch, arm, counted)) });
  return pAnytime <= AGAINST_REST_P;
}

/** How many of an epoch's would be the arm's if all variants were alike. */
function expectedIn({ allocation, counts }: EpochFigures, arm: number, counted: Counted): number {
  return (allocation[arm] ?? 0) * counts.reduce((total, one) => total + counted(one), 0);
}

function against({ allocation, counts }: EpochFigures, arm: number, counted: Counted) {
  const allocB = allocation[arm] ?? 0;
  const repliesB = counted(counts[arm] ?? NO_COUNTS);
  const all = counts.reduce((total, one) => total + counted(one), 0);
  return allocB < 1 ? [{ repliesA: all - repliesB, repliesB, allocA: 1 - allocB, allocB }] : [];
}

/** Of a variant that was taken out before, whose counts may say less by now. */
export function pastBreach({ arms }: Figures, arm: number): Breach | null {
  const counts = arms[arm]?.counts;
  return counts === undefined
    ? null
    : { arm, metric: "bounces", rate: counts.bounced / counts.sent, reason: "others" };
}

/** `isCostly`: it would have won. */
export function tellBreach(
  { arms }: Figures,
  { arm, metric, rate }: Breach,
  isCostly: boolean,
): { params: Params; sentence: string } {
  const variant = arms[arm]?.name ?? "";
  const check = arms[arm]?.out === "guardrail" ? "It has been paused; check" : "Check";
  const percent = `${asPercent(rate)}%`;
  if (metric === "bounces") {
    const above =
      rate > BOUNCE_RATE_MAX
        ? `above the ${asPercent(BOUNCE_RATE_MAX)}% limit`
        : "far more than the others";
    const sentence = `${variant} bounces at ${percent}, ${above}. ${check} its content and links.`;
    return { params: { variant, rate, limit: BOUNCE_RATE_MAX }, sentence };
  }
  const many = `${percent} of its recipients opt out or complain, far more than with the others`;
  const sentence = isCostly
    ? `${variant} has the best results, but ${many}. So it isn't called the winner.`
    : `${variant} drives people away: ${many}. ${check} its content.`;
  return { params: { variant, rate, limit: null }, sentence };
}
