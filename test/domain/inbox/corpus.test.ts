/**
 * What classification reaches on a corpus of real emails. The corpus is not part of this repository, for
 * its licences differ; without it these tests are skipped and say so. `bun test/support/corpus-report.ts`
 * prints the figures with what they miss.
 *
 * Figures only rise: each is held against `test/golden/corpus.json`, and UPDATE_GOLDEN=1 writes no
 * lower one. One label is not followed, and counts as missed: the email of a client's unsubscribe button,
 * called a complaint.
 */

import { beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  corpusSamples,
  type Figure,
  figuresOf,
  isCorpusHere,
  isHeldOut,
  quotedFigure,
  readCorpus,
} from "../../support/corpus.ts";
import { tableOf } from "../../support/corpus-report.ts";

const GOLDEN = join(import.meta.dir, "../../golden/corpus.json");

type Shares = Record<string, { good: number; of: number }>;

if (!isCorpusHere) {
  console.warn("skipped: the mail corpus (../shared/mailcorpus) is not on this machine");
}

const golden: Record<"all" | "held_out", Shares> = existsSync(GOLDEN)
  ? JSON.parse(readFileSync(GOLDEN, "utf8"))
  : { all: {}, held_out: {} };

describe.skipIf(!isCorpusHere)("on the corpus", () => {
  let all: Figure[] = [];
  let held: Figure[] = [];

  beforeAll(async () => {
    const samples = corpusSamples();
    const reads = await readCorpus(samples);
    all = [...figuresOf(reads), { name: "quoted text", missed: [], ...quotedFigure(samples) }];
    held = figuresOf(reads.filter(({ sample }) => isHeldOut(sample)));
    console.info(tableOf(all, held));
    if (process.env["UPDATE_GOLDEN"] === "1") {
      const figures = {
        all: highest(golden.all, all),
        held_out: highest(golden.held_out, held),
      };
      writeFileSync(GOLDEN, `${JSON.stringify(figures, null, 2)}\n`);
      Object.assign(golden, figures);
    }
  });

  test.each(Object.keys(golden.all))("%s: no lower than ever before", (name) => {
    expectNoLower(all, golden.all, name);
  });

  test.each(Object.keys(golden.held_out))(
    "%s: no lower on the third that no rule was written for",
    (name) => expectNoLower(held, golden.held_out, name),
  );

  test("every figure is in the golden file and reaches its target", () => {
    expect(all.map(({ name }) => name).toSorted()).toEqual(Object.keys(golden.all).toSorted());
    const short = all.filter(({ good, of, target }) => good / of < target);
    expect(short.map(({ name }) => name)).toEqual([]);
  });
});

function expectNoLower(figures: readonly Figure[], known: Shares, name: string): void {
  const found = figures.find((figure) => figure.name === name);
  const { good, of } = known[name] ?? { good: 0, of: 0 };
  const missed = found?.missed.map(({ sample }) => sample.file) ?? [];
  expect({ missed, isKept: shareOf(found ?? { good: 0, of: 1 }) >= shareOf({ good, of }) }).toEqual(
    {
      missed,
      isKept: true,
    },
  );
}

/** The precision's own denominator moves with the rules, so shares are compared. */
function shareOf({ good, of }: { good: number; of: number }): number {
  return good / of;
}

function highest(known: Shares, figures: readonly Figure[]): Shares {
  return Object.fromEntries(
    figures.map(({ name, good, of }) => {
      const before = known[name];
      const isLower = before !== undefined && shareOf({ good, of }) < shareOf(before);
      return [name, isLower ? before : { good, of }];
    }),
  );
}
