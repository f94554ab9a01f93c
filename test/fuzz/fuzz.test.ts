/**
 * What strangers write is read, whatever it is: each reader with its first inputs, those that were found to lead
 * somewhere else, and changed ones. FUZZ_INPUTS sets how many, FUZZ_SEED repeats a run, FUZZ_KEEP=1 stores an input of
 * each new outcome. `soak/fuzz.soak.ts` does it for an hour each.
 */

import { describe, expect, test } from "bun:test";
import { email } from "../support/fuzz/email.ts";
import { fuzz, known, shrink, type Target } from "../support/fuzz/fuzz.ts";
import { bytes } from "../support/fuzz/mutate.ts";
import { csv, liquid, packed, tar } from "../support/fuzz/readers.ts";
import { httpTarget, imap, smtp } from "../support/fuzz/servers.ts";

const TEST_MS_MAX = 600_000;
const seed = Number(process.env["FUZZ_SEED"] ?? 1);
const keeps = process.env["FUZZ_KEEP"] === "1";
const given = Number(process.env["FUZZ_INPUTS"] ?? Number.NaN);
const inputsOf = (usual: number) => (Number.isNaN(given) ? usual : given);

/** Outcomes that an ordinary run meets: fewer, and the changes lead nowhere. */
const TARGETS: readonly [string, () => Target | Promise<Target>, number, number][] = [
  ["emails", () => email, 8_000, 10],
  ["files of leads", () => csv, 3_000, 20],
  ["templates", () => liquid, 3_000, 20],
  ["archives", () => tar, 3_000, 3],
  ["packed reports", () => packed, 3_000, 3],
  ["answers of IMAP servers", () => imap, 300, 10],
  ["answers of SMTP servers", () => smtp, 300, 10],
  ["requests", httpTarget, 500, 5],
];

test.each(TARGETS)(
  "%s",
  async (_name, targetOf, usual, outcomesMin) => {
    const target = await targetOf();
    try {
      const report = await fuzz(target, { seed, inputs: inputsOf(usual), keeps });
      expect(report.broken).toEqual([]);
      expect(report.tried).toBeGreaterThanOrEqual(Math.min(inputsOf(usual), usual));
      expect(report.outcomes.size).toBeGreaterThanOrEqual(outcomesMin);
    } finally {
      await target.stop?.();
    }
  },
  TEST_MS_MAX,
);

describe("the search itself", () => {
  const naive: Target = {
    name: "naive",
    inputs: () => [bytes("a quiet beginning")],
    tokens: ["{", "}", "boom"],
    run: (input) => {
      const text = new TextDecoder().decode(input);
      // Two steps deep: only inputs that went the first are likely to go the second.
      if (/\{+[^{}]*boom[^{}]*boom[^{}]*\}/.test(text)) {
        throw new Error("found");
      }
      return `${text.includes("{")} ${text.includes("}")} ${text.split("boom").length > 1}`;
    },
  };

  test("finds what is hidden behind what it has found, and makes it small", async () => {
    const { broken } = await fuzz(naive, { seed: 1, inputs: 20_000 });
    const inputs = broken.map(({ input }) => Buffer.from(input, "base64").toString());
    expect(inputs).toContain("{boomboom}");
  });

  test("is the same again for the same seed", async () => {
    const first = await fuzz(liquid, { seed: 5, inputs: 200 });
    const second = await fuzz(liquid, { seed: 5, inputs: 200 });
    expect([...second.outcomes]).toEqual([...first.outcomes]);
  });

  test("makes an input as small as it stays so", async () => {
    const input = bytes(`${"x".repeat(1000)}ab${"y".repeat(1000)}`);
    const has = (part: Uint8Array) =>
      Promise.resolve(new TextDecoder().decode(part).includes("ab"));
    expect(await shrink(input, has)).toEqual(bytes("ab"));
  });

  test("knows what was found before", () => {
    expect(known(csv).length + known(liquid).length).toBeGreaterThan(0);
    expect(known(naive)).toEqual([]);
  });
});
