/**
 * The method is what its notebook says: each cell of `docs/experiments.ipynb` runs, and 620 random cases worked
 * out there, with SciPy and nothing of ours, agree with `outrider stats eval`.
 */

import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXECUTABLE } from "../support/executable.ts";

const ROOT = join(import.meta.dir, "..", "..");
const PYTHON = join(ROOT, ".toolchain", "venv", "bin", "python");
const NOTEBOOK = join(ROOT, "docs", "experiments.ipynb");
const TEST_MS_MAX = 600_000;

interface Cell {
  cell_type: "code" | "markdown";
  source: string[];
}

const { cells } = JSON.parse(readFileSync(NOTEBOOK, "utf8")) as { cells: Cell[] };

test("is kept without results, which belong to whoever runs it", () => {
  expect(cells.length).toBeGreaterThan(5);
  const ran = cells.filter((cell) => "outputs" in cell && (cell.outputs as unknown[]).length > 0);
  expect(ran).toEqual([]);
});

test.skipIf(process.env["OUTRIDER_TEST_TIER"] !== "full")(
  "its cases agree with the program",
  async () => {
    const code = cells.filter(({ cell_type }) => cell_type === "code");
    const program = code.map(({ source }) => source.join("")).join("\n\n");
    const child = Bun.spawn([PYTHON, "-W", "error", "-"], {
      stdin: new Blob([program]),
      stdout: "pipe",
      stderr: "pipe",
      env: { ...process.env, OUTRIDER: EXECUTABLE },
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect(`${out}${err}`).toBe("620 cases, 0 numbers differ\n");
  },
  TEST_MS_MAX,
);
