/** A report's lines give its figures again, to the last digit, whatever the experiment. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Figures } from "#domain/experiments/experiment-figures.ts";
import { replay } from "#domain/experiments/experiment-replay.ts";
import { type Reported, reportOf } from "#domain/experiments/experiment-report.ts";
import { type State, states } from "../../support/experiment-states.ts";
import { MONDAY } from "../../support/figures.ts";

const STATES = 200;

type Fields = Record<string, unknown>;

function reported({ figures, outlook, reading, said, answered, status }: State): Reported {
  return {
    experiment: {
      ...{ name: "Question or statement", status, stepPosition: 1 },
      ...{ startedAt: MONDAY, endsAt: MONDAY, closedAt: null },
    },
    ...{ figures, reading, leadsByEnd: outlook.leadsByEnd, recommendation: said, answered },
    ...{ warnings: [], winner: null, contents: null, readAt: MONDAY },
  };
}

/** As it comes out of a file. */
function fileOf(state: State): Record<string, unknown> {
  return JSON.parse(JSON.stringify(reportOf(reported(state))));
}

/** Paths of the figures in a report that somebody computed: all numbers but what was counted or set. */
function computed(value: unknown, path = ""): string[] {
  if (typeof value === "number") {
    return [path];
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, one]) =>
        computed(one, path === "" ? name : `${path}.${name}`),
      )
    : [];
}

const PLAIN =
  /^(?:step_position|attribution_window_days|pending|variants\.\d+\.(?:weight|successes|failures|\w+_rate\.value))$|\.lift_ratio\.value$/;

describe("A report of an experiment", () => {
  test("gives the same digits when it's computed again", () => {
    fc.assert(
      fc.property(states, (state) => {
        const lines = replay(fileOf(state));
        expect(lines.length).toBeGreaterThan(8);
        expect(lines.filter(({ agrees }) => !agrees)).toEqual([]);
      }),
      { numRuns: STATES, seed: 2 },
    );
  });

  test("has a line for every figure that isn't a count or a quotient of two", () => {
    const missing = new Set<string>();
    fc.assert(
      fc.property(states, (state) => {
        const { lines: _, ...shown } = fileOf(state);
        const given = new Set(replay(fileOf(state)).flatMap(({ figures }) => figures));
        for (const path of computed(shown)) {
          if (!given.has(path) && !PLAIN.test(path)) {
            missing.add(path.replaceAll(/\d+/g, "#"));
          }
        }
      }),
      { numRuns: STATES, seed: 3 },
    );
    expect([...missing].sort()).toEqual([
      // 0 until enough leads are measured.
      "convergence",
      // Quotients of counts and a share while a fixed split runs, and a winner's: the largest of its pairs'.
      "pairs.#.p_value",
      "pairs.#.rate_a",
      "pairs.#.rate_b",
      // One divided by the number of variants until enough leads are measured.
      "variants.#.win_probability",
    ]);
  });

  test("of a verdict from before negative replies were counted doesn't know them", () => {
    const [state] = fc.sample(states, { numRuns: 1, seed: 5 });
    const given = reported(state as State);
    const older = given.figures.arms.map(
      ({ counts: { negativeReplies: _, ...counts }, ...arm }) => {
        return { ...arm, counts } as Figures["arms"][number];
      },
    );
    const report = reportOf({ ...given, figures: { ...given.figures, arms: older } });
    for (const { negative_replies, negative_reply_rate } of report.variants) {
      expect([negative_replies, negative_reply_rate]).toEqual([null, null]);
    }
    expect(report.lines.filter(({ gives }) => "variants.0.negative_replies" in gives)).toEqual([]);
    expect(replay(JSON.parse(JSON.stringify(report))).filter((one) => !one.agrees)).toEqual([]);
  });

  test("doesn't agree once a figure, a count, or an input was changed", () => {
    fc.assert(
      fc.property(states, fc.nat(), (state, pick) => {
        const changed = fileOf(state);
        const lines = changed["lines"] as { gives: Record<string, string> }[];
        const paths = lines.flatMap(({ gives }) => Object.keys(gives));
        const path = paths[pick % paths.length] ?? "";
        const names = path.split(".");
        const last = names.pop() ?? "";
        const holder = names.reduce<Fields>((one, name) => one[name] as Fields, changed);
        holder[last] = Number(holder[last] ?? 0) + 1;
        expect(replay(changed).filter(({ agrees }) => !agrees).length).toBeGreaterThan(0);
      }),
      { numRuns: 100, seed: 4 },
    );
  });
});
