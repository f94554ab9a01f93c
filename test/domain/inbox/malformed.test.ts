/** Emails that other parsers have died of are read in bounded processor time, and it's said why as what. */

import { expect, test } from "bun:test";
import { EMAIL_CPU_MS_MAX, readingOf } from "../../support/fuzz/email.ts";
import { MALFORMED } from "../../support/fuzz/malformed.ts";

/** The first look also compiles. */
const TRIES = 4;

test.each(MALFORMED.map(({ name, make }) => [name, make] as const))(
  "%s is read",
  async (_name, make) => {
    const raw = make();
    let least = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && least > EMAIL_CPU_MS_MAX; tries += 1) {
      const start = process.cpuUsage();
      expect((await readingOf(raw)).evidence).not.toBe("");
      const { user, system } = process.cpuUsage(start);
      least = Math.min(least, (user + system) / 1000);
    }
    expect(least).toBeLessThanOrEqual(EMAIL_CPU_MS_MAX);
  },
);
