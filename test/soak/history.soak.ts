/**
 * The history of `journeys/history.test.ts` for an hour, in stretches of ten minutes with seeds of their own,
 * with the figures in `docs/reports/history.md` and the history itself in `dist/history`.
 * `OUTRIDER_HISTORY_SECONDS` says how long in all, `OUTRIDER_HISTORY_OLDER` names the executable of another
 * build, that begins each stretch and is replaced on the way.
 */

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { checkHistory } from "../support/history/check.ts";
import { type Figures, figuresOf } from "../support/history/figures.ts";
import type { Finding } from "../support/history/history.ts";
import { runHistory } from "../support/history/run.ts";

const SECONDS = Number(process.env["OUTRIDER_HISTORY_SECONDS"] ?? 3_600);
const STRETCH = Math.min(600, SECONDS);
const SEED = Number(process.env["OUTRIDER_TEST_SEED"] ?? 1);
const OLDER = process.env["OUTRIDER_HISTORY_OLDER"];
const ROOT = resolve(import.meta.dir, "../..");
const TEST_MS_MAX = 3 * SECONDS * 1_000 + 600_000;

test(
  "hours of kills, partitions, backups and restores leave a history without a fault",
  async () => {
    const all: Figures[] = [];
    const findings: Finding[] = [];
    const began = performance.now();
    for (let nth = 0; nth * STRETCH < SECONDS; nth += 1) {
      const seed = SEED + nth;
      const { entries, rules } = await runHistory({ seconds: STRETCH, seed, older: OLDER });
      keep(`${seed}.ndjson.zst`, entries);
      all.push(figuresOf(entries));
      findings.push(...checkHistory(entries, rules));
      write(all, findings, (performance.now() - began) / 1_000);
    }
    expect(findings).toEqual([]);
  },
  TEST_MS_MAX,
);

function keep(name: string, entries: readonly unknown[]): void {
  const folder = join(ROOT, "dist", "history");
  mkdirSync(folder, { recursive: true });
  const lines = entries.map((entry) => JSON.stringify(entry)).join("\n");
  writeFileSync(join(folder, name), Bun.zstdCompressSync(Buffer.from(`${lines}\n`)));
}

const ROWS: readonly (readonly [string, keyof Figures])[] = [
  ["requests", "requests"],
  ["… acknowledged", "acknowledged"],
  ["… refused", "refused"],
  ["… whose response was lost", "unknown"],
  ["records that they read and wrote", "records"],
  ["emails that SMTP servers took", "emails"],
  ["deliveries that receivers got", "deliveries"],
  ["kills (SIGKILL), those before a restore too", "kills"],
  ["stops (SIGTERM)", "stops"],
  ["partitions: SMTP, IMAP or webhooks cut off, stalled or closed on one side", "partitions"],
  ["jumps of the sandbox's clock", "clocks"],
  ["backups while it ran", "backups"],
  ["restores", "restores"],
];

function write(all: readonly Figures[], findings: readonly Finding[], seconds: number): void {
  const sum = (name: keyof Figures) => all.reduce((total, one) => total + one[name], 0);
  const lines = [
    "# A history checked from outside",
    "",
    "Six clients write down what they ask the executable and what they are told, mail servers what they take, and",
    "receivers of webhooks what they get, while the program is killed, cut off, backed up, and put back. A checker",
    "that knows nothing of the program then looks for what was lost, doubled, or out of order. What it looks for is",
    "in `test/support/history/check*.ts`; planted faults of each kind are found by `test/history/check.test.ts`.",
    "",
    `Written by \`test/soak/history.soak.ts\`: ${Math.round(seconds)} seconds in ${all.length} stretches, each with the calm at its`,
    `end. Each ${OLDER === undefined ? "began on data of an old version" : "was begun by an older build, and upgraded on the way"}.`,
    "",
    "| | |",
    "|---|---:|",
    ...ROWS.map(([name, key]) => `| ${name} | ${sum(key).toLocaleString("en")} |`),
    `| findings | ${findings.length} |`,
    "",
    ...findings.map(({ kind, on, says }) => `- ${kind}, ${on}: ${says}`),
  ];
  writeFileSync(join(ROOT, "docs/reports/history.md"), `${lines.join("\n").trimEnd()}\n`);
}
