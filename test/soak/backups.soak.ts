/** Fifty backups over the weeks of a campaign, each restored and gone on with. */

import { expect, test } from "bun:test";
import { liveWithBackups } from "../support/backup-load.ts";

const COUNT = Number(process.env["OUTRIDER_BACKUPS"] ?? 50);
const TEST_MS_MAX = 3_600_000;

test(
  "every backup of a campaign in motion restores to one that keeps every invariant",
  async () => {
    const { backups, withMail, faults } = await liveWithBackups(COUNT);
    expect(faults).toEqual([]);
    expect(backups).toBe(COUNT);
    expect(withMail).toBeGreaterThan(COUNT / 2);
  },
  TEST_MS_MAX,
);
