import { expect, test } from "bun:test";
import { SNIPPET_CHARS_MAX, snippetOf } from "#domain/inbox/snippet.ts";

test.each<[string, string | null]>([
  ["", null],
  [" \r\n\t ", null],
  ["Yes.\n\nCall me\ton Tuesday.\n", "Yes. Call me on Tuesday."],
  ["a\u0000b\u200bc\ud800d", "a b c d"],
])("%j is %j", (text, snippet) => {
  expect(snippetOf(text)).toBe(snippet);
});

test("a long text is cut at a word, a long word anywhere, and no character in two", () => {
  const words = snippetOf("word ".repeat(100)) ?? "";
  expect(words).toEndWith("word…");
  expect(words.length).toBeLessThanOrEqual(SNIPPET_CHARS_MAX);
  const faces = snippetOf("🙂".repeat(500)) ?? "";
  expect(Array.from(faces)).toHaveLength(SNIPPET_CHARS_MAX);
  expect(faces).toEndWith("🙂…");
});
