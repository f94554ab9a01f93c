/**
 * Whatever arrives is read: mutated emails (of the corpus where it is, and of a few of our own), and the
 * malformed ones that other parsers have died of. No exception, bounded processor time, flat memory.
 * FUZZ_MAILS sets how many, FUZZ_SEED repeats a run.
 */

import { describe, expect, test } from "bun:test";
import { fuzz, MALFORMED, timeOf } from "../../support/fuzz-mail.ts";

/** An email of a megabyte may take longer than one of the usual size; the first look also compiles. */
const CPU_MS_MAX = 100;
const TRIES = 4;

describe("a malformed mail", () => {
  test.each(MALFORMED.map(({ name, make }) => [name, make] as const))(
    "%s is read",
    async (_name, make) => {
      const raw = make();
      let least = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < TRIES && least > CPU_MS_MAX; tries += 1) {
        least = Math.min(least, (await timeOf(raw)).cpuMs);
      }
      const { reading } = await timeOf(raw);
      expect(reading.evidence).not.toBe("");
      expect(least).toBeLessThanOrEqual(CPU_MS_MAX);
    },
  );
});

test("mutated emails are read without an exception, in bounded time, in flat memory", async () => {
  const mails = Number(process.env["FUZZ_MAILS"] ?? 10_000);
  const seed = Number(process.env["FUZZ_SEED"] ?? 1);
  const { slowest, grownBytes, failures } = await fuzz({ mails, seed, cpuMsMax: CPU_MS_MAX });
  expect(failures).toEqual([]);
  expect(slowest.cpuMs).toBeLessThanOrEqual(CPU_MS_MAX);
  expect(grownBytes).toBeLessThan(150_000_000);
}, 600_000);
