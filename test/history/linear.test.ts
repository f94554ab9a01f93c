/** The search for an order agrees with one that tries every order. */

import { describe, expect, test } from "bun:test";
import { hash01 } from "#domain/random.ts";
import { type Action, initialState, RECORD } from "../support/history/check-records.ts";
import { checkLinear, firstBroken, type Operation } from "../support/history/linear.ts";

const HISTORIES = 4_000;
const OPERATIONS_MAX = 6;

type Said = Operation<Action>;

/** Tries each subset with all that must have happened, in each order. */
function byForce(said: readonly Said[], state: string, at = -Infinity): boolean {
  if (said.every(({ isOptional }) => isOptional)) {
    return true;
  }
  return said.some((one, n) => {
    const rest = said.toSpliced(n, 1);
    const isTooEarly = rest.some((other) => !other.isOptional && other.to < one.from);
    const next = isTooEarly || one.to < at ? undefined : RECORD.step(state, one.action);
    return next !== undefined && byForce(rest, next, Math.max(at, one.from));
  });
}

function dice(seed: number | string): (below: number) => number {
  let n = 0;
  return (below) => {
    n += 1;
    return Math.floor(hash01(seed, n) * below);
  };
}

function drawn(seed: number): Said[] {
  const random = dice(seed);
  const on = "x";
  return Array.from({ length: 2 + random(OPERATIONS_MAX - 1) }, () => {
    const from = random(12);
    const value = `v${random(3)}`;
    const actions: Action[] = [
      { on, do: "put", value },
      { on, do: "put", value, was: random(2) === 0 },
      { on, do: "change", value },
      { on, do: "remove", erases: random(2) === 0 },
      { on, do: "read", value: random(3) === 0 ? null : value },
      { on, do: "read", value },
      { do: "save", name: "b" },
      { do: "restore", name: "b" },
    ];
    const action = actions[random(actions.length)] as Action;
    const isOptional = random(4) === 0;
    return {
      action,
      from,
      to: random(6) === 0 && isOptional ? Infinity : from + random(8),
      isOptional,
    };
  });
}

test(`agrees with every order tried, on ${HISTORIES} random histories`, () => {
  const counts = { linear: 0, "not linear": 0, undecided: 0 };
  for (let seed = 1; seed <= HISTORIES; seed += 1) {
    const said = drawn(seed);
    const initial = initialState(seed % 3 === 0);
    const verdict = checkLinear(said, initial, RECORD);
    counts[verdict] += 1;
    expect([seed, verdict]).toEqual([seed, byForce(said, initial) ? "linear" : "not linear"]);
  }
  expect(counts.undecided).toBe(0);
  expect(Math.min(counts.linear, counts["not linear"])).toBeGreaterThan(HISTORIES / 5);
});

const on = "x";
const put = (value: string, from: number, to: number, isOptional = false): Said => ({
  ...{ action: { on, do: "put", value }, from, to, isOptional },
});
const read = (value: string | null, from: number, to: number): Said => ({
  ...{ action: { on, do: "read", value }, from, to, isOptional: false },
});
const copy = (verb: "save" | "restore", from: number, to: number): Said => ({
  ...{ action: { do: verb, name: "b" }, from, to, isOptional: false },
});
const erase = (from: number, to: number): Said => ({
  ...{ action: { on, do: "remove", erases: true }, from, to, isOptional: false },
});

describe("a record", () => {
  test.each([
    ["read as written", [put("a", 0, 1), read("a", 2, 3)], true],
    ["not seen after its acknowledgement", [put("a", 0, 1), read(null, 2, 3)], false],
    ["not seen while it is written", [put("a", 0, 4), read(null, 2, 3)], true],
    [
      "seen, then unseen, while it is written",
      [put("a", 0, 9), read("a", 1, 2), read(null, 3, 4)],
      false,
    ],
    [
      "of an unknown write, seen late",
      [put("a", 0, 9, true), read(null, 1, 2), read("a", 8, 9)],
      true,
    ],
    ["of an unknown write, never seen", [put("a", 0, 1, true), read(null, 2, 3)], true],
    [
      "of an unknown write that comes after the process's end",
      [put("a", 0, 1, true), read(null, 2, 3), read("a", 4, 5)],
      false,
    ],
    [
      "of an unknown write that happens twice",
      [put("a", 0, 9, true), put("b", 2, 3), read("a", 1, 1.5), read("a", 4, 5)],
      false,
    ],
    [
      "lost by a restore",
      [copy("save", 0, 1), put("a", 2, 3), copy("restore", 4, 5), read(null, 6, 7)],
      true,
    ],
    [
      "lost by a restore, though it was saved",
      [put("a", 0, 1), copy("save", 2, 3), copy("restore", 4, 5), read(null, 6, 7)],
      false,
    ],
    [
      "there after a restore to before it",
      [copy("save", 0, 1), put("a", 2, 3), copy("restore", 4, 5), read("a", 6, 7)],
      false,
    ],
    [
      "written during a backup",
      [put("a", 0, 3), copy("save", 1, 2), copy("restore", 4, 5), read(null, 6, 7)],
      true,
    ],
    [
      "erased, and back by a restore",
      [put("a", 0, 1), copy("save", 2, 3), erase(4, 5), copy("restore", 6, 7), read("a", 8, 9)],
      false,
    ],
    [
      "erased, and gone after a restore",
      [put("a", 0, 1), copy("save", 2, 3), erase(4, 5), copy("restore", 6, 7), read(null, 8, 9)],
      true,
    ],
  ] as [string, Said[], boolean][])("%s", (_name, said, isLinear) => {
    const verdict = checkLinear(said, initialState(false), RECORD);
    expect(verdict).toBe(isLinear ? "linear" : "not linear");
  });

  test("that is broken says at which operation", () => {
    const wrong = read("a", 6, 7);
    const said = [put("a", 0, 1), put("b", 2, 3), read("b", 4, 5), wrong, read("a", 8, 9)];
    expect(firstBroken(said, initialState(false), RECORD)).toBe(wrong);
  });

  test("with hundreds of operations of many clients is decided", () => {
    const random = dice("long");
    const said: Said[] = [];
    let value: string | null = null;
    for (let at = 0; at < 4_000; at += 10) {
      const [from, to] = [at - random(40), at + random(40)];
      if (random(2) === 0) {
        value = `v${at}`;
        said.push(put(value, from, to));
      } else {
        said.push(read(value, from, to));
      }
      if (random(5) === 0) {
        said.push(put(`lost${at}`, at, at + 60, true));
      }
    }
    expect(checkLinear(said, initialState(false), RECORD)).toBe("linear");
    const broken = [...said, read("v10", 4_100, 4_101)];
    expect(checkLinear(broken, initialState(false), RECORD)).toBe("not linear");
  });
});
