/** `outrider stats eval`: a line for each question, in order, and a bad one said without losing the others. */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluate, QuestionError } from "#domain/experiments/stats/functions.ts";
import { areCasesHere, distance, statsCases } from "../support/stats-cases.ts";
import { run } from "./support.ts";

const dir = mkdtempSync(join(tmpdir(), "outrider-stats-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const WILSON = { fn: "wilson", input: { x: 0, n: 50 } };

function file(name: string, lines: readonly unknown[]): string {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
  writeFileSync(join(dir, name), text.join("\n"));
  return name;
}

async function answers(...files: string[]) {
  const { exit, out, err } = await run(["stats", "eval", ...files], { workingDir: dir });
  const lines = out.trimEnd().split("\n").filter(Boolean);
  return { exit, err, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe("stats eval", () => {
  test("answers each line in order, with its id, whatever that is", async () => {
    const ids = ["a", 7, null, { deep: [1] }];
    const path = file(
      "good.jsonl",
      ids.map((id) => ({ id, ...WILSON })),
    );
    const { exit, err, lines } = await answers(path);
    expect({ exit, err }).toEqual({ exit: 0, err: "" });
    expect(lines.map(({ id }) => id)).toEqual(ids);
    expect(lines[0]).toEqual({ id: "a", result: evaluate(WILSON.fn, WILSON.input) });
  });

  test("1: a line that cannot be answered says why, and the others are answered", async () => {
    const path = file("bad.jsonl", [
      { id: 1, ...WILSON },
      "no json",
      "",
      "[]",
      { id: 2, fn: "wilsn", input: {} },
      { id: 3, fn: "__proto__", input: {} },
      { id: 4, fn: "wilson" },
      { id: 5, fn: "wilson", input: { x: 3, n: 2 } },
      { id: 6, fn: "wilson", input: { x: 1, n: 2, levl: 0.9 } },
      { id: 7, fn: "two_prop_p", input: { x_a: 3, n_a: 2, x_b: 0, n_b: 1 } },
      { id: 8, fn: "cmh", input: { strata: [{ x_a: 1, n_a: "2", x_b: 0, n_b: 1 }] } },
      { id: 9, fn: "p_best", input: { successes: [[[[[1]]]]], failures: [1] } },
      { id: 10, ...WILSON },
    ]);
    const { exit, lines } = await answers(path);
    expect(exit).toBe(1);
    expect(lines.map(({ id, error }) => [id, error])).toEqual([
      [1, undefined],
      [null, "the line is not valid JSON"],
      [null, 'the line must be an object {"id", "fn", "input"}'],
      [2, "fn is not a known function; did you mean wilson?"],
      [3, 'fn is not a known function; see "outrider help stats eval"'],
      [4, "input must be an object"],
      [5, "x must be a whole number from 0 to 2"],
      [6, 'input has no "levl"; did you mean level?'],
      [7, "x_a must be at most n_a"],
      [8, "strata[0].n_a must be a whole number from 0 to 1000000000"],
      [9, "input has a list or object where a plain value is expected"],
      [10, undefined],
    ]);
  });

  test("1: a file that cannot be read is named, the others are answered", async () => {
    const { exit, err, lines } = await answers(
      "missing",
      file("one.jsonl", [{ id: 1, ...WILSON }]),
    );
    expect(exit).toBe(1);
    expect(err).toBe("outrider: missing: can't read the file (ENOENT)\n");
    expect(lines).toHaveLength(1);
  });

  test("reads files far larger than a chunk, and lines that chunks cut", async () => {
    const clusters = Array.from({ length: 20_000 }, (_, index) => [index % 7 === 0 ? 1 : 0, 1]);
    const input = { clusters_a: clusters, clusters_b: clusters };
    const path = file(
      "large.jsonl",
      Array.from({ length: 5 }, (_, id) => ({
        id,
        note: "ü".repeat(1000),
        fn: "rao_scott",
        input,
      })),
    );
    const { exit, lines } = await answers(path);
    expect(exit).toBe(0);
    expect(lines.map(({ id }) => id)).toEqual([0, 1, 2, 3, 4]);
    expect(lines.every(({ result }) => (result as { z: number }).z === 0)).toBe(true);
  });

  test("reads stdin where no file is named", async () => {
    const main = join(import.meta.dir, "../../src/main.ts");
    const child = Bun.spawn([process.execPath, main, "stats", "eval"], {
      stdin: new Blob([`${JSON.stringify({ id: 1, ...WILSON })}\n{}`]),
      stdout: "pipe",
    });
    const lines = (await new Response(child.stdout).text()).trimEnd().split("\n");
    expect(await child.exited).toBe(1);
    expect(lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([
      ["id", "result"],
      ["id", "error"],
    ]);
  });

  test.skipIf(!areCasesHere)(
    "meets the reference cases (skipped where ../shared is not)",
    async () => {
      const cases = statsCases();
      const { exit, lines } = await answers(file("cases.jsonl", cases));
      expect(exit).toBe(0);
      for (const [index, one] of cases.entries()) {
        expect(lines[index]?.["id"]).toBe(one.id);
        expect(distance(one, lines[index]?.["result"]).wrong).toEqual([]);
      }
    },
  );
});

function answerOrRefusal(fn: string, input: unknown): string {
  try {
    return JSON.stringify(evaluate(fn, input));
  } catch (error) {
    if (error instanceof QuestionError) {
      return error.message;
    }
    throw error;
  }
}

test("Every function that help lists answers or refuses by name, never with a fault of its own", async () => {
  const { out } = await run(["help", "stats", "eval"]);
  const listed = [...out.matchAll(/^ {2}([a-z0-9_]+): (.+)$/gm)];
  expect(listed.length).toBe(35);
  const hostile: unknown[] = [undefined, null, "1", -1, 0.5, 1e300, {}, [], [null], [[1, 2]], [{}]];
  for (const [, fn = "", inputs = ""] of listed) {
    for (const value of hostile) {
      const input = Object.fromEntries(inputs.split(", ").map((name) => [name, value]));
      expect(answerOrRefusal(fn, input)).toMatch(/^({".*}|[a-z0-9_]+(\[\d+\])*(\.[a-z_]+)? .+)$/);
    }
  }
});
