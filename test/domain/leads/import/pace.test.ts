/** Guarantees of `domain/leads/import/pace.ts`: an import takes rows at once for as long as others can wait. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LEADS_PACE, nextSliceRows, SLICE_MS, SLICE_MS_MAX } from "#domain/leads/import/pace.ts";

const ROWS_MAX = 1000;
const { rowsStart, rowsMin } = LEADS_PACE;

/** Rows after `slices` slices on a machine that takes so long for a row and for a commit. */
function settled(rowMs: number, diskMs: number, slices = 20): number {
  let rows = rowsStart;
  for (let slice = 0; slice < slices; slice += 1) {
    rows = nextSliceRows({ rows, tookMs: rows * rowMs, diskMs }, rowsMin, ROWS_MAX);
  }
  return rows;
}

describe("the pace of an import", () => {
  test("is as many rows as take the time that others may wait", () => {
    expect(settled(0.02, 1)).toBe(SLICE_MS / 0.02);
    expect(settled(0.01, 1)).toBe(SLICE_MS / 0.01);
  });

  test("is as many as take as long as a slow disk does, up to a bound", () => {
    expect(settled(0.02, 10)).toBe(500);
    expect(settled(0.05, 1000)).toBe(SLICE_MS_MAX / 0.05);
  });

  test("has bounds on every machine, and comes back from a slice that was held up", () => {
    expect(settled(10, 1)).toBe(rowsMin);
    expect(settled(0, 0)).toBe(ROWS_MAX);
    const after = nextSliceRows({ rows: 300, tookMs: 500, diskMs: 1 }, rowsMin, ROWS_MAX);
    expect(after).toBe(rowsMin);
    const next = nextSliceRows(
      { rows: after, tookMs: after * 0.005, diskMs: 1 },
      rowsMin,
      ROWS_MAX,
    );
    expect(next).toBe(2 * rowsMin);
  });

  test("never leaves its bounds, nor more than doubles", () => {
    const ms = fc.double({ min: 0, max: 1e6, noNaN: true });
    const rows = fc.integer({ min: 0, max: ROWS_MAX });
    fc.assert(
      fc.property(rows, ms, ms, (before, tookMs, diskMs) => {
        const next = nextSliceRows({ rows: before, tookMs, diskMs }, rowsMin, ROWS_MAX);
        expect(Number.isInteger(next)).toBe(true);
        expect(next).toBeGreaterThanOrEqual(rowsMin);
        expect(next).toBeLessThanOrEqual(Math.max(2 * before, rowsMin));
        expect(next).toBeLessThanOrEqual(ROWS_MAX);
      }),
    );
  });
});
