/** Guarantees of `sandbox/clock.ts`: it never goes back, jumps where told, and survives a restart. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, plus, SECOND_MS, toIso, unixMs } from "#domain/time.ts";
import { createMovableClock, type MovableClock, SPEED_MAX } from "#sandbox/clock.ts";
import { createCommitter } from "#store/sqlite/commit.ts";
import type { Db } from "#store/sqlite/database.ts";
import { handClock, openMemory, START } from "./support.ts";

function open(db: Db = openMemory(), base = handClock()) {
  const { commit } = createCommitter(db);
  return { db, base, commit, clock: createMovableClock({ db, commit, base }) };
}

/** The same file in a new process, `ms` later. */
async function reopen({ db, base, commit }: ReturnType<typeof open>, ms: number) {
  await commit(() => undefined);
  base.move(ms);
  return open(db, base);
}

describe("a new clock", () => {
  test("shows its base's time and runs with it", () => {
    const { clock, base } = open();
    expect(clock.now()).toBe(START);
    base.move(5 * SECOND_MS);
    expect(clock.now()).toBe(plus(START, 5 * SECOND_MS));
    expect([clock.speed, clock.offset, clock.held]).toEqual([1, 0, false]);
  });
});

describe("speed", () => {
  test("0 is paused, n runs n seconds a second, and a change makes no leap", () => {
    const { clock, base } = open();
    clock.setSpeed(0);
    base.move(HOUR_MS);
    expect(clock.now()).toBe(START);
    clock.setSpeed(3600);
    expect(clock.now()).toBe(START);
    base.move(2 * SECOND_MS);
    expect(clock.now()).toBe(plus(START, 2 * HOUR_MS));
  });

  test.each([-1, SPEED_MAX + 1, Number.NaN])("%p is none", (speed) => {
    expect(() => open().clock.setSpeed(speed)).toThrow(RangeError);
  });

  test("says how long its base takes to an instant", () => {
    const { clock } = open();
    clock.setSpeed(60);
    expect(clock.baseMsUntil(plus(START, HOUR_MS))).toBe(60 * SECOND_MS);
    expect(clock.baseMsUntil(plus(START, -1))).toBe(0);
    clock.setSpeed(0);
    expect(clock.baseMsUntil(plus(START, 1))).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("advanceTo", () => {
  test("stops a century before the last instant that can be named", () => {
    const { clock } = open();
    clock.advanceTo(unixMs(8.64e15));
    expect(toIso(plus(clock.now(), 100 * 365 * DAY_MS))).toMatch(/^9999-/);
  });

  test("jumps ahead and goes on from there", () => {
    const { clock, base } = open();
    clock.advanceTo(plus(START, DAY_MS));
    base.move(SECOND_MS);
    expect(clock.now()).toBe(plus(START, DAY_MS + SECOND_MS));
    expect(clock.offset).toBe(DAY_MS);
  });

  test("to an instant that has passed changes nothing", () => {
    const { clock } = open();
    clock.advanceTo(plus(START, -DAY_MS));
    expect(clock.now()).toBe(START);
  });
});

describe("hold", () => {
  test("is paused but for advanceTo, until all have let go", () => {
    const { clock, base } = open();
    const [first, second] = [clock.hold(), clock.hold()];
    base.move(HOUR_MS);
    clock.advanceTo(plus(START, SECOND_MS));
    expect(clock.now()).toBe(plus(START, SECOND_MS));
    first();
    first();
    base.move(HOUR_MS);
    expect([clock.now(), clock.held]).toEqual([plus(START, SECOND_MS), true]);
    second();
    expect([clock.now(), clock.held]).toEqual([plus(START, SECOND_MS), false]);
    base.move(HOUR_MS);
    expect(clock.now()).toBe(plus(START, SECOND_MS + HOUR_MS));
  });
});

describe("a restart", () => {
  test("keeps the offset and lets the time in between pass", async () => {
    const before = open();
    before.clock.advanceTo(plus(START, 30 * DAY_MS));
    const { clock } = await reopen(before, HOUR_MS);
    expect(clock.now()).toBe(plus(START, 30 * DAY_MS + HOUR_MS));
    expect(clock.offset).toBe(30 * DAY_MS);
  });

  test("of a frozen clock finds it where it was", async () => {
    const before = open();
    before.clock.setSpeed(0);
    const { clock } = await reopen(before, DAY_MS);
    expect([clock.now(), clock.speed]).toEqual([START, 0]);
  });

  test("of a fast clock is no leap, however long the night", async () => {
    const before = open();
    before.clock.setSpeed(3600);
    before.base.move(20 * SECOND_MS);
    const seen = before.clock.now();
    const { clock } = await reopen(before, DAY_MS);
    expect(clock.now()).toBeGreaterThanOrEqual(seen);
    expect(clock.now()).toBeLessThanOrEqual(plus(seen, 10 * HOUR_MS));
    expect(clock.speed).toBe(3600);
  });
});

test("of two restarts in a row the second goes on where the first was", async () => {
  const before = open();
  before.clock.setSpeed(3600);
  before.base.move(5 * SECOND_MS);
  const second = await reopen(before, HOUR_MS);
  second.base.move(5 * SECOND_MS);
  const seen = second.clock.now();
  const third = await reopen(second, 1);
  expect(third.clock.now()).toBeGreaterThanOrEqual(seen);
});

test("whatever happens, no clock ever shows an earlier time than before", async () => {
  const action = fc.oneof(
    fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: HOUR_MS }) }),
    fc.record({
      kind: fc.constant("speed" as const),
      speed: fc.constantFrom(0, 0.5, 1, 60, 100_000),
    }),
    fc.record({
      kind: fc.constant("jump" as const),
      ms: fc.integer({ min: -HOUR_MS, max: DAY_MS }),
    }),
    fc.record({ kind: fc.constant("hold" as const) }),
    fc.record({ kind: fc.constant("restart" as const), ms: fc.integer({ min: 0, max: DAY_MS }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(action, { maxLength: 12 }), async (actions) => {
      let env = open();
      let seen = env.clock.now();
      const look = (clock: MovableClock) => {
        expect(clock.now()).toBeGreaterThanOrEqual(seen);
        seen = clock.now();
      };
      for (const step of actions) {
        if (step.kind === "wait") {
          env.base.move(step.ms);
        } else if (step.kind === "speed") {
          env.clock.setSpeed(step.speed);
        } else if (step.kind === "jump") {
          env.clock.advanceTo(plus(env.clock.now(), step.ms));
        } else if (step.kind === "hold") {
          env.clock.hold()();
        } else {
          env = await reopen(env, step.ms);
        }
        look(env.clock);
      }
      env.db.raw.close();
    }),
    { numRuns: 100 },
  );
});
