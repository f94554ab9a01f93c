/** Sums of experiments as the analysis is handed them, for tests of its rules. */

import type { Figures, Outlook } from "#domain/experiments/experiment-figures.ts";
import { readExperiment } from "#domain/experiments/experiment-reading.ts";
import type { Verdict } from "#domain/experiments/experiment-verdict.ts";
import { type Counts, NO_COUNTS } from "#domain/experiments/exposure.ts";
import { DAY_MS, plus, unixMs } from "#domain/time.ts";

export const MONDAY = unixMs(Date.UTC(2026, 2, 2, 9));

/** An arm of `sent` leads that have all been measured, with these replies (each a success). */
export function arm(sent: number, replies: number, change: Partial<Counts> = {}): Counts {
  return { ...NO_COUNTS, sent, replies, successes: replies, failures: sent - replies, ...change };
}

/** An even split of these arms, A, B, C and so on, in one epoch. */
export function figures(arms: readonly Counts[], change: Partial<Figures> = {}): Figures {
  return {
    metric: "reply_rate",
    mode: "fixed_split",
    windowDays: 7,
    arms: arms.map((counts, place) => ({
      id: `id-${place}`,
      name: String.fromCharCode(65 + place),
      weight: 1,
      counts,
      out: null,
    })),
    present: 0,
    epochs: [{ allocation: arms.map(() => 1 / arms.length), counts: arms }],
    guardrails: [],
    past: () => [],
    strata: () => [{ accountId: "mailbox", provider: "custom", counts: arms }],
    isFinal: false,
    readsFixed: true,
    ...change,
  };
}

/** Ten days in, four to go. */
export function outlook(change: Partial<Outlook> = {}): Outlook {
  const now = plus(MONDAY, 10 * DAY_MS);
  return {
    isAssigning: true,
    elapsedMs: 10 * DAY_MS,
    endsAt: plus(MONDAY, 14 * DAY_MS),
    now,
    firstReadingAt: plus(MONDAY, 7 * DAY_MS),
    lastReadingAt: plus(MONDAY, 21 * DAY_MS),
    leadsByEnd: 4_000,
    leadsPerDay: 250,
    ...change,
  };
}

/** What is read of `given`, ten days in unless told otherwise. */
export function verdict(
  given: Figures,
  change: Partial<Omit<Verdict, "figures" | "reading" | "outlook">> = {},
  ahead: Partial<Outlook> = {},
): Verdict {
  const seen = outlook(ahead);
  const reading = readExperiment(given, seen);
  return { figures: given, reading, outlook: seen, status: "running", ...change };
}
