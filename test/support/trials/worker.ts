/** Plays the plans it is given as JSON, one after the other, and writes the trials of each as a line. */

import { playTrials, type TrialPlan } from "./play.ts";

for (const plan of JSON.parse(process.argv[2] ?? "[]") as TrialPlan[]) {
  process.stdout.write(`${JSON.stringify(await playTrials(plan))}\n`);
}
