/**
 * Everything at once for a minute (`OUTRIDER_LOAD_SECONDS` says otherwise; half an hour in the soak):
 * no answer is wrong, and nothing grows. How fast it was is reported and not checked.
 */

import { expect, test } from "bun:test";
import { runLoad } from "../support/load.ts";
import { tried } from "../support/promises.ts";

const IS_FULL = process.env["OUTRIDER_TEST_TIER"] === "full";
const SECONDS = Number(process.env["OUTRIDER_LOAD_SECONDS"] ?? (IS_FULL ? 60 : 15));
/** The log is begun anew from time to time, once nobody reads its old pages. */
const LOG_MB_MAX = 128;
const GROWTH_MAX = 1.5;
const SLACK_MB = 96;

const isLinux = process.platform === "linux";

test.skipIf(!isLinux)(
  `under load every answer is right, memory and the write-ahead log stay bounded, and it ends well${isLinux ? "" : " (skipped: needs /proc)"}`,
  async () => {
    const { wrong, halves, ...rest } = await runLoad(SECONDS);
    process.stderr.write(`load: ${JSON.stringify({ seconds: SECONDS, halves, ...rest })}\n`);
    expect(wrong).toEqual([]);
    const [first, second] = halves;
    expect(Math.min(first.requests, second.requests)).toBeGreaterThan(SECONDS);
    expect(second.memoryMb).toBeLessThan(first.memoryMb * GROWTH_MAX + SLACK_MB);
    expect(Math.max(first.logMb, second.logMb)).toBeLessThan(LOG_MB_MAX);
    expect(rest.sent).toBeGreaterThan(SECONDS);
    expect(rest.imported).toBeGreaterThan(0);
    expect(rest.listening).toBe(500);
    expect(rest.rejection).toBe(1);
    expect(rest.heard).toHaveLength(5);
    expect(Math.min(...rest.heard)).toBeGreaterThan(SECONDS);
    expect(rest.exit).toBe(0);
    tried("load", first.requests + second.requests);
  },
  (SECONDS + 120) * 1_000,
);
