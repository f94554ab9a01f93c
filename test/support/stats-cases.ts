/**
 * The independently computed reference cases of the statistics, and how far ours are from them.
 * `bun test/support/stats-cases.ts` prints the worst error by function.
 */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { evaluate } from "#domain/experiments/stats/functions.ts";

const FILE = join(import.meta.dir, "../../../shared/cases/experiments.json");

/** Where they are not, what reads them is skipped by name. */
export const areCasesHere = existsSync(FILE);

export interface StatsCase {
  id: string;
  fn: string;
  input: unknown;
  expected: unknown;
  atol: number;
  rtol: number;
}

export function statsCases(): StatsCase[] {
  return areCasesHere ? (JSON.parse(readFileSync(FILE, "utf8")).cases as StatsCase[]) : [];
}

export interface Distance {
  /** Paths of values that are outside of their tolerance, or are not there. */
  wrong: string[];
  /** The greatest relative error; absolute where 0 is expected. */
  worst: number;
}

/** Numbers within max(atol, rtol · |expected|), everything else equal. */
export function distance({ expected, atol, rtol }: StatsCase, got: unknown): Distance {
  const found: Distance = { wrong: [], worst: 0 };
  compare(expected, got, "result", found, (value) => Math.max(atol, rtol * Math.abs(value)));
  return found;
}

function compare(
  expected: unknown,
  got: unknown,
  path: string,
  found: Distance,
  tolerance: (value: number) => number,
): void {
  if (typeof expected === "number" && typeof got === "number") {
    const error = Math.abs(got - expected);
    found.worst = Math.max(found.worst, expected === 0 ? error : error / Math.abs(expected));
    if (!(error <= tolerance(expected))) {
      found.wrong.push(`${path}: ${got} instead of ${expected}`);
    }
  } else if (typeof expected === "object" && expected !== null) {
    const values = (typeof got === "object" && got !== null ? got : {}) as Record<string, unknown>;
    for (const [name, value] of Object.entries(expected)) {
      compare(value, values[name], `${path}.${name}`, found, tolerance);
    }
  } else if (expected !== got) {
    found.wrong.push(`${path}: ${JSON.stringify(got)} instead of ${JSON.stringify(expected)}`);
  }
}

/** A line a function: cases, failures, the worst relative error. */
export function reportOf(cases: readonly StatsCase[]): string {
  const rows = new Map<string, { count: number; failed: number; worst: number }>();
  for (const one of cases) {
    const { wrong, worst } = distance(one, evaluate(one.fn, one.input));
    const row = rows.get(one.fn) ?? { count: 0, failed: 0, worst: 0 };
    row.count += 1;
    row.failed += wrong.length === 0 ? 0 : 1;
    row.worst = Math.max(row.worst, worst);
    rows.set(one.fn, row);
  }
  const lines = [...rows].map(([fn, { count, failed, worst }]) =>
    [fn.padEnd(18), `${count}`.padStart(3), `${failed}`.padStart(6), worst.toExponential(1)].join(
      "  ",
    ),
  );
  return [`${"function".padEnd(18)}  cases  failed  worst error`, ...lines].join("\n");
}

if (import.meta.main) {
  if (!areCasesHere) {
    console.error(`the cases are not on this machine (${FILE})`);
    process.exit(1);
  }
  console.info(reportOf(statsCases()));
}
