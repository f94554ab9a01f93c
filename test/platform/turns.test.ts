/** Who is said to have held the thread: whoever held most of a turn, with all that ran in it. */

import { expect, test } from "bun:test";
import {
  holder,
  holderTeam,
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

const turnEnds = () => new Promise((resolve) => setImmediate(resolve));

test("a turn is put down to whoever held most of it, and lasts as long as all that ran in it", async () => {
  await turnEnds();
  holds("a test's short part");
  work(6);
  holds("a test's long part");
  work(30);
  await Promise.resolve();
  work(4);
  expect(holder()).toBe("a test's long part");
  await turnEnds();
  expect(holder()).toBeUndefined();
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
  expect(holder()).toBe("a test's slices");
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
    holds("a test's read", team);
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
  holds("a test's read", "a");
  const turn = ownTurn();
  await turnEnds();
  await turn;
  expect(holderTeam()).toBe("a");
  holds("a worker");
  expect(holderTeam()).toBeUndefined();
});
