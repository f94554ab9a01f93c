/** `outrider stats replay`: a report's figures computed again, and what doesn't agree by its place. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "./support.ts";

const dir = mkdtempSync(join(tmpdir(), "outrider-replay-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** 5 of 50: what SciPy has too, `binomtest(5, 50).proportion_ci(method="wilson")`, but for the last digit. */
const REPORT = {
  variants: [{ replies: 5, emails_sent: 50, low: 0.04347576493189042, high: 0.21360231437479654 }],
  lines: [
    {
      fn: "wilson",
      input: { x: 5, n: 50 },
      result: { lower: 0.04347576493189042, upper: 0.21360231437479654 },
      gives: {
        "variants.0.replies": "input.x",
        "variants.0.low": "result.lower",
        "variants.0.high": "result.upper",
      },
    },
  ],
};

async function replayed(report: unknown) {
  const text = typeof report === "string" ? report : JSON.stringify(report);
  writeFileSync(join(dir, "report.json"), text);
  const { exit, out, err } = await run(["stats", "replay", "report.json"], { workingDir: dir });
  const lines = out.trimEnd().split("\n").filter(Boolean);
  return { exit, err, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe("stats replay", () => {
  test("0: every line agrees", async () => {
    const { exit, err, lines } = await replayed(REPORT);
    expect({ exit, err }).toEqual({ exit: 0, err: "1 of 1 lines agree\n" });
    expect(lines).toEqual([
      {
        line: 1,
        fn: "wilson",
        figures: ["variants.0.replies", "variants.0.low", "variants.0.high"],
        agrees: true,
      },
    ]);
  });

  test("1: a figure that was changed is named, with what it is", async () => {
    const [variant] = REPORT.variants;
    const changed = { ...REPORT, variants: [{ ...variant, high: 0.3 }] };
    const { exit, err, lines } = await replayed(changed);
    expect({ exit, err }).toEqual({ exit: 1, err: "0 of 1 lines agree\n" });
    expect(lines[0]?.["differs"]).toEqual(["variants.0.high: shown 0.3, is 0.21360231437479654"]);
  });

  test("1: a line that can't be computed says why, and the others are computed", async () => {
    const lines = [{}, null, { fn: "wilson", input: { x: 2, n: 1 } }, ...REPORT.lines];
    const { exit, lines: said } = await replayed({ ...REPORT, lines });
    expect(exit).toBe(1);
    expect(said.map(({ differs }) => differs)).toEqual([
      ['fn is not a known function; see "outrider help stats eval"'],
      ['fn is not a known function; see "outrider help stats eval"'],
      ["x must be a whole number from 0 to 1"],
      undefined,
    ]);
  });

  test("1: what isn't a report, isn't JSON, or isn't there is named", async () => {
    for (const [report, why] of [
      ["{}", "this is no report of an experiment: it has no lines"],
      ["[1]", "this is no report of an experiment: it has no lines"],
      ['{"lines": []}', "the report has no lines to compute again"],
      ["no", "the file is not valid JSON"],
    ]) {
      const { exit, err } = await replayed(report);
      expect([exit, err]).toEqual([1, `outrider: report.json: ${why}\n`]);
    }
    const missing = await run(["stats", "replay", "missing"], { workingDir: dir });
    expect([missing.exit, missing.err]).toEqual([
      1,
      "outrider: missing: can't read the file (ENOENT)\n",
    ]);
  });
});
