/** Experiments that are played by their counts, with and without a best variant. */

import type { Kind } from "./counted.ts";

const AB = { rates: [0.04, 0.04], leadsPerArm: 1_050, days: 21 };
const LIST = { leadsPerArm: 700, days: 14 };
const TIED = { ...LIST, rates: [0.1, 0.1, 0.05, 0.05, 0.05] };
const oneOf = (many: number) => [0.1, ...Array.from({ length: many - 1 }, () => 0.05)];

/** None of these has a best variant: whoever wins is a false winner. */
export const WITHOUT_BEST: Readonly<Record<string, Kind>> = {
  "4 %, 1,050 leads each": AB,
  "2 %, 400 leads each": { rates: [0.02, 0.02], leadsPerArm: 400, days: 14 },
  "from 4 % rising to 16 %": { ...AB, drift: "rises" },
  "from 16 % falling to 4 %": { ...AB, drift: "falls" },
  "4 %, from the middle on 16 %": { ...AB, drift: "steps" },
  "16 % on five days, 4 % on two": { ...AB, drift: "weekday" },
  "4 %, and half as many leads again as expected": { ...AB, expected: 2 / 3 },
  "4 %, and two thirds of the leads expected": { ...AB, expected: 1.5 },
  "four at 5 %": { ...LIST, rates: [0.05, 0.05, 0.05, 0.05] },
  "two at 10 %, three at 5 %": TIED,
  "the same, and four times as much from the middle on": { ...TIED, drift: "steps" },
};

/** The first variant or the second is the best. `found`: at least so often; `days` at most, on the mean. */
export const WITH_BEST: Readonly<Record<string, Kind & { found: number; daysMax: number }>> = {
  "5 and 10 %, 454 leads": {
    ...{ rates: [0.05, 0.1], leadsPerArm: 454, days: 14 },
    ...{ found: 0.75, daysMax: 17 },
  },
  "6 and 10 %, 700 leads": { ...LIST, rates: [0.06, 0.1], found: 0.7, daysMax: 17 },
  "5 and 7.5 %, 1,600 leads": {
    ...{ rates: [0.05, 0.075], leadsPerArm: 1_600, days: 21 },
    ...{ found: 0.75, daysMax: 22 },
  },
  "5 and 6 %, 8,500 leads": {
    ...{ rates: [0.05, 0.06], leadsPerArm: 8_500, days: 21 },
    ...{ found: 0.75, daysMax: 22 },
  },
  "one at 10 %, four at 5 %, 700 leads": { ...LIST, rates: oneOf(5), found: 0.78, daysMax: 18 },
  "one at 10 %, nine at 5 %, 700 leads": { ...LIST, rates: oneOf(10), found: 0.65, daysMax: 19 },
  "one at 10 %, nine at 5 %, 1,000 leads": {
    ...{ rates: oneOf(10), leadsPerArm: 1_000, days: 14 },
    ...{ found: 0.86, daysMax: 17 },
  },
};

const equal = (many: number) => Array.from({ length: many }, () => 0.05);
const better = (many: number, rate: number) => [...equal(many - 1), rate];

/** The first is the present text; none of the others differs from it. */
export const NONE_DIFFERS: Readonly<Record<string, Kind>> = {
  "three at 5 %": { ...LIST, rates: equal(3) },
  "five at 5 %": { ...LIST, rates: equal(5) },
  "ten at 5 %": { ...LIST, rates: equal(10) },
  "five, from 5 % rising to 20 %": { ...LIST, rates: equal(5), drift: "rises" },
  "ten at 5 %, from the middle on 20 %": { ...LIST, rates: equal(10), drift: "steps" },
};

/** The last is better than the present text and all of the others, which equal it. */
export const ONE_DIFFERS: Readonly<Record<string, Kind>> = {
  "three, one at 9 %": { ...LIST, rates: better(3, 0.09) },
  "five, one at 9 %": { ...LIST, rates: better(5, 0.09) },
  "ten, one at 9 %": { ...LIST, rates: better(10, 0.09) },
};
