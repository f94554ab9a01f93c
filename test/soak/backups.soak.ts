/**
 * Fifty backups over the weeks of a campaign, each restored and gone on with, with the figures of what was
 * seen in `docs/reports/backups.md`. `OUTRIDER_BACKUPS` says how many.
 */

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Lived, liveWithBackups } from "../support/backup-load.ts";

const COUNT = Number(process.env["OUTRIDER_BACKUPS"] ?? 50);
const TEST_MS_MAX = 3_600_000;
const REPORTS = join(import.meta.dir, "..", "..", "docs", "reports");

test(
  "every backup of a campaign in motion restores to one that keeps every invariant",
  async () => {
    const lived = await liveWithBackups(COUNT);
    write(lived);
    const { backups, withMail, faults } = lived;
    expect(faults).toEqual([]);
    expect(backups).toBe(COUNT);
    expect(withMail).toBeGreaterThan(COUNT / 2);
  },
  TEST_MS_MAX,
);

function write({ backups, withMail, mails, sentAfter, faults }: Lived): void {
  const lines = [
    "# Backups under load",
    "",
    "Each was made in the middle of a campaign of 600 leads and two mailboxes, in the sandbox, while it",
    "sent; then unpacked, examined by SQLite, opened, gone on with for a day, and held against every",
    "invariant. Written by `test/soak/backups.soak.ts`.",
    "",
    "| | |",
    "|---|---:|",
    `| backups made and restored | ${backups} |`,
    `| … that hold mails which were sent | ${withMail} |`,
    `| mails sent, in the smallest | ${mails.least} |`,
    `| mails sent, in the largest | ${mails.most} |`,
    `| mails that the restored ones went on to send | ${sentAfter} |`,
    `| faults found by SQLite or against an invariant | ${faults.length} |`,
    "",
    ...faults.map((fault) => `- ${fault}`),
  ];
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(join(REPORTS, "backups.md"), `${lines.join("\n").trimEnd()}\n`);
}
