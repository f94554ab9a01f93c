/** Words and colours of experiments, the same on all of their pages. */

import type { ExperimentDetail, ExperimentResult } from "#client.ts";
import type { Tone } from "../../parts/page.tsx";

export type Variant = ExperimentResult["variants"][number];
type Metric = ExperimentDetail["primary_metric"];

export const STATUS_TONES: Readonly<Record<ExperimentDetail["status"], Tone>> = {
  running: "brand",
  paused: "warn",
  evaluating: "brand",
  completed: "good",
  cancelled: "plain",
};

export const STATUS_WORDS: Readonly<Record<ExperimentDetail["status"], string>> = {
  running: "Running",
  paused: "Paused",
  evaluating: "Collecting final replies",
  completed: "Completed",
  cancelled: "Canceled",
};

export const METRICS: Readonly<Record<Metric, { rate: string; events: string; event: string }>> = {
  reply_rate: { rate: "Reply rate", events: "replies", event: "reply" },
  interested_rate: { rate: "Interested rate", events: "interested replies", event: "yes" },
  bounce_rate: { rate: "Bounce rate", events: "bounces", event: "bounce" },
};

export const MODES: Readonly<
  Record<ExperimentDetail["optimization_mode"], { name: string; about: string }>
> = {
  fixed_split: {
    name: "Fixed split",
    about: "Shares stay fixed. Detects differences best; choose it to learn.",
  },
  auto_winner: {
    name: "Fixed split, apply winner",
    about: "Like a fixed split, and the winner is then written into the step.",
  },
  test_and_roll: {
    name: "Test on a few, then roll out",
    about:
      "A few leads get it first. The others wait, then get the better one, significant or not.",
  },
  thompson_sampling: {
    name: "Thompson sampling",
    about: "Leads shift to the variant that does better. Choose it to lose less along the way.",
  },
};

type Code = ExperimentResult["recommendation_code"];

/** How a verdict is to be taken. */
export function verdictTone(code: Code): Tone {
  switch (code) {
    case "winner_found":
    case "bandit_converged":
    case "chosen_by_hand":
    case "leader_picked":
      return "good";
    case "srm_detected":
    case "guardrail_breach":
      return "bad";
    case "underpowered":
    case "losers_found":
    case "inconclusive":
    case "lean_leader":
      return "warn";
    default:
      return "brand";
  }
}

/** Variants A to D keep series 1 to 4 everywhere; the fifth and all after share one. */
export function colourOf(place: number): 1 | 2 | 3 | 4 | 5 {
  return place < 4 ? ((place + 1) as 1 | 2 | 3 | 4) : 5;
}

/** "A · Question". */
export function labelOf(name: string, place: number): string {
  return `${String.fromCharCode(65 + place)} · ${name}`;
}

/** At most `most` characters of a name, where there is no room for more. */
export function clipped(name: string, most: number): string {
  return name.length <= most ? name : `${name.slice(0, most - 1).trimEnd()}…`;
}

/** What the metric counts of a variant. */
export function eventsOf(
  metric: Metric,
  counts: { replies: number; interested: number; bounced: number },
): number {
  return metric === "reply_rate"
    ? counts.replies
    : metric === "interested_rate"
      ? counts.interested
      : counts.bounced;
}

/** A probability as people read it: never a certainty that nobody has. */
export function chance(share: number): string {
  const shown = share * 100;
  return shown > 99.9 ? "> 99.9%" : shown < 0.1 ? "< 0.1%" : `${shown.toFixed(1)}%`;
}
