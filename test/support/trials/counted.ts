/**
 * Experiments by their counts alone, read every day as the product reads them: thousands in the time in which
 * the engine plays a few. What they leave out (mailboxes, bounces, the store) is what `play.ts` is for.
 */

import { withDunnett } from "#domain/experiments/experiment-challengers.ts";
import type { EpochFigures, Figures, Outlook } from "#domain/experiments/experiment-figures.ts";
import {
  isSignificant,
  type PairReading,
  pOfBest,
  readPairs,
} from "#domain/experiments/experiment-pairs.ts";
import { readExperiment } from "#domain/experiments/experiment-reading.ts";
import { mayStopEarly } from "#domain/experiments/experiment-verdict.ts";
import { type Counts, NO_COUNTS } from "#domain/experiments/exposure.ts";
import { ALPHA, holm } from "#domain/experiments/stats/sequential.ts";
import { DAY_MS, unixMs } from "#domain/time.ts";
import { seededDice } from "#platform/dice.ts";
import { type Drift, factorOf } from "./drift.ts";

export interface CountedPlan {
  seed: number;
  /** Chance of a reply by variant. */
  rates: readonly number[];
  leadsPerArm: number;
  /** Days in which leads are written to; their window is seven more. */
  days: number;
  drift?: Drift;
  /** Whose shares don't move. */
  mode?: "fixed_split" | "test_and_roll";
  /** Leads that were expected by the end, as a multiple of those that come. */
  expected?: number;
  earlyStopping?: boolean;
}

export type Kind = Omit<CountedPlan, "seed">;

export interface CountedTrial {
  winner: number | null;
  /** Days from the first email to the verdict. */
  days: number;
}

export const WINDOW_DAYS = 7;
/** Replies decay by this many days on the mean, and none comes after the window. */
const REPLY_DAYS = 1.5;
const FULL_TURN = 2 ** 32;
const SEED_STEP = 7_919;
/** Of experiment `nth`, far from the others. */
export const seedOf = (nth: number) => nth * SEED_STEP;

export function playCounted(plan: CountedPlan): CountedTrial {
  const { rates, leadsPerArm, days, expected = 1, earlyStopping = true, mode } = plan;
  const leads = draw(plan);
  const all = leadsPerArm * rates.length;
  for (let day = 1; day <= days + WINDOW_DAYS; day += 1) {
    const isFinal = day === days + WINDOW_DAYS;
    const counts = rates.map((_, arm) => countsOn(leads, arm, day));
    const figures = figuresOf(counts, isFinal, mode);
    const sent = counts.reduce((sum, one) => sum + one.sent, 0);
    const toCome = Math.max(0, Math.round(all * expected) - sent);
    const outlook = outlookOn(day, days, sent + (day < days ? toCome : 0));
    if (!isFinal && !mayWin(figures, outlook.leadsByEnd - sent)) {
      continue;
    }
    const reading = readExperiment(figures, outlook);
    if (isFinal || (earlyStopping && mayStopEarly({ figures, reading }))) {
      return { winner: reading.winner, days: day };
    }
  }
  throw new Error("an experiment has no last day");
}

/** What became of many: winners, those that are the best, and the mean days to the verdict. */
export function playKind(
  kind: Kind,
  experiments: number,
): { won: number; best: number; days: number } {
  const rate = Math.max(...kind.rates);
  let [won, best, days] = [0, 0, 0];
  for (let nth = 1; nth <= experiments; nth += 1) {
    const trial = playCounted({ ...kind, seed: seedOf(nth) });
    won += Number(trial.winner !== null);
    best += Number(trial.winner !== null && kind.rates[trial.winner] === rate);
    days += trial.days;
  }
  return { won, best, days: days / experiments };
}

/** How many of these experiments ever show that one of these variants differs from the first, by each correction. */
export function playFamily(
  kind: Kind,
  experiments: number,
): Record<"dunnett" | "holm" | "holmOfPairs" | "any", number> {
  const shown = { dunnett: 0, holm: 0, holmOfPairs: 0, any: 0 };
  for (let nth = 1; nth <= experiments; nth += 1) {
    const days = readFamily({ ...kind, seed: seedOf(nth) });
    for (const name of ["dunnett", "holm", "holmOfPairs", "any"] as const) {
      shown[name] += Number(days.some((day) => day[name]));
    }
  }
  return shown;
}

/** Of each day's readings, whether the best of the others differs from the first; `any`: whether any two differ. */
function readFamily(plan: CountedPlan) {
  const { rates, leadsPerArm, days } = plan;
  const leads = draw(plan);
  const best = rates.indexOf(Math.max(...rates));
  const isNull = best === 0;
  return Array.from({ length: days + WINDOW_DAYS }, (_, day) => {
    const counts = rates.map((_, arm) => countsOn(leads, arm, day + 1));
    const figures = figuresOf(counts, day + 1 === days + WINDOW_DAYS);
    const sent = counts.reduce((sum, one) => sum + one.sent, 0);
    const ofPairs = readPairs(figures, null, leadsPerArm * rates.length - sent);
    const told = withDunnett(figures, ofPairs);
    const { adjusted } = holm({ p: ofPairs.flatMap(({ a, pAlone }) => (a === 0 ? [pAlone] : [])) });
    const ofFirst = (pairs: readonly PairReading[]) => pairs.filter(({ a }) => a === 0);
    const isOne = (_: unknown, at: number) => isNull || at + 1 === best;
    return {
      dunnett: ofFirst(told).filter(isOne).some(isSignificant),
      holm: adjusted.filter(isOne).some((p) => p <= ALPHA),
      holmOfPairs: ofFirst(ofPairs).filter(isOne).some(isSignificant),
      any: told.some(isSignificant),
    };
  });
}

/** A reading costs twenty times its pairs; most days have none that could win. */
function mayWin(figures: Figures, toCome: number): boolean {
  const places = [...figures.arms.keys()];
  const pairs = readPairs(figures, null, toCome);
  return places.some((arm) => {
    return (
      pOfBest(
        pairs,
        arm,
        places.filter((rival) => rival !== arm),
      ) <= ALPHA
    );
  });
}

interface Lead {
  arm: number;
  sentOn: number;
  /** Null: never. */
  repliedOn: number | null;
}

export function draw({ seed, rates, leadsPerArm, days, drift }: CountedPlan): Lead[] {
  const dice = seededDice(seed);
  const unit = () => {
    const bytes = [dice.byte(), dice.byte(), dice.byte(), dice.byte()];
    return (bytes.reduce((sum, byte) => sum * 256 + byte, 0) + 0.5) / FULL_TURN;
  };
  const all = leadsPerArm * rates.length;
  return Array.from({ length: all }, (_, nth) => {
    const sentOn = Math.floor((nth * days) / all);
    const arm = Math.floor(unit() * rates.length);
    const replies = unit() < (rates[arm] ?? 0) * factorOf(drift, sentOn, days);
    const after = Math.floor(-Math.log(unit()) * REPLY_DAYS);
    const repliedOn = sentOn + Math.min(WINDOW_DAYS - 1, after);
    return { arm, sentOn, repliedOn: replies ? repliedOn : null };
  });
}

/** Of an arm at the end of day `day`, from 1. */
export function countsOn(leads: readonly Lead[], arm: number, day: number): Counts {
  const counts = { ...NO_COUNTS };
  for (const lead of leads) {
    if (lead.sentOn >= day) {
      break;
    }
    if (lead.arm !== arm) {
      continue;
    }
    const hasReplied = lead.repliedOn !== null && lead.repliedOn < day;
    const isMeasured = lead.sentOn + WINDOW_DAYS < day;
    counts.sent += 1;
    counts.replies += Number(hasReplied);
    counts.successes += Number(isMeasured && hasReplied);
    counts.failures += Number(isMeasured && !hasReplied);
  }
  return counts;
}

function figuresOf(
  counts: readonly Counts[],
  isFinal: boolean,
  mode: Figures["mode"] = "fixed_split",
): Figures {
  const epoch: EpochFigures = { allocation: counts.map(() => 1 / counts.length), counts };
  return {
    metric: "reply_rate",
    mode,
    windowDays: WINDOW_DAYS,
    arms: counts.map((own, arm) => ({
      id: String(arm),
      name: `V${arm}`,
      weight: 1,
      counts: own,
      out: null,
    })),
    present: 0,
    epochs: [epoch],
    guardrails: [],
    past: () => [],
    strata: () => [],
    isFinal,
    readsFixed: true,
  };
}

function outlookOn(day: number, days: number, leadsByEnd: number): Outlook {
  const at = (days_: number) => unixMs(days_ * DAY_MS);
  return {
    isAssigning: day < days,
    elapsedMs: day * DAY_MS,
    endsAt: at(days),
    now: at(day),
    firstReadingAt: at(WINDOW_DAYS),
    lastReadingAt: at(days + WINDOW_DAYS),
    leadsByEnd,
    leadsPerDay: leadsByEnd / days,
  };
}
