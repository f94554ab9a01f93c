/** What is told of a variant that bounces too much, or that drives people away. */

import type { Figures } from "./experiment-figures.ts";
import { BOUNCE_RATE_MAX, type Breach } from "./experiment-guardrail.ts";
import { asPercent, type Params } from "./experiment-words.ts";

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
