/** Guarantees of `platform/queues.ts`: one after the other for each key, whatever becomes of those before. */

import { expect, test } from "bun:test";
import { inTurn } from "#platform/queues.ts";

test("work under one key runs in order, though the first takes longest; another key does not wait", async () => {
  const done: string[] = [];
  const gate = Promise.withResolvers<void>();
  const first = inTurn("a", async () => {
    await gate.promise;
    done.push("first");
  });
  const second = inTurn("a", async () => {
    done.push("second");
  });
  await inTurn("b", async () => {
    done.push("other");
  });
  gate.resolve();
  await Promise.all([first, second]);
  expect(done).toEqual(["other", "first", "second"]);
});

test("work that fails tells who asked for it, and the next one runs", async () => {
  const failed = inTurn("a", () => Promise.reject(new Error("no")));
  const next = inTurn("a", async () => "yes");
  expect(await failed.catch(({ message }) => message)).toBe("no");
  expect(await next).toBe("yes");
});

test("where too many wait, one more is refused; later there is room", async () => {
  const gate = Promise.withResolvers<void>();
  const all = Array.from({ length: 40 }, () => {
    return inTurn("a", () => gate.promise).then(
      () => "done",
      ({ type }) => type,
    );
  });
  gate.resolve();
  const ends = await Promise.all(all);
  expect(ends.filter((end) => end === "done")).toHaveLength(33);
  expect(new Set(ends.slice(33))).toEqual(new Set(["unavailable"]));
  expect(await inTurn("a", async () => "done")).toBe("done");
});
