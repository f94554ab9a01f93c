/**
 * Limits of a team's own for an experiment's variants, beside those that always hold
 * (`experiment-guardrail.ts`).
 *
 * Source: ours, argued in `docs/adr/experiments.md`.
 */

import { invalid } from "#domain/problem.ts";

export const GUARDRAIL_METRICS = ["bounces", "opt_outs", "negative_replies"] as const;
export type GuardrailMetric = (typeof GUARDRAIL_METRICS)[number];

/** One limit of two kinds; each kind may be set once for a metric. */
export interface Guardrail {
  metric: GuardrailMetric;
  /** Share of a variant's leads. */
  maxRate?: number;
  /** A variant's rate divided by that of all others. It replaces the comparison that always holds. */
  maxRatio?: number;
}

export const GUARDRAILS_MAX = 2 * GUARDRAIL_METRICS.length;
export const GUARDRAIL_RATE_MIN = 0.001;
export const GUARDRAIL_RATE_MAX = 0.5;
export const GUARDRAIL_RATIO_MAX = 10;
/** Share of emails that may bounce, whatever a team sets. */
export const BOUNCE_RATE_MAX = 0.05;

/** Throws `validation_error` for a guardrail that is none, could never matter, or is there twice. */
export function checkGuardrails(guardrails: readonly Guardrail[]): void {
  for (const [index, { metric, maxRate, maxRatio }] of guardrails.entries()) {
    const field = `guardrails.${index}`;
    if ((maxRate === undefined) === (maxRatio === undefined)) {
      throw invalid(field, "must have either max_rate or max_ratio");
    }
    const kind = maxRate === undefined ? "maxRatio" : "maxRate";
    const isTwice = guardrails
      .slice(0, index)
      .some((other) => other.metric === metric && other[kind] !== undefined);
    if (isTwice) {
      const name = kind === "maxRate" ? "max_rate" : "max_ratio";
      throw invalid(`${field}.metric`, `another guardrail of ${metric} has a ${name}`);
    }
    if (metric === "bounces" && maxRate !== undefined && maxRate >= BOUNCE_RATE_MAX) {
      throw invalid(
        `${field}.max_rate`,
        `must be below ${BOUNCE_RATE_MAX}, the limit that always holds for bounces`,
      );
    }
  }
}

/** The limit of this kind for a metric; undefined where the team has set none. */
export function limitOf(
  guardrails: readonly Guardrail[],
  metric: GuardrailMetric,
  kind: "maxRate" | "maxRatio",
): number | undefined {
  return guardrails.find((one) => one.metric === metric && one[kind] !== undefined)?.[kind];
}
