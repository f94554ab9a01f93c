/**
 * Guarantees of `domain/campaigns/sequence.ts`: whatever becomes of the steps around it, a lead is sent no step
 * twice, and none is left out that lies behind the last one that it was sent.
 */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  nextStep,
  placeOfStep,
  placesAfter,
  type Sequence,
  type StepPlace,
  stepsUpTo,
  withoutStep,
  withStep,
  withStepMoved,
} from "#domain/campaigns/sequence.ts";

const step = (id: string) => ({ id, placeId: id });
/** Steps in these places, first to last. */
const of = (...ids: string[]): Sequence => ({ steps: ids.map(step), left: new Map() });
const order = ({ steps }: Sequence) => steps.map(({ id }) => id).join("");

describe("nextStep", () => {
  test.each<[string, string[], string | null, string[], string | undefined]>([
    ["the first", ["a", "b"], null, [], "a"],
    ["the one after the last sent", ["a", "b", "c"], "a", ["a"], "b"],
    ["none after the last", ["a", "b"], "b", ["a", "b"], undefined],
    ["none where there are no steps", [], null, [], undefined],
    ["one inserted behind", ["a", "new", "b"], "a", ["a"], "new"],
    ["not one inserted ahead", ["new", "a", "b"], "a", ["a"], "b"],
    ["a sent step that lies behind is passed over", ["b", "a", "c"], "b", ["a", "b"], "c"],
    ["a step sent once is not sent again by hand", ["a", "b"], null, ["a"], "b"],
  ])("%s", (_name, ids, placeId, sent, next) => {
    expect(nextStep(of(...ids), placeId, new Set(sent))?.id).toBe(next);
  });
});

describe("a step that goes leaves its place", () => {
  test("where it was", () => {
    const without = withoutStep(of("a", "b", "c"), "b");
    expect(order(without)).toBe("ac");
    expect(stepsUpTo(without, "b")).toBe(1);
    expect(placesAfter(without, 1)).toEqual(["a", "b"]);
    expect(placeOfStep(without, 2)).toBe("c");
  });

  test("and what is inserted there comes behind it", () => {
    const replaced = withStep(withoutStep(of("a", "b", "c"), "b"), step("x"), 2);
    expect(order(replaced)).toBe("axc");
    expect(nextStep(replaced, "b", new Set(["a", "b"]))?.id).toBe("x");
  });

  test("one that is moved back has a new place, one that is moved ahead keeps its own", () => {
    const back = withStepMoved(of("a", "b", "c"), step("a"), 3, "new");
    expect([order(back), stepsUpTo(back, "a"), stepsUpTo(back, "new")]).toEqual(["bca", 0, 3]);
    const ahead = withStepMoved(of("a", "b", "c"), step("c"), 1, "new");
    expect([order(ahead), stepsUpTo(ahead, "c")]).toEqual(["cab", 1]);
    expect(ahead.left.size).toBe(0);
  });
});

/** What a person does to the steps, and one email to the lead in between. */
type Deed =
  | { kind: "insert"; at: number }
  | { kind: "delete"; at: number }
  | { kind: "move"; from: number; to: number }
  | { kind: "send" };

const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("insert" as const), at: fc.nat(9) }),
    fc.record({ kind: fc.constant("delete" as const), at: fc.nat(9) }),
    fc.record({ kind: fc.constant("move" as const), from: fc.nat(9), to: fc.nat(9) }),
    fc.constant({ kind: "send" as const }),
  ),
  { maxLength: 40 },
);

/**
 * The specification in so many words: one list of names, with "*" where the lead stands. A step that is
 * moved ahead while the lead stands right behind it takes the lead along.
 */
function speak(list: readonly string[], deed: Deed, name: string, last: string | null): string[] {
  const names = list.filter((one) => one !== "*");
  const upTo = list.indexOf("*");
  const put = (rest: readonly string[], before: string | undefined, what: string) =>
    before === undefined ? [...rest, what] : rest.toSpliced(rest.indexOf(before), 0, what);
  switch (deed.kind) {
    case "insert":
      return put(list, names[deed.at], name);
    case "delete":
      return list.filter((one) => one !== names[deed.at]);
    case "move": {
      const moved = names[deed.from];
      if (moved === undefined || deed.to >= names.length || deed.from === deed.to) {
        return [...list];
      }
      const others = names.filter((one) => one !== moved);
      const rest = list.filter((one) => one !== moved);
      const goesAlong = moved === last && list[upTo - 1] === moved && deed.to < deed.from;
      const placed = put(rest, others[deed.to], moved);
      return goesAlong
        ? placed.filter((one) => one !== "*").toSpliced(deed.to + 1, 0, "*")
        : placed;
    }
    case "send":
      return [...list];
    default:
      return deed satisfies never;
  }
}

function act(sequence: Sequence, deed: Deed, name: string): Sequence {
  const count = sequence.steps.length;
  switch (deed.kind) {
    case "insert":
      return withStep(sequence, step(name), Math.min(deed.at, count) + 1);
    case "delete": {
      const gone = sequence.steps[deed.at];
      return gone === undefined ? sequence : withoutStep(sequence, gone.id);
    }
    case "move": {
      const moved = sequence.steps[deed.from];
      return moved === undefined || deed.to >= count || deed.from === deed.to
        ? sequence
        : withStepMoved(sequence, moved, deed.to + 1, `place ${name}`);
    }
    case "send":
      return sequence;
    default:
      return deed satisfies never;
  }
}

test("whatever becomes of the steps, the next one is the one that the words say", () => {
  fc.assert(
    fc.property(deeds, (list) => {
      let sequence = of("a", "b", "c");
      let words = ["*", "a", "b", "c"];
      let placeId: string | null = null;
      let last: string | null = null;
      const sent: string[] = [];
      for (const [nth, deed] of list.entries()) {
        words = speak(words, deed, `n${nth}`, last);
        sequence = act(sequence, deed, `n${nth}`);
        expect(words.filter((one) => one !== "*")).toEqual(sequence.steps.map(({ id }) => id));
        const behind = words.slice(words.indexOf("*") + 1);
        const next: StepPlace | undefined = nextStep(sequence, placeId, new Set(sent));
        expect(next?.id).toBe(behind.find((one) => !sent.includes(one)));
        if (deed.kind === "send" && next !== undefined) {
          expect(sent).not.toContain(next.id);
          sent.push(next.id);
          last = next.id;
          ({ placeId } = next);
          words = words.filter((one) => one !== "*");
          words.splice(words.indexOf(next.id) + 1, 0, "*");
        }
      }
    }),
    { numRuns: 2000 },
  );
});
