/** Guarantees of `domain/leads/lead.ts`: variables merge as RFC 7396 says, and stay within their bounds. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { mergeVariables, VARIABLES_MAX } from "#domain/leads/lead.ts";

const named = (count: number, from = 0) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${from + n}`, from + n]));

describe("mergeVariables", () => {
  test.each([
    [{}, {}, {}],
    [{ a: 1 }, {}, { a: 1 }],
    [{ a: 1 }, { b: "x" }, { a: 1, b: "x" }],
    [{ a: 1 }, { a: true }, { a: true }],
    [{ a: 1 }, { a: null, b: null }, {}],
    [named(VARIABLES_MAX), { v0: null, extra: 1 }, { ...named(VARIABLES_MAX - 1, 1), extra: 1 }],
  ])("case %#", (base, change, variables) => {
    expect(mergeVariables(base as never, change)).toEqual({ variables: variables as never });
  });

  test.each([
    ["a list", { a: [] }, "a"],
    ["an object", { a: {} }, "a"],
    ["no finite number", { a: Number.POSITIVE_INFINITY }, "a"],
    ["a long text", { a: "x".repeat(10_001) }, "a"],
    ["a nameless one", { "": 1 }, ""],
    ["a long name", { ["n".repeat(101)]: 1 }, "n".repeat(101)],
    ["too many", named(VARIABLES_MAX + 1), null],
  ])("refuses %s and names it", (_name, change, name) => {
    expect(mergeVariables({}, change)).toMatchObject({ fault: { name } });
  });

  test("is the merge of RFC 7396, and leaves its arguments alone", () => {
    const value = fc.oneof(fc.string({ maxLength: 5 }), fc.integer(), fc.boolean());
    const name = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "toString");
    const pairs = (one: fc.Arbitrary<unknown>) => fc.array(fc.tuple(name, one), { maxLength: 6 });
    fc.assert(
      fc.property(pairs(value), pairs(fc.option(value)), (baseEntries, changeEntries) => {
        const base = Object.fromEntries(baseEntries) as Record<string, string>;
        const change = Object.fromEntries(changeEntries);
        const [baseText, changeText] = [JSON.stringify(base), JSON.stringify(change)];
        const expected = new Map(Object.entries<unknown>(base));
        for (const [key, given] of Object.entries(change)) {
          expected.set(key, given);
          if (given === null) {
            expected.delete(key);
          }
        }
        const merged = mergeVariables(base, change);
        const entries = "variables" in merged ? Object.entries(merged.variables) : [];
        expect(new Map<string, unknown>(entries)).toEqual(expected);
        expect([JSON.stringify(base), JSON.stringify(change)]).toEqual([baseText, changeText]);
      }),
    );
  });
});
