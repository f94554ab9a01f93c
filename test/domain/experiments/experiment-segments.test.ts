/** Guarantees of results by segment: what is compared, how often chance speaks, and what is said. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Stratum } from "#domain/experiments/experiment-figures.ts";
import {
  readSegments,
  SEGMENTS_MAX,
  strataGroups,
} from "#domain/experiments/experiment-segments.ts";
import { asRatio } from "#domain/experiments/experiment-words.ts";
import type { SegmentKey } from "#domain/experiments/segment-keys.ts";
import { homogeneity } from "#domain/experiments/stats/homogeneity.ts";
import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { arm, figures } from "../../support/figures.ts";
import { diceOf } from "../../support/trials/bandit.ts";

const PROVIDER = { by: "provider" } as const;
const near = (value: number) => expect.closeTo(value, 4);

/** Replies of A and B among as many leads of a provider. */
function at(provider: MailProvider, leads: number, [a, b]: readonly [number, number]): Stratum {
  return { accountId: "box", provider, counts: [arm(leads, a), arm(leads, b)] };
}

function read(strata: readonly Stratum[], isAssigning = false) {
  const given = figures([arm(1000, 50), arm(1000, 50)], { strata: () => strata });
  return readSegments(given, PROVIDER, strataGroups(given, "provider"), isAssigning);
}

/** As many leads and replies of both variants in each segment. */
function bySegment(key: SegmentKey, sizes: Readonly<Record<string, number>>) {
  const groups = Object.entries(sizes).map(([segment, leads]) => {
    return { segment, counts: [arm(leads, 1), arm(leads, 1)] };
  });
  const given = figures([arm(100, 5), arm(100, 6)]);
  return readSegments(given, key, groups, false)?.segments ?? [];
}

const DIFFERENT = [at("google", 600, [20, 60]), at("microsoft", 400, [40, 20])];

describe("segments", () => {
  test("each have their lift, largest first, with intervals and p-values for all of them", () => {
    expect(read(DIFFERENT)).toMatchObject({
      segments: [
        { segment: "google", leads: 1200, lifts: [{ ratio: 3, rateA: near(1 / 30), rateB: 0.1 }] },
        { segment: "microsoft", leads: 800, lifts: [{ ratio: 0.5 }] },
      ],
    });
    const [first] = read([at("google", 600, [20, 60])])?.segments ?? [];
    const [both] = read(DIFFERENT)?.segments ?? [];
    expect(both?.lifts[0]?.low).toBeLessThan(first?.lifts[0]?.low ?? 0);
    expect(both?.lifts[0]?.pValue).toBeCloseTo(2 * (first?.lifts[0]?.pValue ?? 0), 12);
  });

  test("that differ surely are told of in one sentence, once no lead is added", () => {
    expect(read(DIFFERENT)?.sentence).toBe(
      "B against A differs between providers: 0.5x at microsoft, 3x at google. " +
        "Confirm it with an experiment there before you act on it.",
    );
    expect(read(DIFFERENT, true)?.sentence).toBeNull();
  });

  test.each([
    ["alike", [at("google", 600, [20, 40]), at("microsoft", 400, [14, 27])]],
    ["with few replies", [at("google", 600, [20, 60]), at("microsoft", 30, [4, 0])]],
    ["a single one", [at("google", 600, [20, 60])]],
  ])("say nothing where they're %s", (_name, strata) => {
    expect(read(strata)?.sentence).toBeNull();
  });

  test("none for a bandit", () => {
    const bandit = figures([arm(100, 5), arm(100, 5)], { mode: "thompson_sampling" });
    expect(readSegments(bandit, PROVIDER, strataGroups(bandit, "provider"), false)).toBeNull();
  });

  test("beyond the largest are one", () => {
    const strata = Array.from({ length: 30 }, (_, nth) => ({
      ...at("google", 100 + nth, [5, 6]),
      accountId: `box-${nth}`,
    }));
    const given = figures([arm(100, 5), arm(100, 5)], { strata: () => strata });
    const groups = strataGroups(given, "mailbox");
    const segments = readSegments(given, { by: "mailbox" }, groups, false)?.segments ?? [];
    expect(segments).toHaveLength(SEGMENTS_MAX);
    expect([segments[0]?.segment, segments.at(-1)?.segment]).toEqual(["box-29", "other"]);
    const all = strata.reduce(
      (sum, { counts }) => sum + counts.reduce((n, one) => n + one.sent, 0),
      0,
    );
    expect(segments.reduce((sum, { leads }) => sum + leads, 0)).toBe(all);
  });

  test("of a custom value are the ten most frequent, all others, and who has none", () => {
    const field = { by: "custom", field: "industry" } as const;
    const sizes = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`v${at}`, 100 + at]));
    const read = bySegment(field, { ...sizes, none: 900 });
    const names = read.map(({ segment }) => segment);
    expect(names).toEqual([
      ...[11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((at) => `v${at}`),
      "other",
      "none",
    ]);
    expect(read.map(({ leads }) => leads).slice(-2)).toEqual([2 * (100 + 101), 1800]);
    const { v0: _, ...eleven } = sizes;
    expect(bySegment(field, eleven).at(-1)).toMatchObject({ segment: "other", leads: 202 });
    expect(bySegment(field, { a: 1, b: 2 }).map(({ segment }) => segment)).toEqual(["b", "a"]);
  });

  test.each([
    [{ by: "country" }, "between countries: 0.5x in DE, 3x where it isn't known."],
    [{ by: "custom", field: "size" }, "between values of size: 0.5x for DE, 3x without one."],
  ] as const)("%j that differ are told of by what they are", (key, told) => {
    const groups = [
      { segment: "none", counts: [arm(600, 20), arm(600, 60)] },
      { segment: "DE", counts: [arm(400, 40), arm(400, 20)] },
    ];
    const given = figures([arm(1000, 60), arm(1000, 80)]);
    expect(readSegments(given, key, groups, false)?.sentence).toContain(told);
  });
});

/** Two or three variants in two to six places, most of them answered alike. */
const place = fc.record({
  leads: fc.integer({ min: 0, max: 900 }),
  rates: fc.array(fc.constantFrom(0, 0.02, 0.05, 0.05, 0.1, 0.2), { minLength: 3, maxLength: 3 }),
});
const drawn = fc.sample(
  fc.record({
    many: fc.constantFrom(2, 3),
    places: fc.array(place, { minLength: 2, maxLength: 6 }),
    isAssigning: fc.constantFrom(false, false, false, true),
  }),
  { numRuns: 1_000, seed: 1 },
);

test("a thousand times, what is said of segments is what their numbers say", () => {
  let told = 0;
  for (const { many, places, isAssigning } of drawn) {
    const groups = places.map(({ leads, rates }, nth) => ({
      segment: `P${nth}`,
      counts: rates.slice(0, many).map((rate) => arm(leads, Math.round(leads * rate))),
    }));
    const given = figures(groups[0]?.counts ?? []);
    const read = readSegments(given, { by: "country" }, groups, isAssigning);
    const differing = (read?.interactions ?? []).map(({ pValue }) => pValue);
    const isShown = !isAssigning && Math.min(...differing) <= 0.05;
    const endless = (nth: number) =>
      read?.segments.filter(({ lifts }) => lifts[nth]?.ratio === null);
    // Of two ratios without an end none is the larger one, so that nothing may be said.
    const isAlike = (endless(differing.indexOf(Math.min(...differing))) ?? []).length > 1;
    expect([isShown, isShown && !isAlike]).toContain(read?.sentence !== null);
    for (const { lifts } of read?.segments ?? []) {
      for (const { ratio, low, high, rateA, rateB } of lifts) {
        if (ratio !== null) {
          expect(ratio).toBeCloseTo((rateB ?? 0) / (rateA ?? 0), 9);
          expect(low).toBeLessThanOrEqual(ratio * (1 + 1e-9));
          expect(high ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(ratio * (1 - 1e-9));
        }
      }
    }
    const said =
      /^([BC]) against A differs between countries: (.+) in (P\d), (.+) in (P\d)\. Confirm/.exec(
        read?.sentence ?? "",
      );
    expect(said === null).toBe(read?.sentence == null);
    if (said !== null) {
      told += 1;
      const variant = said[1] === "B" ? 0 : 1;
      expect(differing[variant]).toBe(Math.min(...differing));
      const ratioIn = (name: string | undefined) =>
        read?.segments.find(({ segment }) => segment === name)?.lifts[variant]?.ratio ?? null;
      const words = (ratio: number | null) =>
        ratio === null ? "many times" : `${asRatio(ratio)}x`;
      const [least, most] = [ratioIn(said[3]), ratioIn(said[5])];
      expect([said[2], said[4]]).toEqual([words(least), words(most)]);
      expect(least ?? Number.POSITIVE_INFINITY).toBeLessThan(most ?? Number.POSITIVE_INFINITY);
    }
  }
  expect(told).toBeGreaterThan(100);
  expect(told).toBeLessThan(900);
});

/** Of `runs` experiments over four segments, how many are called different; B's rate over A's by segment. */
function different(ratios: readonly number[], runs: number): number {
  const draw = diceOf(7);
  const count = (n: number, rate: number) => {
    let x = 0;
    for (let lead = 0; lead < n; lead += 1) {
      x += draw() < rate ? 1 : 0;
    }
    return x;
  };
  const rates = [0.02, 0.05, 0.1, 0.15];
  const leads = [800, 400, 300, 150];
  return Array.from({ length: runs }, () => {
    const strata = rates.map((rate, at) => {
      const n = leads[at] ?? 0;
      return { xA: count(n, rate), nA: n, xB: count(n, rate * (ratios[at] ?? 1)), nB: n };
    });
    return homogeneity({ strata }).pValue <= 0.05;
  }).filter(Boolean).length;
}

test("a lift that is the same everywhere is called different in about 5 of 100, others are found", () => {
  expect(different([1, 1, 1, 1], 1000)).toBeLessThan(65);
  expect(different([1.6, 1.6, 1.6, 1.6], 1000)).toBeLessThan(65);
  expect(different([3, 1.5, 0.7, 0.5], 200)).toBeGreaterThan(180);
});
