/**
 * `outrider classify --score`: the benchmark of this repository is never read worse than before, its
 * emails are the same every time, and a benchmark of one's own is read or refused with a reason.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { draw, halfOf, readBenchmark } from "#cli/classify/benchmark.ts";
import { makeEmail } from "#cli/classify/benchmark-email.ts";
import type { Score } from "#cli/classify/score.ts";
import { run } from "./support.ts";

const dir = mkdtempSync(join(tmpdir(), "outrider-score-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** What each half reached: emails right, return dates, departures, and recall by class. Only ever raised. */
const REACHED = {
  a: {
    right: 752,
    dates: 47,
    left: 24,
    recall: {
      interested: 0.984,
      not_interested: 0.877,
      neutral: 1,
      opt_out: 0.974,
      automatic: 0.982,
      complaint: 1,
      bounce_hard: 0.962,
      bounce_soft: 0.963,
      bounce_block: 0.955,
      delay: 0.955,
    },
  },
  b: {
    right: 675,
    dates: 45,
    left: 11,
    recall: {
      interested: 0.979,
      not_interested: 0.864,
      neutral: 0.991,
      opt_out: 0.871,
      automatic: 0.978,
      complaint: 0.929,
      bounce_hard: 0.941,
      bounce_soft: 1,
      bounce_block: 0.914,
      delay: 1,
    },
  },
} as const;

/** Of the bytes of all emails: figures of two versions are those of the same benchmark. */
const EMAILS = "9d57246ebba2e284889ed5f87b2cf795be251ea29721c1df91bf8146a1885cf7";

describe("the benchmark", () => {
  let scores: Score[] = [];

  beforeAll(async () => {
    const { exit, out } = await run(["classify", "--score", "built-in", "--json"]);
    expect(exit).toBe(0);
    scores = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  });

  for (const half of ["a", "b"] as const) {
    test(`half ${half} is read no worse than before`, () => {
      const score = scores.find((one) => one.half === half);
      const { right, dates, left, recall } = REACHED[half];
      expect(score?.right).toBeGreaterThanOrEqual(right);
      expect(score?.return_dates.right).toBeGreaterThanOrEqual(dates);
      expect(score?.left.right).toBeGreaterThanOrEqual(left);
      const found = Object.fromEntries(
        (score?.classes ?? []).map((one) => [one.class, one.recall]),
      );
      const worse = Object.entries(recall).filter(([name, least]) => (found[name] ?? 0) < least);
      expect(worse).toEqual([]);
    });
  }

  for (const half of ["a", "b"] as const) {
    test(`half ${half}: what blocks us is never a hard bounce`, () => {
      const score = scores.find((one) => one.half === half);
      const hard = score?.confusions.filter(({ read_as }) => read_as === "bounce_hard") ?? [];
      expect(hard.map((one) => one.class)).toEqual([]);
    });
  }

  test("only half a names its misses", () => {
    expect(scores.map(({ half, missed }) => [half, missed.length > 0])).toEqual([
      ["a", true],
      ["b", false],
    ]);
  });

  test("has 1,500 emails under ids of their own, and every email is the same each time", async () => {
    const { samples, languages } = await readBenchmark();
    expect(new Set(samples.map(({ id }) => id)).size).toBe(1500);
    const hasher = new Bun.CryptoHasher("sha256");
    for (const sample of samples) {
      const around = languages.get(sample.language);
      hasher.update(around === undefined ? "" : makeEmail(sample, around));
    }
    expect(hasher.digest("hex")).toBe(EMAILS);
  });

  test("draws and halves are those that its README describes", () => {
    expect(draw({ id: "en-interested-1" }, "half", 1000)).toBe(494);
    expect(halfOf({ id: "en-interested-1" })).toBe("a");
  });
});

/** What half c reached when it was last scored. Rules aren't changed with it in view. Only ever raised. */
const STRANGERS = {
  right: 303,
  dates: 33,
  left: 7,
  classes: {
    interested: 42,
    not_interested: 25,
    neutral: 45,
    opt_out: 90,
    automatic: 62,
    complaint: 5,
    bounce_hard: 12,
    bounce_soft: 9,
    bounce_block: 8,
    delay: 5,
  },
  /** Read as an opt-out though they aren't. Only ever lowered. */
  wronglyOptedOut: 0,
};

/** Of the list and of the bytes of all its files. */
const STRANGERS_EMAILS = "d671545282a566bac92f0d95cd5b4b38bc90c78e3fe08d9f4f9de591b395b369";

describe("half c, by somebody who hadn't seen the rules", () => {
  const path = join(import.meta.dir, "..", "..", "bench", "classify", "c");
  let scores: Score[] = [];
  const sum = (of: (score: Score) => number) => scores.reduce((all, one) => all + of(one), 0);

  beforeAll(async () => {
    const { exit, out } = await run(["classify", "--score", path, "--json"]);
    expect(exit).toBe(0);
    scores = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  });

  test("is read no worse than before", () => {
    expect(sum(({ right }) => right)).toBeGreaterThanOrEqual(STRANGERS.right);
    expect(sum((one) => one.return_dates.right)).toBeGreaterThanOrEqual(STRANGERS.dates);
    expect(sum((one) => one.left.right)).toBeGreaterThanOrEqual(STRANGERS.left);
    const found = (name: string) =>
      sum((one) => one.classes.find((each) => each.class === name)?.right ?? 0);
    const worse = Object.entries(STRANGERS.classes).filter(([name, least]) => found(name) < least);
    expect(worse).toEqual([]);
  });

  const mistakenFor = (name: string) =>
    sum(({ confusions }) =>
      confusions.reduce((all, one) => all + (one.read_as === name ? one.emails : 0), 0),
    );

  test("opts out no more people who didn't ask for it", () => {
    expect(mistakenFor("opt_out")).toBeLessThanOrEqual(STRANGERS.wronglyOptedOut);
  });

  test("no block is a hard bounce", () => {
    expect(mistakenFor("bounce_hard")).toBe(0);
  });

  test("has the emails and labels that were scored", () => {
    const list = readFileSync(join(path, "emails.ndjson"), "utf8");
    const hasher = new Bun.CryptoHasher("sha256").update(list);
    const files = list
      .trimEnd()
      .split("\n")
      .map((line): string => JSON.parse(line).file);
    for (const file of files) {
      hasher.update(readFileSync(join(path, file)));
    }
    expect(files).toHaveLength(358);
    expect(hasher.digest("hex")).toBe(STRANGERS_EMAILS);
  });
});

describe("with a model, where the rules are silent", () => {
  const samples = [
    { label: "interested", text: "Blue, as far as I know." },
    { label: "neutral", text: "Green is what they chose back then." },
    { label: "not_interested", text: "It rains here on most days." },
    { label: "opt_out", text: "Please remove me from your list." },
  ];
  const folder = join(dir, "model");
  const asked: { key: string | null; words: string }[] = [];
  let labels: string[] = [];
  let server: ReturnType<typeof Bun.serve>;
  beforeAll(async () => {
    const lines = samples.map((one, n) => JSON.stringify({ ...one, id: `m${n}`, language: "en" }));
    await Bun.write(join(folder, "emails.ndjson"), lines.join("\n"));
    server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: async (request) => {
        const { messages } = (await request.json()) as { messages: { content: string }[] };
        const key = request.headers.get("authorization");
        asked.push({ key, words: messages[1]?.content ?? "" });
        const interest = labels.shift();
        const content = JSON.stringify({ interest, reason: "a script" });
        return interest === undefined
          ? new Response("overloaded", { status: 503 })
          : Response.json({ choices: [{ message: { content } }] });
      },
    });
  });
  afterAll(() => server.stop(true));

  const score = (...more: string[]) =>
    run(
      [
        ...["classify", "--score", folder, "--json", "--model"],
        ...["--reply-model-url", `http://127.0.0.1:${server.port}/v1`, ...more],
      ],
      { env: { OUTRIDER_REPLY_MODEL_KEY: "secret" } },
    );

  test("its labels count, and it isn't asked about an opt-out", async () => {
    labels = ["interested", "unsure", "interested"];
    const { exit, out } = await score();
    expect(exit).toBe(0);
    const halves: Score[] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const sum = (of: (score: Score) => number | undefined) =>
      halves.reduce((all, one) => all + (of(one) ?? 0), 0);
    expect([sum(({ right }) => right), sum(({ of }) => of)]).toEqual([3, 4]);
    expect(sum(({ model }) => model?.of)).toBe(3);
    expect(sum(({ model }) => model?.labelled)).toBe(2);
    expect(sum(({ model }) => model?.right)).toBe(1);
    expect(asked.map(({ key }) => key)).toEqual(Array(3).fill("Bearer secret"));
    expect(asked.every(({ words }) => !words.includes("remove me"))).toBe(true);
  });

  test("one that can't be asked ends it with the reason", async () => {
    labels = ["interested"];
    const { exit, err, out } = await score();
    expect([exit, out]).toEqual([69, ""]);
    expect(err).toContain("503");
  });

  test.each([
    [["--score", folder, "--model"], "reply-model-url"],
    [["--model", "--reply-model-url", "http://127.0.0.1:1/v1", "a.eml"], "--score"],
    [["--score", folder, "--model", "--reply-model-url", "nonsense"], "reply-model-url"],
  ])("%j is refused", async (args, named) => {
    const { exit, err } = await run(["classify", ...args]);
    expect(exit).toBeGreaterThan(0);
    expect(err).toContain(named);
  });
});

test("half d, in words that people use, is read no worse than before", async () => {
  const path = join(import.meta.dir, "..", "..", "bench", "classify", "d");
  const { exit, out } = await run(["classify", "--score", path, "--json"]);
  expect(exit).toBe(0);
  const scores: Score[] = out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const reached: Record<string, readonly number[]> = { a: [535, 30, 26], b: [499, 23, 13] };
  for (const { half, right, return_dates, left } of scores) {
    const found = [right, return_dates.right, left.right];
    const worse = (reached[half] ?? [1]).filter((least, at) => (found[at] ?? 0) < least);
    expect(worse).toEqual([]);
  }
});

describe("a benchmark of one's own", () => {
  const lines = (...all: object[]) =>
    writeFileSync(join(dir, "emails.ndjson"), all.map((one) => JSON.stringify(one)).join("\n"));

  test("may name raw emails", async () => {
    writeFileSync(
      join(dir, "one.eml"),
      ["From: a@b.test", "Subject: Re: x", "", "Please unsubscribe me."].join("\r\n"),
    );
    lines({ id: "1", language: "en", label: "opt_out", file: "one.eml" });
    const { exit, out } = await run(["classify", "--score", dir, "--json"]);
    expect(exit).toBe(0);
    const scores: Score[] = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(scores.map(({ right, of }) => [right, of]).toSorted()).toEqual([
      [0, 0],
      [1, 1],
    ]);
  });

  const wrong: [object, string][] = [
    [{ label: "opt_out", text: "x", language: "en" }, "line 1: id is missing"],
    [{ id: "1", label: "spam", text: "x", language: "en" }, "line 1: label must be one of"],
    [{ id: "1", label: "opt_out", text: "x", language: "xx" }, "line 1: needs a file, or a text"],
    [{ id: "1", label: "opt_out", file: "absent.eml" }, "absent.eml: can't read the file (ENOENT)"],
  ];
  for (const [line, message] of wrong) {
    test(`65: ${message}`, async () => {
      lines(line);
      const { exit, err } = await run(["classify", "--score", dir]);
      expect({ exit, err }).toEqual({ exit: 65, err: expect.stringContaining(message) });
    });
  }

  test("65: a directory without the list", async () => {
    const { exit, err } = await run(["classify", "--score", join(dir, "none")]);
    expect({ exit, err }).toEqual({ exit: 65, err: expect.stringContaining("emails.ndjson") });
  });
});
