/**
 * Experiments: variants of one step against each other. States, bounds, and what a variant may say.
 *
 * Source: the fields are the seed's; states, modes and bounds are ours (`docs/adr/experiments.md`).
 */

import { nearestWord } from "#domain/nearest-word.ts";
import { conflict, invalid, together } from "#domain/problem.ts";
import { checkTemplate } from "#domain/sending/template.ts";
import { BODY_FORMATS, type BodyFormat } from "#domain/sending/text-to-html.ts";
import { DAY_MS, type UnixMs, unixMs } from "#domain/time.ts";
import type { Guardrail } from "./guardrail.ts";

export const EXPERIMENT_STATUSES = [
  "running",
  "paused",
  "evaluating",
  "completed",
  "cancelled",
] as const;
/** `evaluating`: nobody is assigned any more, and the last replies are waited for. */
export type ExperimentStatus = (typeof EXPERIMENT_STATUSES)[number];

export const PRIMARY_METRICS = ["reply_rate", "interested_rate", "bounce_rate"] as const;
/** Of `bounce_rate` less is better. Opens are not among them: they are noise. */
export type PrimaryMetric = (typeof PRIMARY_METRICS)[number];

export const OPTIMIZATION_MODES = [
  "fixed_split",
  "thompson_sampling",
  "auto_winner",
  "test_and_roll",
] as const;
/**
 * `auto_winner`: a fixed split whose winner is written into the step. `test_and_roll`: an even split of a few
 * leads while the rest waits; then the better variant is written into the step, significant or not.
 */
export type OptimizationMode = (typeof OPTIMIZATION_MODES)[number];

/** Rate to plan by while nothing has come back. */
export const BASELINE_DEFAULT = 0.04;
export const VARIANTS_MIN = 2;
export const VARIANTS_MAX = 10;
export const WEIGHT_MIN = 0.001;
export const WEIGHT_MAX = 1_000_000;
export const DURATION_DAYS_MAX = 365;
export const ATTRIBUTION_DAYS_MAX = 30;
/** Experiments of a team, closed ones too. */
export const EXPERIMENTS_MAX = 10_000;
/** Entries of a variant's config, and characters of it as JSON. */
export const CONFIG_ENTRIES_MAX = 32;
export const CONFIG_CHARS_MAX = 200_000;
const SUBJECT_BYTES_MAX = 998;
const BODY_CHARS_MAX = 100_000;

const NO_GUARDRAILS: readonly Guardrail[] = [];

export const EXPERIMENT_DEFAULTS = {
  primaryMetric: "reply_rate",
  optimizationMode: "fixed_split",
  durationDays: 14,
  attributionWindowDays: 7,
  earlyStopping: true,
  autoDrop: false,
  stepPosition: 1,
  guardrails: NO_GUARDRAILS,
} as const;

/** Free-form; `subject` and `body` take the place of the step's. */
export type VariantConfig = Readonly<Record<string, unknown>>;

/** A share of the leads for each variant in their order; they add up to 1. */
export type Allocation = readonly number[];

/** What an experiment's moves are called. */
export const EXPERIMENT_MOVES = {
  pause: "paused",
  resume: "running",
  complete: "completed",
  cancel: "cancelled",
} as const satisfies Record<string, ExperimentStatus>;
export type ExperimentMove = keyof typeof EXPERIMENT_MOVES;

const FROM: Readonly<Record<ExperimentMove, readonly ExperimentStatus[]>> = {
  pause: ["running"],
  resume: ["paused"],
  complete: ["running", "paused", "evaluating"],
  cancel: ["running", "paused", "evaluating"],
};

/** Throws a `conflict` naming `status` unless a person may make this move. */
export function checkMove(status: ExperimentStatus, move: ExperimentMove): void {
  if (!FROM[move].includes(status)) {
    throw conflict(
      `an experiment that is ${status} can't be ${EXPERIMENT_MOVES[move]}; ` +
        `it must be ${FROM[move].join(" or ")}`,
      "status",
    );
  }
}

/** True while leads may still be assigned, now or after a pause: the step is taken. */
export function governsStep(status: ExperimentStatus): boolean {
  return status === "running" || status === "paused";
}

/** True until the result is frozen. */
export function isUnderWay(status: ExperimentStatus): boolean {
  return governsStep(status) || status === "evaluating";
}

/** Why a variant gets no more leads. `switched_off`: a person wants it so. */
export const OUT_REASONS = ["guardrail", "eliminated", "switched_off"] as const;
export type OutReason = (typeof OUT_REASONS)[number];

/** Throws `validation_error` where leads can't be held back for it, or it wouldn't split them evenly. */
export function checkTestAndRoll(
  mode: OptimizationMode,
  position: number,
  variants: readonly VariantInput[],
): void {
  if (mode !== "test_and_roll") {
    return;
  }
  if (position !== 1) {
    throw invalid(
      "step_position",
      "must be 1 with test_and_roll, which holds back leads that haven't been emailed yet",
    );
  }
  const odd = variants.findIndex(({ weight }) => weight !== variants[0]?.weight);
  if (odd >= 0) {
    throw invalid(
      `variants.${odd}.weight`,
      "must be the same for every variant with test_and_roll",
    );
  }
}

export interface VariantInput {
  name: string;
  config: VariantConfig;
  weight: number;
}

/**
 * Throws `validation_error` naming the first thing that is wrong with the variants of an experiment on
 * step `position`.
 */
export function checkVariants(variants: readonly VariantInput[], position: number): void {
  if (variants.length < VARIANTS_MIN || variants.length > VARIANTS_MAX) {
    throw invalid("variants", `must have ${VARIANTS_MIN} to ${VARIANTS_MAX} variants`);
  }
  const names = new Set<string>();
  for (const [index, { name, config, weight }] of variants.entries()) {
    const field = `variants.${index}`;
    if (name.trim() === "") {
      throw invalid(`${field}.name`, "must not be empty");
    }
    if (names.has(name.trim().toLowerCase())) {
      throw invalid(`${field}.name`, "another variant has this name; each needs its own name");
    }
    names.add(name.trim().toLowerCase());
    if (!Number.isFinite(weight) || weight < WEIGHT_MIN || weight > WEIGHT_MAX) {
      throw invalid(`${field}.weight`, `must be ${WEIGHT_MIN} to ${WEIGHT_MAX}`);
    }
    checkConfig(config, `${field}.config`, position);
  }
}

/** What a variant may change of its step. */
const OVERRIDES = ["subject", "body", "format"] as const;
/** Of a step, and the same for all variants. */
const STEP_ONLY: ReadonlySet<string> = new Set(["type", "wait_days", "wait_minutes", "position"]);

function checkConfig(config: VariantConfig, field: string, position: number): void {
  const names = Object.keys(config);
  if (names.length > CONFIG_ENTRIES_MAX || JSON.stringify(config).length > CONFIG_CHARS_MAX) {
    throw invalid(
      field,
      `must have at most ${CONFIG_ENTRIES_MAX} entries and ${CONFIG_CHARS_MAX} characters`,
    );
  }
  for (const name of names) {
    if ((OVERRIDES as readonly string[]).includes(name)) {
      continue;
    }
    if (STEP_ONLY.has(name)) {
      throw invalid(
        `${field}.${name}`,
        "a variant can only change the subject, the body and its format",
      );
    }
    const meant = nearestWord(name, [...OVERRIDES, ...STEP_ONLY]);
    if (meant !== undefined) {
      throw invalid(`${field}.${name}`, `unknown field; did you mean ${meant}?`);
    }
  }
  together(
    () => checkSubject(config["subject"], `${field}.subject`, position),
    () => checkBody(config["body"], `${field}.body`),
    () => checkFormat(config, `${field}.format`),
  );
}

function checkSubject(subject: unknown, field: string, position: number): void {
  if (subject === undefined) {
    return;
  }
  if (subject !== null && typeof subject !== "string") {
    throw invalid(field, "must be a string or null");
  }
  if (subject === null || subject.trim() === "") {
    if (position === 1) {
      throw invalid(field, "the first step starts the thread, so it needs a subject");
    }
    return;
  }
  if (new TextEncoder().encode(subject).length > SUBJECT_BYTES_MAX || isBroken(subject)) {
    throw invalid(field, `must be one line of at most ${SUBJECT_BYTES_MAX} bytes`);
  }
  checkSource(subject, field);
}

function isBroken(subject: string): boolean {
  return ["\r", "\n", "\0"].some((mark) => subject.includes(mark));
}

function checkBody(body: unknown, field: string): void {
  if (body === undefined) {
    return;
  }
  if (typeof body !== "string" || body.trim() === "") {
    throw invalid(field, "must be a string");
  }
  if (body.length > BODY_CHARS_MAX || body.includes("\0")) {
    throw invalid(field, `must be at most ${BODY_CHARS_MAX} characters, without NUL characters`);
  }
  checkSource(body, field);
}

function checkFormat({ body, format }: VariantConfig, field: string): void {
  if (format === undefined) {
    return;
  }
  if (format !== null && !(BODY_FORMATS as readonly unknown[]).includes(format)) {
    throw invalid(field, `must be ${BODY_FORMATS.join(", ")} or null`);
  }
  if (body === undefined) {
    throw invalid(field, "belongs to a body; give the variant one");
  }
}

function checkSource(source: string, field: string): void {
  const fault = checkTemplate(source);
  if (fault !== null) {
    throw invalid(field, fault.message);
  }
}

interface Content {
  subject: string | null;
  body: string | null;
  format: BodyFormat | null;
}

/** What a step says to leads of a variant. A body comes with its own format. */
export function overrideContent(step: Content, config: VariantConfig): Content {
  const { subject = step.subject, body, format = null } = config as Partial<Content>;
  return {
    subject: subject?.trim() === "" ? null : subject,
    ...(body === undefined ? { body: step.body, format: step.format } : { body, format }),
  };
}

/** Weights as shares. Those of variants that are `out` count nothing, unless all are. */
export function shareOut(weights: readonly number[], out: readonly boolean[] = []): number[] {
  const left = out.every(Boolean) ? weights : weights.map((weight, i) => (out[i] ? 0 : weight));
  const kept = out.length === weights.length ? left : weights;
  const sum = kept.reduce((total, weight) => total + weight, 0);
  return kept.map((weight) => weight / sum);
}

/** The place of the variant into whose share `u`, in [0, 1), falls. */
export function pickVariant(allocation: Allocation, u: number): number {
  let reached = 0;
  let last = 0;
  for (const [index, share] of allocation.entries()) {
    reached += share;
    if (share > 0) {
      last = index;
      if (u < reached) {
        return index;
      }
    }
  }
  return last;
}

/** The times of an experiment. Instants in between are `null` where there is none. */
export interface ExperimentTimes {
  startedAt: UnixMs;
  endsAt: UnixMs;
  firstSentAt: UnixMs | null;
  pausedAt: UnixMs | null;
  /** Milliseconds of the pauses that are over. */
  pausedMs: number;
  /** Completed or cancelled. */
  closedAt: UnixMs | null;
}

/** Milliseconds for which it has run: from the first send, without its pauses. */
export function elapsedMs(times: ExperimentTimes, now: UnixMs): number {
  if (times.firstSentAt === null) {
    return 0;
  }
  const until = Math.min(now, times.closedAt ?? now, times.pausedAt ?? now);
  return Math.max(0, until - times.startedAt - times.pausedMs);
}

/** Whole days for which it has run. */
export function daysElapsed(times: ExperimentTimes, now: UnixMs): number {
  return Math.floor(elapsedMs(times, now) / DAY_MS);
}

/** Days, begun ones too, until it ends; before the first send the clock is paused. */
export function daysRemaining(times: ExperimentTimes, now: UnixMs): number {
  if (times.closedAt !== null) {
    return 0;
  }
  const from = times.firstSentAt === null ? times.startedAt : (times.pausedAt ?? now);
  return Math.max(0, Math.ceil((times.endsAt - from) / DAY_MS));
}

/** When the last lead will have been assigned: at the end, or sooner where a test-and-roll has its leads. */
export function assignedBy(
  {
    testLeads,
    endsAt,
    status,
  }: { testLeads: number | null; endsAt: UnixMs; status: ExperimentStatus },
  { sent, leadsPerDay, now }: { sent: number; leadsPerDay: number; now: UnixMs },
): UnixMs {
  if (testLeads === null || status !== "running" || leadsPerDay <= 0) {
    return endsAt;
  }
  const days = Math.max(0, testLeads - sent) / leadsPerDay;
  return unixMs(Math.min(endsAt, now + Math.ceil(days * DAY_MS)));
}
