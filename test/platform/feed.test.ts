/** Guarantees of `platform/feed.ts`: who waits hears of the own team's news once a turn, and of the end. */

import { expect, test } from "bun:test";
import { createFeed } from "#platform/feed.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("news are the own team's, told once when the turn has ended", async () => {
  const feed = createFeed();
  const heard: string[] = [];
  const stop = feed.subscribe("a", () => heard.push("a"));
  feed.subscribe("a", () => heard.push("a too"));
  feed.subscribe("b", () => heard.push("b"));
  expect(feed.listeners).toBe(3);
  feed.notify("a");
  feed.notify("a");
  feed.notify("nobody");
  expect(heard).toEqual([]);
  await turn();
  expect(heard.splice(0)).toEqual(["a", "a too"]);

  stop();
  stop();
  feed.notify("b");
  feed.notify("a");
  await turn();
  expect(heard.splice(0)).toEqual(["b", "a too"]);
  expect(feed.listeners).toBe(2);
});

test("a beat and the end reach everybody, and a listener may leave while it is told", () => {
  const feed = createFeed();
  let calls = 0;
  const stop = feed.subscribe("a", () => {
    calls += 1;
    stop();
  });
  feed.subscribe("b", () => {
    calls += 1;
  });
  feed.beat();
  expect([calls, feed.listeners, feed.isClosed]).toEqual([2, 1, false]);
  feed.close();
  expect([calls, feed.isClosed]).toEqual([3, true]);
});

test("news that come while some are told are told in the next turn", async () => {
  const feed = createFeed();
  let calls = 0;
  feed.subscribe("a", () => {
    calls += 1;
    if (calls < 3) {
      feed.notify("a");
    }
  });
  feed.notify("a");
  await turn();
  await turn();
  expect(calls).toBe(3);
});
