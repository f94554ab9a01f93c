/** Trials in as many processes as the machine has cores: a world is one thread's work. */

import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { Trial, TrialPlan } from "./play.ts";

const PLAYER = join(import.meta.dir, "play.ts");
const PROCESSES_MAX = 8;
/** Worlds of one process: what a world leaves behind does not add up for long. */
const PLANS_OF_ONE_PROCESS = 5;

/** Experiments of one kind, in as many worlds as they need. */
export type Ask = TrialPlan;

/** Experiments of one world: more would share its polls, and make each claim look at more campaigns. */
const EXPERIMENTS_OF_ONE_WORLD = 10;

/** The worlds that hold the experiments that are asked for. Each has a seed of its own. */
export function plansOf({ seed, experiments, ...rest }: Ask): TrialPlan[] {
  const worlds = Math.ceil(experiments / EXPERIMENTS_OF_ONE_WORLD);
  return Array.from({ length: worlds }, (_, nth) => {
    const left = experiments - nth * EXPERIMENTS_OF_ONE_WORLD;
    const here = Math.min(EXPERIMENTS_OF_ONE_WORLD, left);
    return { ...rest, seed: seed + nth, experiments: here };
  });
}

/** The trials of all plans. Throws what a process wrote when it failed. */
export async function playAll(plans: readonly TrialPlan[]): Promise<Trial[]> {
  const batches: TrialPlan[][] = [];
  for (let from = 0; from < plans.length; from += PLANS_OF_ONE_PROCESS) {
    batches.push(plans.slice(from, from + PLANS_OF_ONE_PROCESS));
  }
  const trials: Trial[] = [];
  const work = async () => {
    for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
      trials.push(...(await playApart(batch)));
    }
  };
  const processes = Math.min(PROCESSES_MAX, availableParallelism());
  await Promise.all(Array.from({ length: processes }, work));
  return trials;
}

async function playApart(plans: readonly TrialPlan[]): Promise<Trial[]> {
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
  return output
    .trimEnd()
    .split("\n")
    .flatMap((line) => JSON.parse(line) as Trial[]);
}
