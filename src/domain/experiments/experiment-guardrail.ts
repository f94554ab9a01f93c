/**
 * Variants that bounce too much. A losing variant of a web page costs a click; one of a cold email costs
 * the mailbox its reputation, so it is taken out of the race and not only reported.
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

/** Share of emails that may bounce. */
export const BOUNCE_RATE_MAX = 0.05;
const SENT_MIN = 50;
const LEVEL = 0.99;
const AGAINST_REST_P = 0.01;

export interface Breach {
  /** Place of the variant. */
  arm: number;
  rate: number;
  /** `limit`: surely above {@link BOUNCE_RATE_MAX}. `others`: surely above the other variants. */
  reason: "limit" | "others";
}

export function findBreaches(figures: Figures): Breach[] {
  return figures.arms.flatMap(({ counts: { sent, bounced } }, arm): Breach[] => {
    if (sent < SENT_MIN || bounced === 0) {
      return [];
    }
    const rate = bounced / sent;
    if (wilson({ x: bounced, n: sent, level: LEVEL }).lower > BOUNCE_RATE_MAX) {
      return [{ arm, rate, reason: "limit" }];
    }
    return isAboveRest(figures, arm) ? [{ arm, rate, reason: "others" }] : [];
  });
}

function isAboveRest(figures: Figures, arm: number): boolean {
  const { arms } = figures;
  const rest = arms.map((_, index) => index).filter((index) => index !== arm);
  const epochs = commonEpochs(figures.epochs, arm);
  const bounced = (of: number) => sumOver(epochs, of, (counts) => counts.bounced);
  const own = bounced(arm);
  const others = rest.reduce((total, other) => total + bounced(other), 0);
  const expected = epochs.reduce((total, epoch) => total + expectedIn(epoch, arm), 0);
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
    : eprocessEpochs({ epochs: epochs.flatMap((epoch) => against(epoch, arm)) });
  return pAnytime <= AGAINST_REST_P;
}

/** How many of an epoch's bounces would be the arm's if all bounced alike. */
function expectedIn({ allocation, counts }: EpochFigures, arm: number): number {
  return (allocation[arm] ?? 0) * counts.reduce((total, { bounced }) => total + bounced, 0);
}

function against({ allocation, counts }: EpochFigures, arm: number) {
  const allocB = allocation[arm] ?? 0;
  const repliesB = counts[arm]?.bounced ?? 0;
  const all = counts.reduce((total, { bounced }) => total + bounced, 0);
  return allocB < 1 ? [{ repliesA: all - repliesB, repliesB, allocA: 1 - allocB, allocB }] : [];
}
