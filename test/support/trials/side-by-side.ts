/**
 * Trials in as many processes as the machine has cores: an environment is one thread's work. What was played may
 * be kept in a directory, so that hours of trials go on where they were stopped.
 */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Kept } from "../kept.ts";
import type { Trial, TrialPlan } from "./play.ts";

const PLAYER = join(import.meta.dir, "play.ts");
const PROCESSES_MAX = 8;
/** Environments of one process: what an environment leaves behind does not add up for long. */
const PLANS_OF_ONE_PROCESS = 5;

/** Experiments of one kind, in as many environments as they need. */
export type Ask = TrialPlan;

/** Experiments of one environment: more would share its polls, and make each claim look at more campaigns. */
const EXPERIMENTS_OF_ONE_ENVIRONMENT = 5;

/** The environments that hold the experiments that are asked for. Each has a seed of its own. */
export function plansOf({ seed, experiments, ...rest }: Ask): TrialPlan[] {
  const environments = Math.ceil(experiments / EXPERIMENTS_OF_ONE_ENVIRONMENT);
  return Array.from({ length: environments }, (_, nth) => {
    const left = experiments - nth * EXPERIMENTS_OF_ONE_ENVIRONMENT;
    const here = Math.min(EXPERIMENTS_OF_ONE_ENVIRONMENT, left);
    return { ...rest, seed: seed + nth, experiments: here };
  });
}

const nameOf = ({ seed }: TrialPlan) => String(seed);

/** The trials of all plans; of those in `kept` as some version of the program played them. Throws what a process wrote when it failed. */
export async function playAll(plans: readonly TrialPlan[], kept?: Kept): Promise<Trial[]> {
  const trials: Trial[] = [];
  const toPlay: TrialPlan[] = [];
  for (const plan of plans) {
    const known = kept?.find<Trial[]>(nameOf(plan), plan);
    if (known === undefined) {
      toPlay.push(plan);
    } else {
      trials.push(...known);
    }
  }
  const work = async () => {
    while (toPlay.length > 0) {
      const batch = toPlay.splice(0, PLANS_OF_ONE_PROCESS);
      const played = await playApart(batch);
      for (const [nth, plan] of batch.entries()) {
        kept?.keep(nameOf(plan), plan, played[nth]);
      }
      trials.push(...played.flat());
    }
  };
  const processes = Math.min(PROCESSES_MAX, availableParallelism());
  await Promise.all(Array.from({ length: processes }, work));
  return trials;
}

/** The trials of each plan, in the order of the plans. */
async function playApart(plans: readonly TrialPlan[]): Promise<Trial[][]> {
  const child = Bun.spawn([process.execPath, PLAYER, JSON.stringify(plans)], {
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (code !== 0) {
    throw new Error(`the player of seed ${plans[0]?.seed} failed: ${errors}`);
  }
  const played = output.trimEnd().split("\n");
  if (played.length !== plans.length) {
    throw new Error(`the player of seed ${plans[0]?.seed} played ${played.length} of its plans`);
  }
  return played.map((line) => JSON.parse(line) as Trial[]);
}
