/** Guarantees of the filter language: what a text asks for, and where it is wrong. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type FieldKinds, parseFilter } from "#domain/filter.ts";
import { Problem } from "#domain/problem.ts";

const KINDS: FieldKinds = {
  name: { kind: "text" },
  status: { kind: "choice", values: ["draft", "active"] },
  sent: { kind: "number" },
  created: { kind: "date" },
  "variables.": { kind: "text" },
};
const DAY = Date.UTC(2026, 9, 1);
const NEXT = Date.UTC(2026, 9, 2);
const term = (field: string | null, ...tests: object[]) => {
  return { field, part: null, isNot: false, tests };
};

describe("a filter", () => {
  test.each<[string, object[]]>([
    ["", []],
    ["  ", []],
    ["acme", [term(null, { kind: "contains", text: "acme" })]],
    ["name:acme", [term("name", { kind: "contains", text: "acme" })]],
    ['name="Acme: \\"Works\\""', [term("name", { kind: "is", text: 'Acme: "Works"' })]],
    [
      "status:draft,active",
      [term("status", { kind: "is", text: "draft" }, { kind: "is", text: "active" })],
    ],
    ["sent>=10", [term("sent", { kind: "number", operator: ">=", value: 10 })]],
    ["created>2026-10-01", [term("created", { kind: "between", from: NEXT, to: null })]],
    ["created>=2026-10-01", [term("created", { kind: "between", from: DAY, to: null })]],
    ["created<2026-10-01", [term("created", { kind: "between", from: null, to: DAY })]],
    ["created<=2026-10-01", [term("created", { kind: "between", from: null, to: NEXT })]],
    ["created:2026-10-01", [term("created", { kind: "between", from: DAY, to: NEXT })]],
    [
      "variables.city:Bonn",
      [{ ...term("variables.", { kind: "contains", text: "Bonn" }), part: "city" }],
    ],
    ["-name:x", [{ ...term("name", { kind: "contains", text: "x" }), isNot: true }]],
    [
      'name:a "two words"',
      [
        term("name", { kind: "contains", text: "a" }),
        term(null, { kind: "contains", text: "two words" }),
      ],
    ],
  ])("%s", (text, expected) => {
    expect<unknown>(parseFilter(text, KINDS)).toEqual(expected);
  });

  test.each([
    ["name:a stauts:draft", 'at character 8: unknown field "stauts"', "status"],
    ["status:activ", 'at character 1: "activ" is not a value of status', "active"],
    ["status>draft", "at character 1: status> can't be compared", null],
    ["name>x", "at character 1: name> can't be compared", null],
    ["sent>many", 'at character 1: sent> needs a number, not "many"', null],
    ["created>yesterday", "at character 1: created> needs a date", null],
    ["created:2026-02-30", "at character 1: created: needs a date", null],
    ["  name:", "at character 8: a value is missing here", null],
    ["name:a,", "at character 8: a value is missing here", null],
    ['name:"open', "at character 6: a quote opens here", null],
    ["-", "at character 2: a value is missing here", null],
    ["variables.:x", "at character 1: unknown field", "variables."],
    ["__proto__:x", "at character 1: unknown field", null],
    ["constructor:x", "at character 1: unknown field", null],
    ["a ".repeat(21), "at character 41: a filter has at most 20 terms", null],
  ])("%s is refused with its place", (text, message, meant) => {
    let problem: unknown;
    try {
      parseFilter(text, KINDS);
    } catch (error) {
      problem = error;
    }
    expect(problem).toBeInstanceOf(Problem);
    const [fault] = (problem as Problem).faults;
    expect(fault?.field).toBe("filter");
    expect(fault?.message).toStartWith(message);
    expect(fault?.didYouMean).toBe(meant);
  });

  test("throws nothing else, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        try {
          parseFilter(text, KINDS);
        } catch (error) {
          expect(error).toBeInstanceOf(Problem);
        }
      }),
    );
  });
});
