/**
 * The load of `test/journeys/load.test.ts` for half an hour, and a quarter of an hour of two teams at work;
 * figures in `docs/reports/load.md` and `docs/reports/mixed.md`.
 */

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Half, runLoad } from "../support/load.ts";
import { type MixedResult, runMixedLoad } from "../support/mixed-load.ts";

const SECONDS = Number(process.env["OUTRIDER_LOAD_SECONDS"] ?? 1_800);
const MIXED_SECONDS = Number(process.env["OUTRIDER_MIXED_SECONDS"] ?? 900);
/** Of each of the two teams. */
const MIXED_LEADS = Number(process.env["OUTRIDER_MIXED_LEADS"] ?? 100_000);
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
    write("load.md", lines);
    expect(wrong).toEqual([]);
    expect(exit).toBe(0);
    expect(halves[1].memoryMb).toBeLessThan(halves[0].memoryMb * 1.25 + 64);
  },
  (SECONDS + 300) * 1_000,
);

test(
  "two teams at work for a quarter of an hour: no error, and memory stays flat",
  async () => {
    const result = await runMixedLoad(MIXED_SECONDS, MIXED_LEADS);
    write("mixed.md", reportOf(result));
    expect(result.wrong).toEqual([]);
    expect(result.exit).toBe(0);
    const third = result.parts.length / 3;
    const most = (parts: MixedResult["parts"]) =>
      Math.max(...parts.map(({ memoryMb }) => memoryMb));
    expect(most(result.parts.slice(-third))).toBeLessThan(
      most(result.parts.slice(0, third)) * 1.25 + 64,
    );
  },
  (MIXED_SECONDS + 600) * 1_000,
);

function reportOf({ kinds, parts, reads, wrong, sent, exit }: MixedResult): string[] {
  const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
  const ms = (value: number) => value.toFixed(1);
  const both = (of: (one: MixedResult["reads"][number]) => number, all = reads) =>
    all.map(of).map(ms).join(", ");
  return [
    "# Mixed load",
    "",
    `${MIXED_SECONDS} s: two teams of ${MIXED_LEADS.toLocaleString("en")} leads each, whose campaigns send; ` +
      "point reads (a campaign, a mailbox, leads by id) over four connections of each team, with a pause of " +
      "20 ms; beside them the operations of the second table, one after another of each kind and team. " +
      `On ${navigator.hardwareConcurrency} cores, with the clients.`,
    "",
    row(["point reads", "first team", "second team"]),
    "|---|---:|---:|",
    row(["requests", ...reads.map(({ requests }) => requests)]),
    row(["p50, ms", ...reads.map(({ p50Ms }) => ms(p50Ms))]),
    row(["p99, ms", ...reads.map(({ p99Ms }) => ms(p99Ms))]),
    "",
    row(["operation", "requests", "p50, ms", "p99, ms", "longest, ms"]),
    "|---|---:|---:|---:|---:|",
    ...kinds.map((one) =>
      row([one.kind, one.requests, ms(one.p50Ms), ms(one.p99Ms), one.longestMs]),
    ),
    "",
    row([
      "until, s",
      "point reads, p50 of each team, ms",
      "p99, ms",
      "longest wait for /healthz, ms",
      "resident memory, MB",
      "write-ahead log, MB",
    ]),
    "|---:|---:|---:|---:|---:|---:|",
    ...parts.map((part) =>
      row([
        part.untilS,
        both(({ p50Ms }) => p50Ms, part.reads),
        both(({ p99Ms }) => p99Ms, part.reads),
        ...[part.stallMs, part.memoryMb, part.logMb],
      ]),
    ),
    "",
    `Emails sent ${sent}, errors ${wrong.length}, exit code ${exit}.`,
  ];
}

function write(name: string, lines: readonly string[]): void {
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(join(REPORTS, name), `${lines.join("\n")}\n`);
}
