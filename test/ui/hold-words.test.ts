/** Why a lead is on hold, in words that say what to do. */

import { expect, test } from "bun:test";
import { holdWords, lackedIn } from "../../src/ui/pages/campaigns/words.ts";

test.each([
  [
    "company, city",
    "On hold: this lead has no company and no city. Add them, or give the step a fallback.",
  ],
  ["body", "On hold: missing a value"],
  [
    "body: shows a, b, c.pdf, which isn't an image",
    "On hold: files can’t be sent (shows a, b, c.pdf, which isn't an image). Change the step’s files.",
  ],
  [
    "attachment_ids.0: no such file",
    "On hold: files can’t be sent (no such file). Change the step’s files.",
  ],
])("a value or a file is missing: %s", (detail, words) => {
  expect(holdWords("missing_variable", detail)).toBe(words);
});

test("only values can be given to a lead", () => {
  expect(lackedIn("body: shows a, b, c.pdf, which isn't an image")).toEqual([]);
  expect(lackedIn("company, body")).toEqual(["company"]);
});
