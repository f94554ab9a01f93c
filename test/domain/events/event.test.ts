/** Guarantees of the kinds of event: how they are named, and that each is described, typed and shown. */

import { describe, expect, test } from "bun:test";
import { EVENT_DATA } from "#domain/event-data.ts";
import {
  checkPattern,
  EVENT_PATTERNS,
  EVENT_TYPES,
  type EventType,
  typesWanted,
  wantsEvent,
} from "#domain/events/event.ts";
import { EVENT_EXAMPLES } from "#domain/events/event-examples.ts";
import { EVENT_MEANINGS } from "#domain/events/event-meanings.ts";
import { Problem } from "#domain/problem.ts";
import { faultsOf } from "../../support/events.ts";
// Registers the formats of strings.
import "elysia";

describe("a subscription", () => {
  test.each<[string[], EventType, boolean]>([
    [["*"], "email.sent", true],
    [["email.sent"], "email.sent", true],
    [["email.sent"], "email.failed", false],
    [["email.*"], "email.failed", true],
    [["email.*"], "reply.auto", false],
    [["lead.*", "task.created"], "task.created", true],
    [[], "task.created", false],
  ])("%p and %s", (patterns, type, wanted) => {
    expect(wantsEvent(patterns, type)).toBe(wanted);
    expect(typesWanted(patterns).includes(type)).toBe(wanted);
  });

  test.each([
    "email",
    "email.",
    "email.sent.x",
    "Email.sent",
    "email.*.*",
    "**",
    "",
    "e*",
    "constructor",
  ])("refuses %p, naming the field", (pattern) => {
    expect(() => checkPattern(pattern, "events.3")).toThrow(
      expect.objectContaining({ field: "events.3", type: "validation_error" }),
    );
  });

  test("a mistyped kind is told the nearest", () => {
    const tell = () => checkPattern("email.snet", "events.0");
    expect(tell).toThrow(Problem);
    expect(tell).toThrow('did you mean "email.sent"?');
  });

  test("every kind, its family and all can be named", () => {
    for (const pattern of EVENT_PATTERNS) {
      expect(() => checkPattern(pattern, "events")).not.toThrow();
    }
    expect(EVENT_PATTERNS).toContain("webhook.*");
  });
});

describe.each([...EVENT_TYPES])("%s", (type) => {
  test("has a schema, a meaning, and an example that fits", () => {
    expect(EVENT_MEANINGS[type].length).toBeGreaterThan(10);
    expect(faultsOf(type, EVENT_EXAMPLES[type])).toEqual([]);
  });

  test("its schema is closed", () => {
    expect(EVENT_DATA[type].additionalProperties).toBe(false);
  });

  test("tells of no body, secret or password", () => {
    const names = Object.keys(EVENT_DATA[type].properties);
    expect(names.filter((name) => /body|html|text|secret|password|token/.test(name))).toEqual([]);
  });
});

test("a value that does not fit is found", () => {
  const sent = EVENT_EXAMPLES["email.sent"];
  expect(faultsOf("email.sent", { ...sent, email_id: "no uuid" })).not.toEqual([]);
  expect(faultsOf("email.sent", { ...sent, extra: 1 })).not.toEqual([]);
  expect(
    faultsOf("email.deferred", { ...EVENT_EXAMPLES["email.deferred"], next_attempt_at: 5 }),
  ).not.toEqual([]);
  expect(
    faultsOf("email.deferred", { ...EVENT_EXAMPLES["email.deferred"], next_attempt_at: "soon" }),
  ).not.toEqual([]);
});
