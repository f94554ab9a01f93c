/**
 * Simulations of some seeds in a process of their own, so that all cores are at it:
 * `bun run-seeds.ts FROM TO` prints one JSON line a seed.
 */

import { availableParallelism } from "node:os";
import { type Figures, type SimulationResult, simulate } from "../simulate.ts";
import { type Batch, seedsOf } from "./seeds.ts";

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

/** What all of them lived through. */
export function sumOf(results: readonly SimulationResult[], onto: Figures): void {
  for (const { figures } of results) {
    for (const name of Object.keys(onto) as (keyof Figures)[]) {
      onto[name] += figures[name];
    }
  }
}

if (import.meta.main) {
  const [from = 1, to = 1] = process.argv.slice(2).map(Number);
  for (const seed of seedsOf({ from, to })) {
    process.stdout.write(`${JSON.stringify(await simulate({ seed }))}\n`);
  }
}
