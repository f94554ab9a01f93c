/**
 * An experiment as it is shown to people outside the team: counts, rates and the verdict, with the lines that
 * they were computed from. Nothing in it is of a lead or a mailbox.
 */

import { wilson } from "#domain/experiments/stats/intervals.ts";
import type { SentContent } from "#domain/experiments/variant-content.ts";
import { toIso, toIsoOrNull, type UnixMs } from "#domain/time.ts";
import type { ExperimentStatus } from "./experiment.ts";
import { type Answered, keyFigureOf, notesOf } from "./experiment-answer.ts";
import type { Arm, Figures } from "./experiment-figures.ts";
import { type Line, RATES, rateLines, readingLines } from "./experiment-lines.ts";
import { isSignificant, type PairReading } from "./experiment-pairs.ts";
import type { Reading } from "./experiment-reading.ts";
import type { Recommendation } from "./experiment-verdict.ts";
import type { Warning } from "./experiment-warnings.ts";
import { type Counts, pendingOf } from "./exposure.ts";

/** Names the form of the file, for whoever reads it. */
export const REPORT_FORM = "outrider.experiment/1";

/** What a report is made of. */
export interface Reported {
  experiment: {
    name: string;
    status: ExperimentStatus;
    stepPosition: number;
    startedAt: UnixMs;
    endsAt: UnixMs;
    closedAt: UnixMs | null;
  };
  figures: Figures;
  reading: Reading;
  /** Null where the reading was kept without what it was computed from. */
  leadsByEnd: number | null;
  recommendation: Recommendation;
  answered: Answered;
  warnings: readonly Warning[];
  /** Of a closed experiment what was decided. */
  winner: string | null;
  /** By variant; null: they are not shown. */
  contents: readonly (readonly SentContent[])[] | null;
  readAt: UnixMs;
}

export interface Rate {
  value: number;
  low: number;
  high: number;
}

export type Report = ReturnType<typeof reportOf>;

export function reportOf(reported: Reported) {
  const { experiment, figures, reading, recommendation } = reported;
  const { leadsByEnd } = reported;
  const lines = [
    ...rateLines(figures),
    ...(leadsByEnd === null ? [] : readingLines(figures, reading, leadsByEnd)),
  ];
  return {
    report: REPORT_FORM,
    read_at: toIso(reported.readAt),
    name: experiment.name,
    status: experiment.status,
    primary_metric: figures.metric,
    optimization_mode: figures.mode,
    step_position: experiment.stepPosition,
    attribution_window_days: figures.windowDays,
    started_at: toIso(experiment.startedAt),
    ends_at: toIso(experiment.endsAt),
    closed_at: toIsoOrNull(experiment.closedAt),
    is_final: reading.isFinal,
    winner: reported.winner,
    recommendation: recommendation.sentence,
    recommendation_code: recommendation.code,
    key_figure: keyFigureOf(reported.answered),
    /** Of the counts that are shown, which are those of the verdict once there is one. */
    notes: notesOf({ ...reported.answered, arms: figures.arms }),
    warnings: reported.warnings.map(({ message }) => message),
    variants: figures.arms.map((arm, at) => ({
      ...variantOf(reported, arm, at, lines),
      /** What its emails said, oldest first; null where that isn't shared. */
      contents: reported.contents?.[at]?.map(({ subject, body }) => ({ subject, body })) ?? null,
    })),
    pairs: reading.pairs.map((pair) => pairOf(figures, reading, pair)),
    split: {
      is_off: reading.split.alarm,
      p_value: reading.split.pValue,
      p_value_anytime: reading.split.pAnytime,
    },
    convergence: reading.convergence,
    value_remaining_95: reading.valueRemaining,
    mde_ratio: reading.mdeRatio,
    pending: figures.arms.reduce((sum, { counts }) => sum + Math.max(0, pendingOf(counts)), 0),
    lines,
  };
}

function variantOf(
  { reading }: Reported,
  { name, weight, counts, out }: Arm,
  at: number,
  lines: readonly Line[],
) {
  const { sent, replies, interested, bounced, optedOut, successes, failures } = counts;
  const { negativeReplies = null } = counts as Partial<Counts>;
  const rate = (of: keyof typeof RATES): Rate => {
    const x = counts[RATES[of]];
    const { lower, upper } = wilson({ x, n: sent });
    return { value: sent === 0 ? 0 : x / sent, low: lower, high: upper };
  };
  const { rate: value = 0, low = 0, high = 1 } = reading.credibleIntervals[at] ?? {};
  return {
    name,
    weight,
    out_reason: out,
    emails_sent: sent,
    /** Null in a verdict from before it was counted. */
    negative_replies: negativeReplies,
    ...{ replies, interested, bounced, opted_out: optedOut, successes, failures },
    reply_rate: rate("reply_rate"),
    interested_rate: rate("interested_rate"),
    negative_reply_rate: negativeReplies === null ? null : rate("negative_reply_rate"),
    bounce_rate: rate("bounce_rate"),
    opt_out_rate: rate("opt_out_rate"),
    success_rate: { value, low, high },
    win_probability: chanceOf(lines, at) ?? reading.winProbabilities[at] ?? 0,
    expected_loss: reading.expectedLoss?.[at] ?? null,
  };
}

/** With all of its digits; a reading keeps six. */
function chanceOf(lines: readonly Line[], at: number): number | undefined {
  const path = `variants.${at}.win_probability`;
  const line = lines.find(({ gives }) => path in gives);
  const place = line?.gives[path]?.split(".").at(-1);
  return (line?.result as { p: number[] } | undefined)?.p[Number(place)];
}

function pairOf({ arms }: Figures, { split }: Reading, pair: PairReading) {
  const nameOf = (arm: number | null) => arms[arm ?? -1]?.name ?? null;
  return {
    a: nameOf(pair.a),
    b: nameOf(pair.b),
    better: nameOf(pair.better),
    test: pair.test,
    p_value: pair.pValue,
    significant: isSignificant(pair) && !split.alarm,
    p_value_anytime: pair.pAnytime,
    p_value_sequential: pair.pSequential ?? null,
    p_value_fixed: pair.pFixed,
    p_value_stratified: pair.pStratified,
    rate_a: pair.rateA ?? null,
    rate_b: pair.rateB ?? null,
    lift_ratio: { value: pair.ratio, low: pair.ratioLow, high: pair.ratioHigh },
    difference: pair.difference,
    prob_b_beats_a: pair.probBBeatsA,
  };
}
