/** Guarantees of `store/operations/erasure-list.ts`: what was written down is read again, whatever ended the program. */

import { afterEach, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unixMs } from "#domain/time.ts";
import { erasureListAt } from "#store/operations/erasure-list.ts";

const TEAM = "019caf10-3180-7000-a000-87fbf7479cb8";
const AT = unixMs(Date.UTC(2026, 2, 2, 15));

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-list-"));
  path = join(dir, "erasures.ndjson");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const person = (name: string, env: "live" | "test" = "live") => {
  const hash = createHash("sha256").update(`${name}@quiet.example`).digest();
  return { env, teamId: TEAM, hash: new Uint8Array(hash), at: AT };
};
const seqs = (env: "live" | "test", known: number) =>
  erasureListAt(path)
    .since(env, known)
    .map(({ seq }) => seq);

test("a line is JSON that anybody reads, for its owner alone, and names nobody", () => {
  erasureListAt(path).add([person("ann")], 0);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    seq: 1,
    env: "live",
    team_id: TEAM,
    email_hash: createHash("sha256").update("ann@quiet.example").digest("hex"),
    at: "2026-03-02T15:00:00.000Z",
  });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(erasureListAt(path).since("live", 0)).toEqual([{ seq: 1, ...person("ann") }]);
});

test("each environment sees its own, above what it knows; there may be none", () => {
  expect(seqs("live", 0)).toEqual([]);
  const list = erasureListAt(path);
  expect([list.add([person("ann")], 0), list.add([person("bob", "test")], 0)]).toEqual([1, 2]);
  expect(list.add([person("cy")], 1)).toBe(3);
  expect([seqs("live", 0), seqs("live", 1), seqs("live", 3)]).toEqual([[1, 3], [3], []]);
  expect([seqs("test", 0), seqs("test", 2)]).toEqual([[2], []]);
});

test("cut anywhere in its last line, it holds the others, and the next line is whole", () => {
  const list = erasureListAt(path);
  for (const name of ["ann", "bob"]) {
    list.add([person(name)], 0);
  }
  const whole = readFileSync(path);
  const first = whole.indexOf("\n") + 1;
  for (let length = first; length < whole.length - 1; length += 1) {
    truncateSync(path, 0);
    appendFileSync(path, whole.subarray(0, length));
    expect(seqs("live", 0)).toEqual([1]);
    expect(list.add([person("cy")], 1)).toBe(2);
    expect(erasureListAt(path).since("live", 1)).toEqual([{ seq: 2, ...person("cy") }]);
  }
});

test("a list that was lost goes on above what the database knows", () => {
  expect(erasureListAt(path).add([person("ann")], 41)).toBe(42);
  expect(seqs("live", 41)).toEqual([42]);
});

test("nothing goes, whatever its size, and what is new is found at its end", () => {
  const list = erasureListAt(path);
  const many = Array.from({ length: 10_000 }, (_, n) => person(`p${n + 1}`));
  expect(list.add(many, 0)).toBe(10_000);
  expect(list.add([person("ann"), person("bob")], 10_000)).toBe(10_002);
  expect(statSync(path).size).toBeGreaterThan(1024 * 1024);
  expect(seqs("live", 0)).toEqual(Array.from({ length: 10_002 }, (_, n) => n + 1));
  expect([seqs("live", 9_999), seqs("live", 10_002)]).toEqual([[10_000, 10_001, 10_002], []]);
});

test("text that is none of ours counts for nothing", () => {
  const list = erasureListAt(path);
  list.add([person("ann")], 0);
  const texts = ["null", "[]", "12", '{"seq":9}', '{"seq":2,"env":"live","team_id":"x"}', "\0"];
  appendFileSync(path, `${texts.join("\n")}\n`);
  expect(seqs("live", 0)).toEqual([1]);
});
