/** The load of `test/journeys/load.test.ts` for half an hour; figures in `docs/reports/load.md`. */

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Half, runLoad } from "../support/load.ts";

const SECONDS = Number(process.env["OUTRIDER_LOAD_SECONDS"] ?? 1_800);
const REPORTS = join(import.meta.dir, "..", "..", "docs", "reports");

test(
  "half an hour under load: no answer is wrong, and nothing grows",
  async () => {
    const { wrong, halves, sent, imported, listening, rejection, exit } = await runLoad(SECONDS);
    const row = (name: string, of: (half: Half) => number) =>
      `| ${name} | ${of(halves[0])} | ${of(halves[1])} |`;
    const lines = [
      "# Load",
      "",
      `${SECONDS} s: 16 connections that read and write, a campaign that sends, files that are stored, ` +
        "2,000 idle connections, 500 that want the stream of events, five that read nothing.",
      "",
      "| | first half | second half |",
      "|---|---:|---:|",
      row("requests", ({ requests }) => requests),
      row("p50, ms", ({ p50Ms }) => p50Ms),
      row("p99, ms", ({ p99Ms }) => p99Ms),
      row("longest wait for /healthz, ms", ({ stallMs }) => stallMs),
      row("resident memory, MB", ({ memoryMb }) => memoryMb),
      row("write-ahead log, MB", ({ logMb }) => Math.round(logMb)),
      "",
      `Mails sent ${sent}, leads stored ${imported}, listeners ${listening}, told that there are ` +
        `enough ${rejection}, wrong answers ${wrong.length}, exit code ${exit}.`,
    ];
    mkdirSync(REPORTS, { recursive: true });
    writeFileSync(join(REPORTS, "load.md"), `${lines.join("\n")}\n`);
    expect(wrong).toEqual([]);
    expect(exit).toBe(0);
    expect(halves[1].memoryMb).toBeLessThan(halves[0].memoryMb * 1.25 + 64);
  },
  (SECONDS + 300) * 1_000,
);
