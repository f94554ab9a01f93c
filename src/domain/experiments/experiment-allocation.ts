/** How a bandit shares out its next leads: by what has come back within the epochs so far. */

import { allocation } from "#domain/experiments/stats/bandit.ts";
import { comparedArms, type Figures } from "./experiment-figures.ts";

/** Leads that every variant has been sent before the shares leave the weights. */
export const BURN_IN_LEADS = 50;

/**
 * Shares by variant; who is out of the race gets none. Replies that are still to come are missing in every
 * variant of an epoch alike, so that none needs to be waited for.
 */
export function nextShares({ metric, arms, epochs }: Figures): number[] {
  const places = [...arms.keys()].filter((arm) => arms[arm]?.out === null);
  const inRace = places.flatMap((arm) => arms[arm] ?? []);
  const isTried = inRace.every(({ counts }) => counts.sent >= BURN_IN_LEADS);
  const { allocation: shares } = allocation({
    mode: isTried ? "thompson" : "fixed_split",
    weights: inRace.map(({ weight }) => weight),
    ...comparedArms(metric, epochs, places, { live: true }),
  });
  return arms.map((_, arm) => shares[places.indexOf(arm)] ?? 0);
}
