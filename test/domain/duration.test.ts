import { expect, test } from "bun:test";
import { parseDuration } from "#domain/duration.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#domain/time.ts";

test.each([
  ["3d", 3 * DAY_MS],
  ["90m", 90 * MINUTE_MS],
  ["1h30m", HOUR_MS + 30 * MINUTE_MS],
  ["2d1h1m1s", 2 * DAY_MS + HOUR_MS + MINUTE_MS + 1000],
  ["0s", 0],
  ["366d", 366 * DAY_MS],
  ["1000000s", 1_000_000_000],
  ["31622400s", 366 * DAY_MS],
])("%s is a duration", (text, expected) => {
  expect(parseDuration(text)).toBe(expected);
});

test.each([
  "",
  "3",
  "d",
  "3 d",
  "-3d",
  "3D",
  "1m1h",
  "1h1h",
  "1.5h",
  "3d ",
  "1234567890s",
  "3w",
  "PT3H",
])("%p is none", (text) => {
  expect(parseDuration(text)).toBeNull();
});
