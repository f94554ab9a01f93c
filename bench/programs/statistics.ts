/** What the statistics of a large experiment cost: ten variants at a million counts, beside betainc calls. */

import betainc from "@stdlib/math-base-special-betainc";
import { posterior } from "#domain/stats/bayes.ts";

export interface StatisticsInput {
  rounds: number;
  /** Evaluations in one sample. */
  times: number;
}

/** One sample: ms of one operation by the clock, µs of processor time. */
export interface Timing {
  value: number;
  cpuUs: number;
}

/** Round by round, ours and the limit's. */
export interface StatisticsResult {
  winProbabilities: [Timing[], Timing[]];
  valueRemaining: [Timing[], Timing[]];
}

const CALLS = 1000;
const VARIANTS = 10;
const LEADS = 1_000_000;
const WARM_UP_TIMES = 20;

const input = JSON.parse(process.argv[2] ?? "{}") as StatisticsInput;
const successes = Array.from({ length: VARIANTS }, (_, arm) => 30_000 + 60 * arm);
const arms = { successes, failures: successes.map((count) => LEADS - count) };
const reading = posterior(arms);

const win = () => posterior(arms).pBest.length;
const remaining = () => reading.valueRemaining();
const calls = () => {
  let sum = 0;
  for (let call = 0; call < CALLS; call += 1) {
    sum += betainc(0.03 + call * 1e-6, 30_001, 970_001);
  }
  return sum;
};

for (const run of [win, remaining, calls]) {
  timed(WARM_UP_TIMES, run);
}
const result: StatisticsResult = { winProbabilities: [[], []], valueRemaining: [[], []] };
for (let round = 0; round < input.rounds; round += 1) {
  for (const [pair, run] of [
    [result.winProbabilities, win],
    [result.valueRemaining, remaining],
  ] as const) {
    pair[0].push(timed(input.times, run));
    pair[1].push(timed(input.times, calls));
  }
}
console.log(JSON.stringify(result));

function timed(times: number, run: () => number): Timing {
  const from = performance.now();
  const cpuFrom = process.cpuUsage();
  for (let index = 0; index < times; index += 1) {
    run();
  }
  const { user, system } = process.cpuUsage(cpuFrom);
  return { value: (performance.now() - from) / times, cpuUs: (user + system) / times };
}
