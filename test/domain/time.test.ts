/** Guarantees of `domain/time.ts`: an instant as text is what Temporal makes of it. */

import { expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS, INSTANT_MS_MAX, toIso, unixMs } from "#domain/time.ts";

test("an instant is written as Temporal writes it, however it follows on the one before", () => {
  const instant = fc.oneof(
    fc.integer({ min: -DAY_MS, max: INSTANT_MS_MAX }),
    // Many of the same few days, and their first and last milliseconds.
    fc
      .tuple(fc.integer({ min: 20_000, max: 20_002 }), fc.integer({ min: -1, max: DAY_MS }))
      .map(([day, ms]) => day * DAY_MS + ms),
  );
  fc.assert(
    fc.property(fc.array(instant), (all) => {
      const texts = all.map((ms) =>
        Temporal.Instant.fromEpochMilliseconds(ms).toString({ fractionalSecondDigits: 3 }),
      );
      expect(all.map((ms) => toIso(unixMs(ms)))).toEqual(texts);
    }),
  );
});

test("what is no instant has no text", () => {
  for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + DAY_MS]) {
    expect(() => toIso(ms as never)).toThrow(RangeError);
  }
});
