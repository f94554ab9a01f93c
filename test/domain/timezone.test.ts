/** Guarantee of `domain/timezone.ts`: names of the registry and nothing else. */

import { describe, expect, test } from "bun:test";
import { canonicalTimezone, readTimezone } from "#domain/timezone.ts";

describe("canonicalTimezone", () => {
  test.each([
    ["Europe/Berlin", "Europe/Berlin"],
    ["europe/berlin", "Europe/Berlin"],
    ["UTC", "UTC"],
    ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
    ["Etc/GMT+5", "Etc/GMT+5"],
  ])("%s is %s", (text, zone) => {
    expect(canonicalTimezone(text)).toBe(zone);
  });

  test.each([
    "",
    "+02:00",
    "-0500",
    "Mars/Olympus",
    "Europe/Berlin\n",
    " UTC",
    "2026-03-01T00:00Z",
    "2026-03-01T00:00[Europe/Berlin]",
    `A${"/B".repeat(40)}`,
  ])("%p is none", (text) => {
    expect(canonicalTimezone(text)).toBeNull();
  });
});

test("readTimezone names the field", () => {
  expect(() => readTimezone("+01:00", "timezone")).toThrow(
    expect.objectContaining({ type: "validation_error", field: "timezone" }),
  );
});
