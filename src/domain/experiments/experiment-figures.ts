/** What the analysis of an experiment starts from: sums, never rows. */

import type { Arms } from "#domain/experiments/stats/bayes.ts";
import { equivalentCounts } from "#domain/experiments/stats/epochs.ts";
import type { LogLift } from "#domain/experiments/stats/shrinkage.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Allocation, OptimizationMode, OutReason, PrimaryMetric } from "./experiment.ts";
import { type Counts, NO_COUNTS } from "./exposure.ts";
import type { Guardrail } from "./guardrail.ts";

export interface Arm {
  id: string;
  name: string;
  weight: number;
  counts: Counts;
  /** Why nobody is assigned to it any more. */
  out: OutReason | null;
}

/** What came of the leads that were assigned under one allocation. */
export interface EpochFigures {
  allocation: Allocation;
  /** By arm. */
  counts: readonly Counts[];
}

/** Leads that one mailbox wrote to, behind one provider. */
export interface Stratum {
  accountId: string;
  provider: MailProvider;
  counts: readonly Counts[];
}

export interface Figures {
  metric: PrimaryMetric;
  mode: OptimizationMode;
  windowDays: number;
  arms: readonly Arm[];
  /** Place of the variant that sends the step as it is, else of the first: what the others are held against. */
  present: number;
  epochs: readonly EpochFigures[];
  /** The team's own limits. */
  guardrails: readonly Guardrail[];
  /** Measured lifts of the team's earlier experiments; read when there is a winner. */
  past: () => readonly LogLift[];
  /** Read when the split is off or the test at the end is read; there may be thousands. */
  strata: () => readonly Stratum[];
  /** The planned end is over and every lead measured: this reading is the last. */
  isFinal: boolean;
  /** The test at the planned end may be read: nobody moved that end. */
  readsFixed: boolean;
}

/** What an experiment can still come to. */
export interface Outlook {
  /** It assigns leads; false once it waits for the last replies, or is closed. */
  isAssigning: boolean;
  elapsedMs: number;
  endsAt: UnixMs;
  now: UnixMs;
  /** When the first window closes, where none has. */
  firstReadingAt: UnixMs;
  /** When the last window will have closed. */
  lastReadingAt: UnixMs;
  /** Leads that will have been written to by the end. */
  leadsByEnd: number;
  /** Leads a day, as it goes. */
  leadsPerDay: number;
}

/** Events that the metric is about. Of bounces fewer are better. */
export function eventsOf(metric: PrimaryMetric, counts: Counts): number {
  switch (metric) {
    case "reply_rate":
      return counts.replies;
    case "interested_rate":
      return counts.interested;
    case "bounce_rate":
      return counts.bounced;
    default:
      return metric satisfies never;
  }
}

/** The same of leads whose window has closed. */
export function closedEventsOf(metric: PrimaryMetric, { successes, failures }: Counts): number {
  return metric === "bounce_rate" ? failures : successes;
}

/**
 * Successes and failures of these arms as they compare within `epochs`: over all of them, the arm that was
 * given more of the better days would look better. `live`: all leads that were sent, and what has come so
 * far; else those whose window has closed.
 */
export function comparedArms(
  metric: PrimaryMetric,
  epochs: readonly EpochFigures[],
  places: readonly number[],
  { live = false }: { live?: boolean } = {},
): Arms {
  const events = live ? eventsOf : closedEventsOf;
  const trials = ({ sent, successes, failures }: Counts) => (live ? sent : successes + failures);
  const compared = equivalentCounts({
    epochs: epochs.map(({ counts }) => {
      const own = places.map((place) => counts[place] ?? NO_COUNTS);
      return { events: own.map((one) => events(metric, one)), trials: own.map(trials) };
    }),
  });
  const rest = compared.trials.map((count, arm) => count - (compared.events[arm] ?? 0));
  return metric === "bounce_rate"
    ? { successes: rest, failures: compared.events }
    : { successes: compared.events, failures: rest };
}

export function isBandit(mode: OptimizationMode): boolean {
  return mode === "thompson_sampling";
}

/** Who still has to be beaten: not who was taken out of the race. */
export function rivalsOf({ arms }: Figures, leader: number): number[] {
  return arms.flatMap(({ out }, arm) => (arm !== leader && out === null ? [arm] : []));
}

/** Epochs in which nobody was left out of `arms`. */
export function commonEpochs(
  epochs: readonly EpochFigures[],
  ...arms: readonly number[]
): readonly EpochFigures[] {
  return epochs.filter(({ allocation }) => arms.every((arm) => (allocation[arm] ?? 0) > 0));
}

/** A count of an arm over some epochs. */
export function sumOver(
  epochs: readonly EpochFigures[],
  arm: number,
  count: (counts: Counts) => number,
): number {
  return epochs.reduce((total, { counts }) => {
    const own = counts[arm];
    return total + (own === undefined ? 0 : count(own));
  }, 0);
}
