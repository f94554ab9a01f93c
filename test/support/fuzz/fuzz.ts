/**
 * Programs that read what strangers write, tried with changed inputs. An input after which something new became of
 * it joins those that are changed further, so that a run gets deeper than its first inputs; one that breaks a promise is
 * made as small as it stays broken. What was found once lies in `test/fixtures/fuzz/<target>` and is tried by every run.
 */

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mutate } from "./mutate.ts";

export interface Target {
  name: string;
  inputs(): readonly Uint8Array[];
  tokens: readonly string[];
  /** Throws where a promise is broken; returns what became of the input, in a few words. */
  run(input: Uint8Array): Promise<string> | string;
  /** Milliseconds of processor time that one input may take, where it is all ours. */
  cpuMsMax?: number;
  stop?(): Promise<void>;
}

export interface Extent {
  seed: number;
  /** Inputs that are tried. */
  inputs?: number;
  /** Until when. */
  ms?: number;
  /** Smallest inputs of each outcome are stored beside those that are known. */
  keeps?: boolean;
}

export interface Report {
  tried: number;
  /** What became of inputs, each with how many. */
  outcomes: ReadonlyMap<string, number>;
  /** What broke a promise: the input in base64, and how. */
  broken: { input: string; error: string }[];
  slowest: { cpuMs: number; input: string };
}

const FOLDER = join(import.meta.dir, "..", "..", "fixtures", "fuzz");
/** Inputs of new outcomes that are changed further. */
const FOUND_MAX = 2_000;
const BROKEN_MAX = 5;
/** An input over the bound is tried again: the collector's and the compiler's time count with it. */
const TRIES = 5;
const SHRINKS_MAX = 400;
/** Kept inputs of a target, and of what size. */
const KEPT_MAX = 60;
const KEPT_BYTES_MAX = 2_048;

export function known(target: Target): Uint8Array[] {
  const folder = join(FOLDER, target.name);
  return filesOf(folder).map((file) => new Uint8Array(readFileSync(join(folder, file))));
}

export async function fuzz(target: Target, extent: Extent): Promise<Report> {
  const kept = known(target);
  const inputs = [...target.inputs(), ...kept];
  const outcomes = new Map<string, number>();
  const report: Report = { tried: 0, outcomes, broken: [], slowest: { cpuMs: 0, input: "" } };
  const started = performance.now();
  const attempt = async (input: Uint8Array) => {
    report.tried += 1;
    const { outcome, error, cpuMs } = await look(target, input);
    if (cpuMs > report.slowest.cpuMs) {
      report.slowest = { cpuMs, input: Buffer.from(input).toString("base64") };
    }
    if (error !== undefined) {
      const small = await shrink(
        input,
        async (one) => (await look(target, one)).error !== undefined,
      );
      report.broken.push({ input: Buffer.from(small).toString("base64"), error });
      return;
    }
    const before = outcomes.get(outcome) ?? 0;
    outcomes.set(outcome, before + 1);
    if (before === 0 && inputs.length < FOUND_MAX) {
      inputs.push(input);
    }
  };
  for (const input of [...inputs]) {
    await attempt(input);
  }
  const isOver = () =>
    report.broken.length >= BROKEN_MAX ||
    report.tried >= (extent.inputs ?? Number.POSITIVE_INFINITY) ||
    performance.now() - started >= (extent.ms ?? Number.POSITIVE_INFINITY);
  for (let at = 0; !isOver(); at += 1) {
    await attempt(mutate({ inputs, tokens: target.tokens }, extent.seed * 1_000_003 + at));
  }
  if (extent.keeps) {
    await keep(target, inputs);
  }
  return report;
}

/** Tries one input; within its bound of processor time, if it is given a few chances. */
async function look(target: Target, input: Uint8Array) {
  let least = Number.POSITIVE_INFINITY;
  let outcome = "";
  const most = target.cpuMsMax ?? Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && (tries === 0 || least > most); tries += 1) {
    const start = process.cpuUsage();
    try {
      outcome = await target.run(input.slice());
    } catch (thrown) {
      const error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
      return { outcome, error, cpuMs: 0 };
    }
    const { user, system } = process.cpuUsage(start);
    least = Math.min(least, (user + system) / 1000);
  }
  const error = least > most ? `took ${least.toFixed(0)} ms of ${most}` : undefined;
  return { outcome, error, cpuMs: least };
}

/** A part of `input` for which `isSo` still holds and no smaller one that was tried. */
export async function shrink(
  input: Uint8Array,
  isSo: (part: Uint8Array) => Promise<boolean>,
): Promise<Uint8Array> {
  let small = input;
  let tries = 0;
  for (let size = Math.ceil(small.length / 2); size >= 1; ) {
    let hasShrunk = false;
    for (let from = 0; from < small.length && tries < SHRINKS_MAX; ) {
      tries += 1;
      const less = new Uint8Array(
        Buffer.concat([small.subarray(0, from), small.subarray(from + size)]),
      );
      if (await isSo(less)) {
        small = less;
        hasShrunk = true;
      } else {
        from += size;
      }
    }
    if (!hasShrunk) {
      if (size === 1) {
        break;
      }
      size = Math.ceil(size / 2);
    }
    if (tries >= SHRINKS_MAX) {
      break;
    }
  }
  return small;
}

/** The smallest input of each outcome, as far as there is room. */
async function keep(target: Target, inputs: readonly Uint8Array[]): Promise<void> {
  const folder = join(FOLDER, target.name);
  mkdirSync(folder, { recursive: true });
  const room = KEPT_MAX - filesOf(folder).length;
  const outcomes = new Set<string>();
  for (const input of known(target)) {
    outcomes.add((await look(target, input)).outcome);
  }
  let stored = 0;
  for (const input of inputs) {
    const { outcome } = await look(target, input);
    if (stored >= room || outcomes.has(outcome)) {
      continue;
    }
    outcomes.add(outcome);
    const small = await shrink(input, async (one) => (await look(target, one)).outcome === outcome);
    if (small.length <= KEPT_BYTES_MAX) {
      stored += 1;
      const name = new Bun.CryptoHasher("sha256").update(small).digest("hex").slice(0, 16);
      writeFileSync(join(folder, name), small);
    }
  }
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
