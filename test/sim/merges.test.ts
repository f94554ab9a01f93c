/**
 * Over weeks in which leads are merged at random, each step comes to a person once, whichever of their addresses it went
 * to, and nothing comes after a refusal or a reply at any of them.
 */

import { describe, expect, test } from "bun:test";
import { type Happening, judge } from "../support/merges/history.ts";
import { DEED_NAMES, playMerges } from "../support/merges/weeks.ts";
import { batches, replay, seedsOf } from "../support/simulation/seeds.ts";

const FILE = "test/sim/merges.test.ts";
const BATCH_MS_MAX = 600_000;
const BATCHES = batches({ full: 100, quick: 25 }, 25);
/** Fewer may miss a deed, or what it does when a rule is broken. */
const isEnough = BATCHES.flatMap(seedsOf).length >= 25;

const done = new Map<string, number>();
let delivered = 0;

describe("people whose leads are merged", () => {
  test.each(BATCHES)(
    "get each step once, and nothing after a refusal or a reply, seeds $from to $to",
    async (batch) => {
      for (const seed of seedsOf(batch)) {
        const played = await playMerges(seed);
        const again = replay(seed, FILE);
        const wrong = [...judge(played.history), ...played.broken];
        expect({ again, wrong }).toEqual({ again, wrong: [] });
        delivered += played.history.filter(({ kind }) => kind === "delivered").length;
        for (const [deed, times] of played.done) {
          done.set(deed, (done.get(deed) ?? 0) + times);
        }
      }
    },
    BATCH_MS_MAX,
  );

  test.skipIf(!isEnough)("are merged and written to, and everything is done to them", () => {
    expect(new Set(done.keys())).toEqual(DEED_NAMES);
    expect(delivered).toBeGreaterThan(0);
  });
});

const to = (address: string, step: string): Happening => ({
  ...{ kind: "delivered", to: address, campaign: "Spring", step },
});
const MERGED: Happening = { kind: "merged", addresses: ["a@x.example", "b@y.example"] };
const REFUSED: Happening = { kind: "refused", at: "a@x.example", cause: "1" };
const REPLIED: Happening = { ...REFUSED, kind: "replied", campaign: "Spring" };
const TWO: Happening = { kind: "open", to: "b@y.example", campaign: "Spring", sequences: 2 };
const DOMAIN: Happening = { kind: "refused", at: "@x.example", cause: "2" };

describe("a history in which something is wrong is found", () => {
  test.each<[string, Happening[], number]>([
    ["two sequences at a time", [MERGED, TWO], 1],
    ["a step to either address", [to("a@x.example", "1"), MERGED, to("b@y.example", "1")], 1],
    ["a step twice to one address", [MERGED, to("b@y.example", "1"), to("b@y.example", "1")], 1],
    ["an email after a refusal at the other address", [REFUSED, MERGED, to("b@y.example", "1")], 1],
    ["an email after a refusal later", [MERGED, REFUSED, to("b@y.example", "1")], 1],
    ["an email after a refusal of the domain", [MERGED, DOMAIN, to("b@y.example", "1")], 1],
    ["an email after a reply from the other address", [MERGED, REPLIED, to("b@y.example", "1")], 1],
    [
      "a refusal that stays when another is taken back",
      [MERGED, REFUSED, DOMAIN, { kind: "undone", cause: "1" }, to("b@y.example", "1")],
      1,
    ],
    [
      "people who are merged one after the other",
      [
        ...[
          MERGED,
          REFUSED,
          { kind: "merged", addresses: ["b@y.example", "c@z.example"] } as const,
        ],
        to("c@z.example", "1"),
      ],
      1,
    ],
    [
      "nothing: the same step before the merge",
      [to("a@x.example", "1"), to("b@y.example", "1"), MERGED],
      0,
    ],
    ["nothing: refused by somebody else", [REFUSED, to("b@y.example", "1")], 0],
    [
      "nothing: all that was refused is lifted or taken back",
      [
        ...[MERGED, REFUSED, DOMAIN, REPLIED],
        ...[{ kind: "lifted", at: "@x.example" } as const, { kind: "undone", cause: "1" } as const],
        to("b@y.example", "1"),
      ],
      0,
    ],
  ])("%s", (_what, history, wrong) => {
    expect(judge(history)).toHaveLength(wrong);
  });
});
