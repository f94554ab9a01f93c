/**
 * The health of a mailbox: what came back for its email of the last two weeks, as a score from 0 to 100,
 * and what a low score does to it. Days are the mailbox's local ones, so that time alone changes a score
 * at its midnight and at no other instant, and a forecast can say when.
 *
 * A bounce or a complaint counts on the day on which its email was claimed: a rate is then always one of
 * the same emails, whenever their reports arrive.
 *
 * Source: the formula and its thresholds are ours (`docs/adr/health-and-tracking.md`); 0.3 % is where Gmail's
 * rules for senders draw the line for complaints.
 */

import { localDay } from "#domain/campaigns/local-day.ts";
import { DAY_MS, earlier, HOUR_MS, plus, type UnixMs } from "#domain/time.ts";
import type { AccountStatus, AccountStatusReason } from "./account.ts";

/** Local days that a score looks back on, today among them. */
export const HEALTH_DAYS = 14;
/** With fewer emails the penalty counts in part. */
export const SENDS_FOR_FULL_WEIGHT = 20;
/** How long a pause for the sake of health takes. */
export const HEALTH_PAUSE_MS = 7 * DAY_MS;
/** A mailbox that comes back from one is on trial for this many local days at least. */
const TRIAL_DAYS_MIN = 7;
/** A change of score is reported when it has moved by this much, or past a threshold. */
const TOLD_STEP = 5;

/** Below these scores: caps are halved; no new leads are started; the mailbox is paused. */
export const HALVED_BELOW = 80;
export const NO_NEW_BELOW = 60;
export const PAUSED_BELOW = 40;
const THRESHOLDS = [HALVED_BELOW, NO_NEW_BELOW, PAUSED_BELOW] as const;

/** Points that each part can take off, and how many of them it takes off for its measure. */
export const PENALTIES = {
  hardBounces: { most: 40, per: 800 },
  complaints: { most: 40, per: 13_333 },
  smtpErrors: { most: 10, per: 2 },
  placement: { most: 10, per: 25 },
} as const;
/** What can take points off a mailbox's health, as events and the API say it. */
export const HEALTH_CAUSES = ["hard_bounces", "complaints", "smtp_errors", "placement"] as const;
export type HealthPart = keyof typeof PENALTIES;
export const HEALTH_PARTS = Object.keys(PENALTIES) as HealthPart[];

/** What a mailbox's email has brought. */
export interface Tally {
  /** Emails that a server took, or refused for good because of the recipient. */
  sends: number;
  hardBounces: number;
  complaints: number;
}

export interface DayTally extends Tally {
  /** `2026-03-01` in the mailbox's zone. */
  date: string;
}

/** What a score is made of. */
export interface HealthInputs extends Tally {
  /** SMTP errors in a row. */
  smtpErrors: number;
  /** Share of placement tests that came to the inbox, 0 to 1; null: none was made. */
  inboxRate: number | null;
  /** What chance allows it to be: the upper end of its 95 % interval, which is what the score goes by. */
  inboxRateHigh: number;
  /** Recipient providers to which it writes no more because they refuse it. */
  refusals: number;
}

/** Points that are taken off, by what for. */
export type HealthPoints = Readonly<Record<HealthPart, number>>;

export const NO_POINTS: HealthPoints = {
  hardBounces: 0,
  complaints: 0,
  smtpErrors: 0,
  placement: 0,
};

export interface HealthScore {
  /** Whole, 0 to 100. */
  score: number;
  points: HealthPoints;
  /** Share of the penalty that counts, 0 to 1. */
  weight: number;
}

export function healthScore(inputs: HealthInputs): HealthScore {
  return scoreWeighted(inputs, Math.min(1, inputs.sends / SENDS_FOR_FULL_WEIGHT));
}

/** True where the caps will be halved if it goes on like that, however few emails there were yet. */
export function isAlarming(inputs: HealthInputs): boolean {
  return scoreWeighted(inputs, 1).score < HALVED_BELOW;
}

function scoreWeighted(inputs: HealthInputs, weight: number): HealthScore {
  const { sends, smtpErrors, inboxRateHigh } = inputs;
  const measures: Readonly<Record<HealthPart, number>> = {
    hardBounces: rateOf(inputs.hardBounces, sends),
    complaints: rateOf(inputs.complaints, sends),
    smtpErrors,
    placement: 1 - inboxRateHigh,
  };
  const pointsOf = (part: HealthPart) => {
    const { most, per } = PENALTIES[part];
    return weight * Math.min(most, per * measures[part]);
  };
  const points = {
    hardBounces: pointsOf("hardBounces"),
    complaints: pointsOf("complaints"),
    // A provider that refuses the mailbox leaves no sends to weigh that by.
    smtpErrors: inputs.refusals > 0 ? PENALTIES.smtpErrors.most : pointsOf("smtpErrors"),
    placement: pointsOf("placement"),
  };
  const penalty = HEALTH_PARTS.reduce((sum, part) => sum + points[part], 0);
  return { score: Math.round(100 - penalty), points, weight };
}

/** 0 where nothing was sent. */
export function rateOf(count: number, sends: number): number {
  return sends === 0 ? 0 : Math.min(1, count / sends);
}

/** What follows from a score for a mailbox that sends. */
export interface Limits {
  halved: boolean;
  startsNew: boolean;
}

/** A mailbox that has come back from a pause: it is assessed by what it has sent since. */
export interface Trial {
  /** Local date on which it began. */
  from: string;
  /** What had been counted on that date by then. */
  before: Tally;
}

/** What the rules remember of a mailbox beside its score. */
export interface HealthState {
  /** The score that the rules go by: that of all 14 days, on trial that of the email since. */
  judged: number;
  trial: Trial | null;
  /** When a pause for the sake of health ends; null where there is none. */
  pausedUntil: UnixMs | null;
  /** The score that was told of last. */
  told: number;
  /** Harm was done since it was last looked where its email arrives. */
  wantsRun: boolean;
}

export const HEALTHY: HealthState = {
  judged: 100,
  trial: null,
  pausedUntil: null,
  told: 100,
  wantsRun: false,
};

export function limitsOf(state: Pick<HealthState, "judged" | "trial">): Limits {
  const { judged, trial } = state;
  return { halved: trial !== null || judged < HALVED_BELOW, startsNew: judged >= NO_NEW_BELOW };
}

/** The part of an account that its health moves. */
export interface HealthView {
  status: AccountStatus;
  statusReason: AccountStatusReason | null;
  healthScore: number;
  health: HealthState;
  /** When time alone may change something next; null: it never will. */
  healthAt: UnixMs | null;
}

/** What is known of a mailbox at an instant. */
export interface HealthFacts {
  now: UnixMs;
  zone: string;
  /** Days without an email may be left out; those before the window are passed over. */
  days: readonly DayTally[];
  smtpErrors: number;
  inboxRate: number | null;
  inboxRateHigh: number;
  refusals: number;
}

/**
 * The view as it is at `facts.now`: scored anew, back from a pause that is over, paused where the score
 * wants it. The same call is made where email is really sent and where it is foreseen.
 */
export function assessHealth<View extends HealthView>(view: View, facts: HealthFacts): View {
  const { now, zone, days } = facts;
  const back = comeBack(view, facts);
  const inputs = { ...facts, ...tallyOf(days, windowStart(zone, now).date) };
  const { score } = healthScore(inputs);
  const { trial: begun } = back.health;
  const trial = begun === null || isOver(begun, score, zone, now) ? null : begun;
  const judged = trial === null ? score : judgedScore(facts, trial);
  const after = pauseWhereTooLow({ ...back, health: { ...back.health, judged, trial } }, now);
  const { pausedUntil } = after.health;
  const moves = !isSpotless(inputs) || after.health.trial !== null || pausedUntil !== null;
  const midnight = localDay(zone, now).to;
  const next = moves ? (earlier(midnight, pausedUntil ?? undefined) ?? midnight) : null;
  const healthAt = after.health.wantsRun ? now : next;
  return { ...after, healthScore: score, healthAt };
}

/** Ends a pause that is over, and forgets one that a person has changed into something else. */
function comeBack<View extends HealthView>(view: View, { now, zone, days }: HealthFacts): View {
  const { pausedUntil } = view.health;
  if (!isPausedForHealth(view)) {
    return { ...view, health: { ...view.health, pausedUntil: null } };
  }
  if (pausedUntil !== null && pausedUntil > now) {
    return view;
  }
  const trial = beginTrial(zone, days, now);
  const health = { ...view.health, pausedUntil: null, trial };
  return { ...view, status: "active", statusReason: null, health };
}

function pauseWhereTooLow<View extends HealthView>(view: View, now: UnixMs): View {
  if (view.status !== "active" || view.health.judged >= PAUSED_BELOW) {
    return view;
  }
  const health = { ...view.health, trial: null, pausedUntil: plus(now, HEALTH_PAUSE_MS) };
  return { ...view, status: "paused", statusReason: "health", health };
}

/** Nothing at all speaks against the mailbox: no email that it sends can lower its score. */
function isSpotless(inputs: HealthInputs): boolean {
  const { hardBounces, complaints, smtpErrors, refusals, inboxRate } = inputs;
  return hardBounces + complaints + smtpErrors + refusals === 0 && (inboxRate ?? 1) === 1;
}

export function isPausedForHealth({ status, statusReason }: HealthView): boolean {
  return status === "paused" && statusReason === "health";
}

/** From `now` on the mailbox is assessed by what it sends. */
export function beginTrial(zone: string, days: readonly DayTally[], now: UnixMs): Trial {
  const from = localDay(zone, now).date;
  return { from, before: tallyOf(days, from) };
}

/** Over when the mailbox is well again and the days that paused it have had their time. */
function isOver(trial: Trial, score: number, zone: string, now: UnixMs): boolean {
  const lasts = Temporal.PlainDate.from(trial.from).add({ days: TRIAL_DAYS_MIN }).toString();
  return score >= HALVED_BELOW && localDay(zone, now).date >= lasts;
}

function judgedScore(facts: HealthFacts, { from, before }: Trial): number {
  const since = tallyOf(facts.days, from);
  const tally = {
    sends: Math.max(0, since.sends - before.sends),
    hardBounces: Math.max(0, since.hardBounces - before.hardBounces),
    complaints: Math.max(0, since.complaints - before.complaints),
  };
  return healthScore({ ...facts, ...tally }).score;
}

/** The first local day that a score looks back on. */
export function windowStart(zone: string, now: UnixMs): { date: string; from: UnixMs } {
  const today = localDay(zone, now);
  // From noon to noon, so that a change of clocks does not lead to a neighbour.
  const noon = plus(today.from, 12 * HOUR_MS);
  return localDay(zone, plus(noon, -(HEALTH_DAYS - 1) * DAY_MS));
}

/** Sums up the days from `date` on. */
export function tallyOf(days: readonly DayTally[], date: string): Tally {
  const sum = { sends: 0, hardBounces: 0, complaints: 0 };
  for (const day of days) {
    if (day.date >= date) {
      sum.sends += day.sends;
      sum.hardBounces += day.hardBounces;
      sum.complaints += day.complaints;
    }
  }
  return sum;
}

/** Should `score` be told of, where `told` was told of last? */
export function isWorthTelling(told: number, score: number): boolean {
  const passed = THRESHOLDS.some((threshold) => told < threshold !== score < threshold);
  return passed || Math.abs(score - told) >= TOLD_STEP;
}

/** The part that takes off most; null where none does. */
export function mainCause(points: HealthPoints): HealthPart | null {
  const first = HEALTH_PARTS.toSorted((a, b) => points[b] - points[a])[0];
  return first !== undefined && points[first] > 0 ? first : null;
}

/** Of a campaign's emails since its last start or resume, from so many on; see `experiments/campaign-guard.ts`. */
export const GUARD_SENDS_MIN = 50;
export const GUARD_BOUNCE_RATE = 0.05;
export const GUARD_COMPLAINT_RATE = 0.003;
