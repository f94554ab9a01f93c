/** Guarantees of `engine/run.ts`: workers are driven in order, and a bug in one stops no other. */

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import { createEngine } from "#engine/run.ts";
import type { Worker } from "#engine/worker.ts";
import type { Environment } from "#environment.ts";
import type { Log } from "#platform/log.ts";
import { createTestApp, START, type TestApp } from "../support/app.ts";

let app: TestApp;
let errors: { message: string; fields: Record<string, unknown> | undefined }[];
beforeEach(async () => {
  errors = [];
  const log: Log = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (message, fields) => {
      errors.push({ message, fields });
    },
  };
  app = await createTestApp({ log });
});
afterEach(() => app.close());

const clock = () => ({
  advanceTo: (at: UnixMs) => app.wall.set(at),
  hold: () => () => undefined,
});

function worker(name: string, step: (now: UnixMs) => UnixMs | undefined): Worker {
  return { name, step: async (now) => step(now), settled: () => Promise.resolve() };
}

const next = (times: readonly number[], now: UnixMs) =>
  times.map((minutes) => plus(START, minutes * MINUTE_MS)).find((at) => at > now);

describe("advance", () => {
  test("steps every worker at each due instant, in the order of the workers, and ends at its goal", async () => {
    const seen: string[] = [];
    const make = (name: string, times: readonly number[]) =>
      worker(name, (now) => {
        seen.push(`${name}${(now - START) / MINUTE_MS}`);
        return next(times, now);
      });
    const engine = createEngine(app.environments.live, [make("a", [2, 9, 50]), make("b", [5, 9])]);
    await engine.advance(clock(), plus(START, 10 * MINUTE_MS));
    expect(seen).toEqual(["a0", "b0", "a2", "b2", "a5", "b5", "a9", "b9"]);
    expect(app.wall.now()).toBe(plus(START, 10 * MINUTE_MS));
  });

  test("waits for what a worker has started before time goes on", async () => {
    let underWay: Promise<void> | undefined;
    const order: string[] = [];
    const slow: Worker = {
      name: "slow",
      step: async (now) => {
        order.push(`step ${(now - START) / MINUTE_MS}`);
        underWay = Promise.resolve().then(() => {
          order.push("done");
        });
        return next([1], now);
      },
      settled: async () => {
        await underWay;
      },
    };
    await createEngine(app.environments.live, [slow]).advance(clock(), plus(START, 2 * MINUTE_MS));
    expect(order).toEqual(["step 0", "done", "step 1", "done"]);
  });

  test("of workers that make no progress ends with an error", async () => {
    const stuck = worker("stuck", (now) => now);
    const engine = createEngine(app.environments.live, [stuck]);
    expect(engine.advance(clock(), plus(START, MINUTE_MS))).rejects.toThrow("no progress");
  });

  test("lets other work have its turn", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    let left = 200;
    const busy = worker("busy", (now) => {
      left -= 1;
      return left > 0 ? now : undefined;
    });
    await createEngine(app.environments.live, [busy]).advance(clock(), plus(START, MINUTE_MS));
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(4);
  });
});

describe("in production", () => {
  /** An environment whose due instants come at once, so that no test waits for them. */
  const hurried = (): Environment => ({ ...app.environments.live, wallMsUntil: () => 0 });

  test("a worker that throws is logged and the others go on", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let steps = 0;
    const bad = worker("bad", () => {
      throw new Error("a bug");
    });
    const good = worker("good", (now) => {
      steps += 1;
      if (steps === 5) {
        resolve();
      }
      return now;
    });
    const engine = createEngine(hurried(), [bad, good]);
    engine.start();
    await promise;
    await engine.stop();
    expect(errors.length).toBeGreaterThan(0);
    expect(errors[0]).toMatchObject({
      message: "a worker failed",
      fields: { worker: "bad", env: "live", cause: expect.stringContaining("a bug") },
    });
  });

  test("a worker that threw is stepped again when it is woken, but not at once", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let steps = 0;
    const bad = worker("bad", () => {
      steps += 1;
      if (steps === 2) {
        resolve();
      }
      throw new Error("a bug");
    });
    const engine = createEngine(hurried(), [bad]);
    engine.start();
    await new Promise((done) => setImmediate(done));
    expect(steps).toBe(1);
    engine.wake();
    await promise;
    await engine.stop();
    expect(steps).toBe(2);
  });

  test("a wake that comes during a step is not lost", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    let steps = 0;
    const sleepy = worker("sleepy", () => {
      steps += 1;
      if (steps === 1) {
        engine.wake();
      } else {
        resolve();
      }
      return undefined;
    });
    const engine = createEngine(app.environments.live, [sleepy]);
    engine.start();
    await promise;
    await engine.stop();
    expect(steps).toBe(2);
  });

  test("stop waits for what is under way, and nothing is stepped after it", async () => {
    const gate = Promise.withResolvers<void>();
    let [steps, settled] = [0, false];
    const slow: Worker = {
      name: "slow",
      step: async (now) => {
        steps += 1;
        return now;
      },
      settled: async () => {
        await gate.promise;
        settled = true;
      },
    };
    const engine = createEngine(hurried(), [slow]);
    engine.start();
    const stopped = engine.stop();
    gate.resolve();
    await stopped;
    const after = steps;
    engine.wake();
    await new Promise((done) => setImmediate(done));
    expect([settled, steps]).toEqual([true, after]);
  });
});
