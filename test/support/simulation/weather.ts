/** How much goes wrong and comes back, for a time. */

import type { Draw } from "./draw.ts";

/** Shares of what goes wrong and comes back, 0 to 1. */
export interface Weather {
  faults: number;
  pollFaults: number;
  /** Of the resolver's answers. */
  dnsFaults: number;
  reactions: number;
  strangers: number;
  /** Sends that take seconds instead of no time. */
  slow: number;
  /** Chance that something happens between the greeting and the body. */
  interruptions: number;
}

export const CALM: Weather = {
  faults: 0,
  pollFaults: 0,
  dnsFaults: 0,
  reactions: 0,
  strangers: 0,
  slow: 0,
  interruptions: 0,
};

export function drawWeather(draw: Draw): Weather {
  const stormy = draw.chance(0.6);
  return {
    faults: stormy ? draw.unit() * 0.4 : 0,
    pollFaults: stormy ? draw.unit() * 0.3 : 0,
    dnsFaults: stormy ? draw.unit() * 0.9 : 0,
    reactions: draw.unit() * 0.5,
    strangers: 0.03,
    slow: draw.chance(0.2) ? 0.1 : 0,
    interruptions: draw.chance(0.5) ? 0.08 : 0,
  };
}
