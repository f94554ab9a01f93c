/** Classification over many mutated emails: FUZZ_MAILS (200,000), FUZZ_SEED (2). */

import { expect, test } from "bun:test";
import { fuzz } from "../support/fuzz-mail.ts";

const CPU_MS_MAX = 100;
const TEST_MS_MAX = 7_200_000;

test(
  "200,000 mutated emails: no exception, 100 ms of processor time at most, flat memory",
  async () => {
    const mails = Number(process.env["FUZZ_MAILS"] ?? 200_000);
    const seed = Number(process.env["FUZZ_SEED"] ?? 2);
    const report = await fuzz({ mails, seed, cpuMsMax: CPU_MS_MAX });
    console.info(`${mails} mails, slowest ${report.slowest.cpuMs} ms, heap +${report.grownBytes}`);
    expect(report.failures).toEqual([]);
    expect(report.slowest.cpuMs).toBeLessThanOrEqual(CPU_MS_MAX);
    expect(report.grownBytes).toBeLessThan(150_000_000);
  },
  TEST_MS_MAX,
);
