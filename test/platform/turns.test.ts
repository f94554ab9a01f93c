/** Who is said to have held the thread: whoever held most of a turn, with all that ran in it. */

import { expect, test } from "bun:test";
import {
  type Holder,
  holding,
  holds,
  LONG_TURN_MS,
  longestTurns,
  ownTurn,
  watchTurns,
} from "#platform/turns.ts";

/** Keeps the thread by processor time, so that a slow machine changes nothing. */
function work(ms: number) {
  const from = performance.now();
  while (performance.now() - from < ms);
}

const of = (team: string, pay: (ms: number) => void = () => undefined): Holder => ({
  by: "a test's read",
  owner: { team, pay },
});
const turnEnds = () => new Promise((resolve) => setImmediate(resolve));

test("a turn is put down to whoever held most of it, and lasts as long as all that ran in it", async () => {
  await turnEnds();
  holds("a test's short part");
  work(6);
  holds("a test's long part");
  work(30);
  await Promise.resolve();
  work(4);
  expect(holding()?.by).toBe("a test's long part");
  await turnEnds();
  expect(holding()?.by).toBeUndefined();
  expect(longestTurns().get("a test's long part")?.ms).toBeGreaterThanOrEqual(40);
  expect(longestTurns().has("a test's short part")).toBe(false);
});

test("quick turns are not kept", async () => {
  await turnEnds();
  holds("a test's quick turn");
  await turnEnds();
  expect(longestTurns().has("a test's quick turn")).toBe(false);
});

test("a slice belongs to whoever asked for its turn", async () => {
  await turnEnds();
  holds("a test's slices");
  const turn = ownTurn();
  await turnEnds();
  await turn;
  expect(holding()?.by).toBe("a test's slices");
});

test("long turns are counted and told, by name", async () => {
  const told: string[] = [];
  watchTurns(({ by }) => told.push(by));
  await turnEnds();
  holds("a test's long turn");
  work(LONG_TURN_MS);
  await turnEnds();
  watchTurns(() => undefined);
  expect(told).toEqual(["a test's long turn"]);
  expect(longestTurns().get("a test's long turn")?.long).toBe(1);
});

test("teams' slices take turns: another team's next one follows the first of a hundred", async () => {
  await turnEnds();
  const order: string[] = [];
  const ask = async (team: string) => {
    holds(of(team));
    await ownTurn();
    order.push(team);
  };
  const asked = [...Array.from({ length: 100 }, () => ask("a")), ask("b"), ask("b")];
  await Promise.all(asked);
  expect(order.slice(0, 4)).toEqual(["a", "b", "a", "b"]);
  expect(order).toHaveLength(102);
});

test("a slice's team is that of the slice after it", async () => {
  await turnEnds();
  holds(of("a"));
  const turn = ownTurn();
  await turnEnds();
  await turn;
  expect(holding()?.owner?.team).toBe("a");
  holds("a worker");
  expect(holding()?.owner?.team).toBeUndefined();
});

test("a request pays for its stretches of the thread, and for nobody else's", async () => {
  await turnEnds();
  const paid = { a: 0, b: 0 };
  const a = of("a", (ms) => {
    paid.a += ms;
  });
  const b = of("b", (ms) => {
    paid.b += ms;
  });
  holds(a);
  work(10);
  holds(b);
  work(40);
  holds("a worker");
  work(20);
  holds(a);
  await turnEnds();
  expect(paid.a).toBeGreaterThan(0);
  expect(paid.b).toBeGreaterThan(paid.a);
  expect(paid.a + paid.b).toBeLessThan(70);
});
