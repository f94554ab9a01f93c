/**
 * The e-value of a drop in placement is what its method says: a program in another language, with another
 * library's distributions, works out those of random runs bet by bet, and what stopping at the best moment is worth.
 */

import { expect, test } from "bun:test";
import { join } from "node:path";
import { dropOf } from "#domain/placement/drop.ts";
import { hash01, hashInt } from "#domain/random.ts";

const PYTHON = join(import.meta.dir, ...["..", "..", ".toolchain", "venv", "bin", "python"]);
const TEST_MS_MAX = 600_000;
const SERIES = 150;
const RUNS_MAX = 60;
/** Emails a run, and runs, of which every sequence is tried. */
const SIZE = 2;
const LENGTH = 6;

const eOf = (runs: readonly (readonly [inbox: number, total: number])[]) =>
  dropOf(runs.map(([inbox, total]) => ({ inbox, total }))).e;

function randomRuns(seed: number): (readonly [number, number])[] {
  const change = hashInt(RUNS_MAX, seed, "change");
  return Array.from({ length: hashInt(RUNS_MAX, seed, "runs") }, (_, nth) => {
    const total = 1 + hashInt(8, seed, nth, "total");
    const rate = hash01(seed, nth < change ? "before" : "after");
    const emails = Array.from({ length: total }, (_each, at) => hash01(seed, nth, at) < rate);
    return [emails.filter((isInbox) => isInbox).length, total] as const;
  });
}

function* sequences(runs: readonly number[] = []): Generator<readonly number[]> {
  yield runs;
  for (let inbox = 0; runs.length < LENGTH && inbox <= SIZE; inbox += 1) {
    yield* sequences([...runs, inbox]);
  }
}

test.skipIf(process.env["OUTRIDER_TEST_TIER"] !== "full")(
  "e-values of random runs are the same, and no law of runs makes stopping worth while",
  async () => {
    const series = Array.from({ length: SERIES }, (_, seed) => {
      const runs = randomRuns(seed);
      return { runs, e: eOf(runs) };
    });
    const tree = Object.fromEntries(
      [...sequences()].map((one) => [
        JSON.stringify(one),
        eOf(one.map((inbox) => [inbox, SIZE] as const)),
      ]),
    );
    const cases = JSON.stringify({ series, tree, size: SIZE, length: LENGTH });
    const child = Bun.spawn([PYTHON, "-W", "error", join(import.meta.dir, "drop.py")], {
      stdin: new Blob([cases]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(`${out}${err}`).toBe(`${SERIES} e-values, 24 laws, 0 differ\n`);
  },
  TEST_MS_MAX,
);
