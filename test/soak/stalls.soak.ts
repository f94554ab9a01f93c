/**
 * The stalls of `test/journeys/stalls.test.ts` with a million leads (`OUTRIDER_STALL_LEADS` says otherwise);
 * every operation's figures in `docs/reports/stalls.md`.
 */

import { expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { measureStalls } from "../support/stalls/measure.ts";
import { stallTable } from "../support/stalls/table.ts";

const LEADS = Number(process.env["OUTRIDER_STALL_LEADS"] ?? 1_000_000);
const REPORTS = join(import.meta.dir, "..", "..", "docs", "reports");

test(`every operation once with ${LEADS} leads: none fails`, async () => {
  const stalls = await measureStalls(LEADS, () => undefined);
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(join(REPORTS, "stalls.md"), stallTable(LEADS, stalls));
  expect(stalls.filter(({ status }) => status === 500)).toEqual([]);
}, 7_200_000);
