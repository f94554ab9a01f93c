/** Backups while email goes out: five here, fifty in `test/soak/backups.soak.ts`. */

import { expect, test } from "bun:test";
import { liveWithBackups } from "../../support/backup-load.ts";

const COUNT = 5;

test("a backup of a campaign in motion restores to one that keeps every invariant and goes on", async () => {
  const { backups, withMail, faults } = await liveWithBackups(COUNT);
  expect(faults).toEqual([]);
  expect(backups).toBe(COUNT);
  expect(withMail).toBeGreaterThan(COUNT / 2);
}, 300_000);
