/** Guarantee of a step's history: each text as it was, with who wrote it, and none that was only in between. */

import { expect, test } from "bun:test";
import type { CampaignStep } from "#client.ts";
import { textsOf } from "../../src/ui/pages/campaigns/step/past-texts.ts";

const step = {
  ...{ subject: "Now", body: "Three", format: null, attachment_ids: [], revision: 3 },
} as unknown as CampaignStep;

const entry = (seq: number, minute: number, before: object | null, after: object) => ({
  ...{ seq, actor: "user:ann", created_at: new Date(minute * 60_000).toISOString() },
  before: before as Record<string, unknown> | null,
  after: after as Record<string, unknown>,
});

test("walks back from what the step says now", () => {
  const texts = textsOf(step, [
    entry(9, 90, { body: "Two", revision: 2 }, { body: "Three", revision: 3 }),
    entry(8, 85, { wait_days: 1 }, { wait_days: 2 }),
    entry(7, 80, { subject: "Then", revision: 1 }, { subject: "Now", revision: 2 }),
    entry(6, 32, { body: "Tw" }, { body: "Two" }),
    entry(5, 31, { body: "One" }, { body: "Tw" }),
    entry(4, 10, { body: null }, { body: "One" }),
    entry(3, 9, null, { subject: "Then", body: null, format: null, revision: 1 }),
  ]);
  expect(
    texts.map(({ seq, revision, content }) => [seq, revision, content.subject, content.body]),
  ).toEqual([
    [9, 3, "Now", "Three"],
    [7, 2, "Now", "Two"],
    [6, 1, "Then", "Two"],
    [4, 1, "Then", "One"],
  ]);
});

test("leads back to a text from which somebody has just cut something, or all", () => {
  const entries = [
    entry(3, 3, { subject: "Now", body: "Long words" }, { subject: null, body: null }),
    entry(2, 2, { body: "Long" }, { body: "Long words" }),
    entry(1, 1, null, { subject: "Now", body: "Long" }),
  ];
  const texts = textsOf({ ...step, subject: null, body: null }, entries);
  expect(texts.map(({ seq, content }) => [seq, content.body])).toEqual([
    [3, null],
    [2, "Long words"],
  ]);
});

test("another's words are a text of their own, and an empty one is none", () => {
  const other = { ...entry(2, 2, { body: "A" }, { body: "Three" }), actor: "user:bo" };
  const made = entry(1, 1, null, { subject: null, body: "A" });
  const empty = entry(1, 1, { subject: "Now", body: "A" }, { subject: null, body: null });
  expect(textsOf(step, [other, made]).map(({ actor, content }) => [actor, content.body])).toEqual([
    ["user:bo", "Three"],
    ["user:ann", "A"],
  ]);
  const texts = textsOf({ ...step, body: "Three" }, [
    other,
    { ...empty, created_at: other.created_at },
    made,
  ]);
  expect(texts.map(({ content }) => content.body)).not.toContain(null);
});
