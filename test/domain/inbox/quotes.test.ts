/** What mail programs add and quote is cut, in thirteen languages; what was written stays. */

import { describe, expect, test } from "bun:test";
import { stripReply } from "#domain/inbox/reply.ts";
import { QUOTED_ANSWERS } from "../../support/quotes.ts";

const squeeze = (text: string) => text.replace(/\s+/g, " ").trim();

describe("of an answer is left what was written", () => {
  test.each(QUOTED_ANSWERS.map(({ name, whole, written }) => [name, whole, written] as const))(
    "%s",
    (_name, whole, written) => {
      expect(squeeze(stripReply(whole))).toBe(squeeze(written));
    },
  );
});
