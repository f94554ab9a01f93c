/** "Did you mean" names the word that was meant, and none where none is near. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { nearestWord } from "#domain/nearest-word.ts";

const WORDS = ["serve", "demo", "keys", "port", "public_url"];

describe("nearestWord", () => {
  test.each<[string, string | undefined]>([
    ["serve", "serve"],
    ["serv", "serve"],
    ["sevre", "serve"],
    ["SERVE", "serve"],
    ["prot", "port"],
    ["kys", "keys"],
    ["publicurl", "public_url"],
    ["xy", undefined],
    ["", undefined],
    ["prt0", undefined],
    ["x".repeat(100_000), undefined],
  ])("%p: %p", (word, nearest) => {
    expect(nearestWord(word, WORDS)).toBe(nearest);
  });

  test("finds every word again after one edit", () => {
    const edit = fc.record({
      word: fc.constantFrom(...WORDS),
      at: fc.nat(9),
      letter: fc.constantFrom("q", "z", ""),
      dropped: fc.integer({ min: 0, max: 1 }),
    });
    fc.assert(
      fc.property(edit, ({ word, at, letter, dropped }) => {
        const wrong = word.slice(0, at) + letter + word.slice(at + dropped);
        expect(nearestWord(wrong, WORDS)).toBe(word);
      }),
    );
  });
});
