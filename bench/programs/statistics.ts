/** What the statistics of a large experiment cost: ten variants at a million counts, beside betainc calls. */

import betainc from "@stdlib/math-base-special-betainc";
import { presentResults } from "#api/experiments/present.ts";
import { posterior } from "#domain/experiments/stats/bayes.ts";
import { resultsOf } from "#usecases/experiments/experiment-results.ts";
import { LEADS, openLargeExperiment, VARIANTS } from "./experiment.ts";

export interface StatisticsInput {
  /** For the store of the experiment that is read. */
  directory: string;
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
  results: [Timing[], Timing[]];
}

const CALLS = 1000;
const WARM_UP_TIMES = 20;

const input = JSON.parse(process.argv[2] ?? "{}") as StatisticsInput;
const successes = Array.from({ length: VARIANTS }, (_, arm) => 30_000 + 60 * arm);
const arms = { successes, failures: successes.map((count) => LEADS - count) };
const reading = posterior(arms);

const win = () => posterior(arms).pBest.length;
const remaining = () => reading.valueRemaining();
using large = await openLargeExperiment(input.directory);
const results = () => {
  return JSON.stringify(presentResults(resultsOf(large.stage.env, large.row()))).length;
};
const calls = () => {
  let sum = 0;
  for (let call = 0; call < CALLS; call += 1) {
    sum += betainc(0.03 + call * 1e-6, 30_001, 970_001);
  }
  return sum;
};

for (const run of [win, remaining, results, calls]) {
  timed(WARM_UP_TIMES, run);
}
const result: StatisticsResult = {
  winProbabilities: [[], []],
  valueRemaining: [[], []],
  results: [[], []],
};
for (let round = 0; round < input.rounds; round += 1) {
  for (const [pair, run] of [
    [result.winProbabilities, win],
    [result.valueRemaining, remaining],
    [result.results, results],
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
