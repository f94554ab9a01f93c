/** Guarantees of `domain/retry-after.ts`. */

import { describe, expect, test } from "bun:test";
import { readRetryAfter } from "#domain/retry-after.ts";
import { MINUTE_MS, unixMs } from "#domain/time.ts";

const NOW = unixMs(Date.UTC(2026, 2, 2, 15));

describe("readRetryAfter", () => {
  test.each([
    ["120", 120_000],
    [" 5 ", 5_000],
    ["0", 0],
    ["Mon, 02 Mar 2026 15:10:00 GMT", 10 * MINUTE_MS],
    ["Mon, 02 Mar 2026 14:59:59 GMT", null],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["Mon, 99 Mar 2026 15:10:00 GMT", null],
    ["Mon, 02 Foo 2026 15:10:00 GMT", null],
    ["", null],
    [null, null],
    ["9".repeat(400), null],
  ])("%p is %p", (header, expected) => {
    expect(readRetryAfter(header, NOW)).toBe(expected);
  });
});
