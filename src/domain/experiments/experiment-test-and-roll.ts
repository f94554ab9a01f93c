/** What is said of a test-and-roll while it tests, and of the variant that the rest then gets, here and elsewhere. */

import type { Recommendation, Verdict } from "./experiment-verdict.ts";
import { asPercent, dateOf } from "./experiment-words.ts";

/** The leader at the end, where no test shows that it is the best. */
export function picked(verdict: Verdict): Recommendation | null {
  const { figures, reading } = verdict;
  // Results that were frozen before there was such a mode have none.
  const { picked: place = null, winner, winProbabilities } = reading;
  if (place === null || winner !== null) {
    return null;
  }
  const p = winProbabilities[place] ?? 0;
  const leader = figures.arms[place]?.name ?? "";
  const isBest = p === Math.max(...winProbabilities);
  const best = isBest
    ? `it's the best variant with ${asPercent(p)}% probability`
    : "it's the best variant within the guardrails";
  const sentence = `${leader} was picked without a significant difference: ${best}. Every new lead gets it.`;
  return { code: "leader_picked", params: { leader, p }, sentence };
}

/** It is as large as it pays, not as large as a significant result would take: so nobody is told to add leads. */
export function testing({ figures, status, outlook }: Verdict): Recommendation | null {
  if (figures.mode !== "test_and_roll" || status === "completed") {
    return null;
  }
  const { leadsByEnd: leads, lastReadingAt } = outlook;
  const date = dateOf(lastReadingAt);
  const test = status === "evaluating" ? "Tested" : "Testing";
  const sentence =
    `${test} on ${leads} leads. The others wait until about ${date}, ` +
    "then get the better variant, significant or not.";
  return { code: "testing", params: { leads, date }, sentence };
}

/** What becomes of the winner. */
export function thenOf({ figures, isNotApplied }: Verdict): string {
  if (isNotApplied) {
    return "It couldn't be written into the step.";
  }
  return figures.mode === "fixed_split" ? SEND_IT : IS_SENT;
}

const SEND_IT = "Send it to everyone.";
const IS_SENT = "Every new lead gets it.";

/** A verdict was told before somebody wrote its winner into the step. */
export function tellApplied(sentence: string, isApplied: boolean): string {
  return isApplied ? sentence.replace(SEND_IT, IS_SENT) : sentence;
}
