/**
 * Opt-outs in 41 languages and texts that are nearly one, and replies above the footers of other systems.
 * The figures of `docs/reports/opt-outs.md` are counted again.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { type CountedFooter, countFooters } from "../../support/footers.ts";
import { type Counted, countOptOuts, HALVES, totalOf } from "../../support/opt-outs.ts";
import { countedReport, REPORT } from "../../support/opt-outs-report.ts";

let counted: Counted[] = [];
let footers: CountedFooter[] = [];

beforeAll(async () => {
  [counted, footers] = [await countOptOuts(), await countFooters()];
});

describe.each([...HALVES])("the %s half", (half) => {
  test("has at least 95 % of its opt-outs recognized", () => {
    const { right, of } = totalOf(counted, half, "opt_out");
    expect(right / of).toBeGreaterThanOrEqual(0.95);
  });

  test("has at most 2 % of its near misses taken for an opt-out", () => {
    const { right, of } = totalOf(counted, half, "near_miss");
    expect(right / of).toBeGreaterThanOrEqual(0.98);
  });

  test("reads a reply above a footer as if the footer were not there", () => {
    const missed = footers.filter((one) => one.half === half && !one.right);
    expect(missed).toEqual([]);
  });
});

test("the report says what is counted", async () => {
  expect(readFileSync(REPORT, "utf8")).toStartWith(await countedReport());
});
