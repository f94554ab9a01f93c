/**
 * Seeds in processes of their own, so that all cores are at it: `bun run-seeds.ts FROM TO` prints what
 * became of each team as a line of JSON, `bun run-seeds.ts FROM TO forecasts` what was foretold.
 */

import { availableParallelism } from "node:os";
import { simulate } from "../simulate.ts";
import { type Foresight, foresee } from "./foresee.ts";
import type { Figures, SimulationResult } from "./options.ts";
import { type Batch, seedsOf } from "./seeds.ts";
import type { StorageFigures } from "./storage.ts";
import { createTally, type FaultName } from "./tally.ts";

/** What is done with a seed; each answers what can be written as JSON. */
const KINDS = { weeks: simulateOne, forecasts: foreseeOne, storage: simulateStorage } as const;
type Kind = keyof typeof KINDS;

/** The teams of a batch, side by side in as many processes as there are cores. */
export function simulateAll(batch: Batch): Promise<SimulationResult[]> {
  return runAll("weeks", batch);
}

/** As many installations whose storage lies. */
export function simulateStorageOfAll(batch: Batch): Promise<SimulationResult[]> {
  return runAll("storage", batch);
}

/** The forecasts of a batch, in as many processes. */
export function foreseeAll(batch: Batch): Promise<Foreseen[]> {
  return runAll("forecasts", batch);
}

async function runAll<Result>(kind: Kind, batch: Batch): Promise<Result[]> {
  const share = Math.ceil(seedsOf(batch).length / availableParallelism());
  const parts: Batch[] = [];
  for (let from = batch.from; from <= batch.to; from += share) {
    parts.push({ from, to: Math.min(from + share - 1, batch.to) });
  }
  return (await Promise.all(parts.map((part) => runPart<Result>(kind, part)))).flat();
}

async function runPart<Result>(kind: Kind, { from, to }: Batch): Promise<Result[]> {
  const command = [process.execPath, import.meta.path, String(from), String(to), kind];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const text = await new Response(child.stdout).text();
  const lines = text.trim().split("\n").filter(Boolean);
  const exit = await child.exited;
  if (exit !== 0 || lines.length !== to - from + 1) {
    throw new Error(`seeds ${from} to ${to}: ended with ${exit} after ${lines.length} of them`);
  }
  return lines.map((line) => JSON.parse(line) as Result);
}

/** Every fifth team has webhooks; they take as long as all the rest. */
const WEBHOOKS_EVERY = 5;

export function simulateOne(seed: number): Promise<SimulationResult> {
  return simulate({ seed, style: { webhooks: seed % WEBHOOKS_EVERY === 0 } });
}

/** A whole installation, whose storage lies. */
function simulateStorage(seed: number): Promise<SimulationResult> {
  return simulate({ seed, storage: true });
}

/** How many emails were foretold, and whether just these were sent. */
export interface Foreseen {
  seed: number;
  foretold: number;
  isTrue: boolean;
}

const NIGHTS_EVERY = 3;

/** Every third team has campaigns that run over nights of clock changes. Whoever calls ends the process. */
export function foreseeSeed(seed: number): Promise<Foresight> {
  return foresee(seed, { nights: seed % NIGHTS_EVERY === 0 });
}

async function foreseeOne(seed: number): Promise<Foreseen> {
  const seen = await foreseeSeed(seed);
  await seen.process.end();
  const [said, done] = [seen.foretold, seen.happened].map((sendings) =>
    sendings.map((sending) => Object.values(sending).join(" ")).sort(),
  );
  const isTrue = JSON.stringify(said) === JSON.stringify(done);
  return { seed, foretold: seen.foretold.length, isTrue };
}

const NUMBERS = ["sent", "kills", "restarts", "deeds", "edits", "rounds", "days"] as const;

export function noFigures(): Figures {
  const none = { sent: 0, kills: 0, restarts: 0, deeds: 0, edits: 0, rounds: 0, days: 0 };
  return { ...none, faults: createTally() };
}

/** What storage that lies has come to, over all of them. */
export function storageOf(results: readonly SimulationResult[], onto: StorageFigures): void {
  for (const name of Object.keys(onto) as (keyof StorageFigures)[]) {
    for (const { storage } of results) {
      onto[name] += storage?.[name] ?? 0;
    }
  }
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
  const [from = "1", to = "1", kind = "weeks"] = process.argv.slice(2);
  const work = KINDS[kind as Kind];
  for (const seed of seedsOf({ from: Number(from), to: Number(to) })) {
    process.stdout.write(`${JSON.stringify(await work(seed))}\n`);
  }
}
