/**
 * How many files each of the busiest paths runs, and how many lines: what somebody has to read who wants
 * to follow it. Counted from the coverage of two processes, one that walks the path and one that stops
 * just before. Budgets, not aims: they go down when a path gets shorter.
 */

import { describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const TOP = resolve(import.meta.dir, "..");

/**
 * A reply and an email name their variant now, by a file whose lines run by the clock in some processes. Reading an
 * experiment asks whether it is a test-and-roll, which has words of its own, whether its report is shared, how the
 * split is, and what is still to come. A reply asks the rules of its campaign whether they move its lead on: what
 * interest means for them is one file, the move another. A received email is asked whether it reports on a domain, and
 * the daily look at the sender's domain comes while an email is sent. An address is checked where its lead is added
 * and again where it's claimed: by its words, and by what the name servers said of its domain. Each email is counted
 * for its recipient's provider.
 */
const PATHS: [path: string, filesMax: number][] = [
  ["add leads", 25],
  ["claim and send", 74],
  ["a reply that stops a lead", 70],
  ["make an experiment and read it", 43],
];

describe("files run by", () => {
  test.each(PATHS)("%s: %d at most", async (path, filesMax) => {
    // Twice, since some lines run by the clock, in one process and not in another.
    const runs = await Promise.all([filesRun(path), filesRun(path)]);
    const files = runs.reduce((some, others) => some.intersection(others));
    expect(files.size).toBeGreaterThan(5);
    expect(files.size, [...files].join("\n")).toBeLessThanOrEqual(filesMax);
  });
});

/** Those of `src` with lines that run on the path and not just before it. */
async function filesRun(path: string): Promise<Set<string>> {
  const [before, after] = await Promise.all([linesRun(path, false), linesRun(path, true)]);
  const files = [...after].filter(
    ([file, lines]) => !lines.isSubsetOf(before.get(file) ?? new Set()),
  );
  return new Set(files.map(([file]) => file));
}

/** The lines of `src` that ran, by file. */
async function linesRun(path: string, acts: boolean): Promise<Map<string, Set<number>>> {
  const folder = mkdtempSync(join(tmpdir(), "outrider-reach-"));
  const options = ["--coverage", "--coverage-reporter=lcov", `--coverage-dir=${folder}`];
  const child = Bun.spawn(
    [process.execPath, "test", "--timeout=300000", ...options, "./test/support/reach.ts"],
    {
      cwd: TOP,
      env: { ...process.env, OUTRIDER_REACH: path, OUTRIDER_REACH_ACTS: String(acts) },
      stdout: "ignore",
      stderr: "pipe",
    },
  );
  const said = await new Response(child.stderr).text();
  expect(await child.exited, said).toBe(0);
  const report = readFileSync(join(folder, "lcov.info"), "utf8");
  rmSync(folder, { recursive: true });
  return readLcov(report);
}

/** `SF:` opens a file, `DA:line,hits` is a line of it. */
function readLcov(report: string): Map<string, Set<number>> {
  const run = new Map<string, Set<number>>();
  let lines = new Set<number>();
  for (const entry of report.split("\n")) {
    const [kind = "", rest = ""] = entry.split(/:(.*)/);
    if (kind === "SF" && rest.startsWith("src/")) {
      lines = new Set();
      run.set(rest, lines);
    } else if (kind === "SF") {
      lines = new Set();
    } else if (kind === "DA" && Number(rest.split(",")[1]) > 0) {
      lines.add(Number(rest.split(",")[0]));
    }
  }
  return run;
}
