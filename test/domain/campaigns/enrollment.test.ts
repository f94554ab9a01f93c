/** Guarantees of `domain/campaigns/enrollment.ts`: what may still happen to somebody whose sequence has ended. */

import { describe, expect, test } from "bun:test";
import {
  ENROLLMENT_STATUSES,
  type EnrollmentStatus,
  isOpen,
  mayEndAs,
} from "#domain/campaigns/enrollment.ts";

test("a sequence may go on while it is pending, active or paused", () => {
  expect(ENROLLMENT_STATUSES.filter(isOpen)).toEqual(["pending", "active", "paused"]);
});

describe("mayEndAs", () => {
  const ends: EnrollmentStatus[] = ENROLLMENT_STATUSES.filter((status) => !isOpen(status));

  test.each([["pending"], ["active"], ["paused"]] as const)("from %s, as anything", (from) => {
    expect(ends.filter((to) => mayEndAs(from, to))).toEqual(ends);
  });

  test.each<[EnrollmentStatus, EnrollmentStatus[]]>([
    ["completed", ["replied", "bounced", "unsubscribed"]],
    ["replied", ["bounced", "unsubscribed"]],
    ["bounced", ["unsubscribed"]],
    ["unsubscribed", []],
    ["failed", ["replied", "unsubscribed"]],
    ["suppressed", ["replied", "unsubscribed"]],
  ])("%s: what comes late overrides it only as %j", (from, to) => {
    expect(ends.filter((end) => mayEndAs(from, end))).toEqual(to);
  });
});
