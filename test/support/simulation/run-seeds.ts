/**
 * Simulations of some seeds in a process of their own, so that all cores are at it:
 * `bun run-seeds.ts FROM TO` prints one JSON line a seed.
 */

import { availableParallelism } from "node:os";
import { type Figures, type SimulationResult, simulate } from "../simulate.ts";
import { type Batch, seedsOf } from "./seeds.ts";
import { createTally, type FaultName } from "./tally.ts";

/** The seeds of a batch, side by side in as many processes as there are cores. */
export async function simulateAll(batch: Batch): Promise<SimulationResult[]> {
  const seeds = seedsOf(batch);
  const share = Math.ceil(seeds.length / availableParallelism());
  const parts: Batch[] = [];
  for (let from = batch.from; from <= batch.to; from += share) {
    parts.push({ from, to: Math.min(from + share - 1, batch.to) });
  }
  return (await Promise.all(parts.map(runPart))).flat();
}

async function runPart({ from, to }: Batch): Promise<SimulationResult[]> {
  const command = [process.execPath, import.meta.path, String(from), String(to)];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  const results = text.trim().split("\n").filter(Boolean).map(resultOf);
  const exit = await child.exited;
  if (exit !== 0 || results.length !== to - from + 1) {
    throw new Error(`seeds ${from} to ${to}: ended with ${exit} after ${results.length} of them`);
  }
  return results;
}

const resultOf = (line: string) => JSON.parse(line) as SimulationResult;

/** Every fifth team has webhooks; they take as long as all the rest. */
const WEBHOOKS_EVERY = 5;

export function simulateOne(seed: number): Promise<SimulationResult> {
  return simulate({ seed, style: { webhooks: seed % WEBHOOKS_EVERY === 0 } });
}

const NUMBERS = ["sent", "kills", "restarts", "deeds", "rounds", "days"] as const;

export function noFigures(): Figures {
  const none = { sent: 0, kills: 0, restarts: 0, deeds: 0, rounds: 0, days: 0 };
  return { ...none, faults: createTally() };
}

/** What all of them lived through. */
export function sumOf(results: readonly SimulationResult[], onto: Figures): void {
  for (const { figures } of results) {
    for (const name of NUMBERS) {
      onto[name] += figures[name];
    }
    for (const name of Object.keys(onto.faults) as FaultName[]) {
      onto.faults[name] += figures.faults[name];
    }
  }
}

if (import.meta.main) {
  const [from = 1, to = 1] = process.argv.slice(2).map(Number);
  for (const seed of seedsOf({ from, to })) {
    process.stdout.write(`${JSON.stringify(await simulateOne(seed))}\n`);
  }
}
