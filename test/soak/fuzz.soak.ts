/** Each reader of what strangers write, for FUZZ_MINUTES (60); what leads somewhere new is stored. */

import { expect, test } from "bun:test";
import { email } from "../support/fuzz/email.ts";
import { fuzz, type Target } from "../support/fuzz/fuzz.ts";
import { csv, liquid, packed, tar } from "../support/fuzz/readers.ts";
import { httpTarget, imap, smtp } from "../support/fuzz/servers.ts";

const MS = Number(process.env["FUZZ_MINUTES"] ?? 60) * 60_000;
const SEED = Number(process.env["FUZZ_SEED"] ?? 2);
const HEAP_BYTES_MAX = 150_000_000;
const LASTING = [email, csv, liquid, tar, packed, imap, smtp];
const TARGETS: [string, () => Target | Promise<Target>][] = [
  ...LASTING.map((one): [string, () => Target] => [one.name, () => one]),
  ["http", httpTarget],
];

test.each(TARGETS)(
  "%s: no promise is broken, and memory stays flat",
  async (name, targetOf) => {
    const target = await targetOf();
    try {
      await fuzz(target, { seed: SEED, ms: MS / 10 });
      const before = heapBytes();
      const report = await fuzz(target, { seed: SEED + 1, ms: MS, keeps: true });
      const grown = heapBytes() - before;
      const { tried, outcomes, slowest } = report;
      const slow = `slowest ${slowest.cpuMs.toFixed(1)} ms, heap +${grown}`;
      console.info(`${name}: ${tried} inputs, ${outcomes.size} outcomes, ${slow}`);
      expect(report.broken).toEqual([]);
      expect(grown).toBeLessThan(HEAP_BYTES_MAX);
    } finally {
      await target.stop?.();
    }
  },
  MS * 3,
);

function heapBytes(): number {
  Bun.gc(true);
  return process.memoryUsage().heapUsed;
}
