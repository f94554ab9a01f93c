/** Guarantees of `domain/experiments/segment-keys.ts`: what `segment_by` may say, and what a lead's segment is called. */

import { beforeAll, describe, expect, test } from "bun:test";
import {
  countryOf,
  learnCountries,
  readSegmentKey,
  segmentKeyText,
  segmentOfValue,
  VALUE_CHARS_MAX,
} from "#domain/experiments/segment-keys.ts";

describe("segment_by", () => {
  test.each(["provider", "mailbox", "country", "custom:industry", "custom:a:b", 'custom:"'])(
    "may say %s",
    (text) => {
      expect(segmentKeyText(readSegmentKey(text))).toBe(text);
    },
  );

  test.each(["", "custom", "custom:", "Provider", "timezone", `custom:${"x".repeat(101)}`])(
    "may not say %j, and is named",
    (text) => {
      expect(() => readSegmentKey(text)).toThrow(expect.objectContaining({ field: "segment_by" }));
    },
  );
});

describe("the country of a lead", () => {
  beforeAll(() => {
    expect([...learnCountries()].every((step) => step === undefined)).toBe(true);
  });

  test.each<[string, string | null, string]>([
    ["ada@example.de", null, "DE"],
    ["ada@example.co.uk", null, "GB"],
    ["ada@example.com", null, "none"],
    ["ada@example.eu", null, "none"],
    ["ada@example.io", null, "none"],
    ["ada@example.com", "Europe/Vienna", "AT"],
    ["ada@example.de", "Europe/Vienna", "AT"],
    ["ada@example.fr", "UTC", "FR"],
    ["ada@example.com", "UTC", "none"],
    ["ada@example.com", "Asia/Kolkata", "IN"],
    ["ada@example.com", "Asia/Calcutta", "IN"],
    ["ada@example.com", "Europe/Kyiv", "UA"],
    ["ada@example.io", "America/New_York", "US"],
  ])("with %s and %s is %s", (email, timezone, country) => {
    expect(countryOf({ email, timezone })).toBe(country);
  });
});

describe("the segment of a value", () => {
  test.each<[string | null, string]>([
    [null, "none"],
    ["", "none"],
    [" \t ", "none"],
    [" Retail ", "Retail"],
    ["retail", "retail"],
    ["none", '"none"'],
    ["other", '"other"'],
    ["<b>Retail</b>", "<b>Retail</b>"],
    ["x".repeat(VALUE_CHARS_MAX), "x".repeat(VALUE_CHARS_MAX)],
    ["x".repeat(10_000), `${"x".repeat(VALUE_CHARS_MAX - 1)}…`],
  ])("%j is %s", (value, segment) => {
    expect(segmentOfValue(value)).toBe(segment);
  });
});
