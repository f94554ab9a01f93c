/** How a bandit shares out its next leads: by what has come back within the epochs so far. */

import { allocation } from "#domain/experiments/stats/bandit.ts";
import { comparedArms, type EpochFigures, type Figures } from "./experiment-figures.ts";

/**
 * Leads that every variant has been sent before the shares leave the weights; one that joins, or joins again, is
 * sent as many first.
 */
export const BURN_IN_LEADS = 50;

/**
 * Shares by variant; who is out of the race gets none. Replies that are still to come are missing in every
 * variant of an epoch alike, so that none needs to be waited for.
 */
export function nextShares({ metric, arms, epochs }: Figures): number[] {
  const places = [...arms.keys()].filter((arm) => arms[arm]?.out === null);
  const inRace = places.flatMap((arm) => arms[arm] ?? []);
  const isTried = places.every((arm) => sentSinceJoining(epochs, arm) >= BURN_IN_LEADS);
  const { allocation: shares } = allocation({
    mode: isTried ? "thompson" : "fixed_split",
    weights: inRace.map(({ weight }) => weight),
    ...comparedArms(metric, epochs, places, { live: true }),
  });
  return arms.map((_, arm) => shares[places.indexOf(arm)] ?? 0);
}

function sentSinceJoining(epochs: readonly EpochFigures[], arm: number): number {
  const away = epochs.findLastIndex(({ allocation }) => (allocation[arm] ?? 0) === 0);
  return epochs.slice(away + 1).reduce((sum, { counts }) => sum + (counts[arm]?.sent ?? 0), 0);
}
