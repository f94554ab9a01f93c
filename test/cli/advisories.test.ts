/**
 * A release knows the advisories of its parts: planted ones, in OSV's form, are found by osv-scanner in our bill of
 * materials, and what is settled is left out for the version that was looked at alone.
 */

import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Enums } from "@cyclonedx/cyclonedx-library";
import { type Settled, scan } from "../../.ci/advisories.ts";
import { sbom, thirdParties } from "../../.ci/third-party.ts";
import manifest from "../../package.json";
import { temporaryDirectory } from "../support/executable.ts";

const SCANNER = resolve(import.meta.dir, "../../.toolchain/bin/osv-scanner");
const IS_FULL = process.env["OUTRIDER_TEST_TIER"] === "full";
const SKIPS_SCANNER = !IS_FULL && !existsSync(SCANNER);
const ID = "GHSA-2222-3333-4444";
const VERSION = manifest.dependencies.imapflow;
const [MAJOR] = VERSION.split(".").map(Number) as [number];
const SETTLED: Settled = {
  id: ID,
  part: `pkg:npm/imapflow@${VERSION}`,
  why: Enums.Vulnerability.AnalysisJustification.CodeNotReachable,
  detail: 'Outrider never calls "it"',
};

/** Scans our parts with one record: versions of `name` from the first on, up to `fixed`. */
async function scanWith(
  name: string,
  fixed: string,
  settled: readonly Settled[] = [],
): Promise<boolean> {
  using folder = temporaryDirectory();
  const records = join(folder.path, "records");
  mkdirSync(join(records, "npm"), { recursive: true });
  const record = join(folder.path, `${ID}.json`);
  const ranges = [{ type: "SEMVER", events: [{ introduced: "0" }, { fixed }] }];
  const affected = [{ package: { ecosystem: "npm", name }, ranges }];
  const known = { schema_version: "1.6.0", id: ID, modified: "2026-01-01T00:00:00Z", affected };
  writeFileSync(record, JSON.stringify(known));
  const archive = join(records, "npm", "all.zip");
  await Bun.spawn(["python3", "-m", "zipfile", "-c", archive, record]).exited;
  const bill = join(folder.path, "outrider.cdx.json");
  writeFileSync(bill, sbom(thirdParties(), "1.0.0", settled));
  const { isClean, told } = await scan(bill, records, settled);
  expect(told.includes(ID)).toBe(!isClean || settled.some(({ part }) => part === SETTLED.part));
  return isClean;
}

describe.skipIf(SKIPS_SCANNER)("osv-scanner (skipped where it is not installed)", () => {
  test("finds a part that an advisory names, by its version", async () => {
    expect(await scanWith("imapflow", `${MAJOR + 1}.0.0`)).toBe(false);
    expect(await scanWith("imapflow", VERSION)).toBe(true);
    expect(await scanWith("@elysiajs/swagger", "99.0.0")).toBe(false);
    expect(await scanWith("left-pad", "99.0.0")).toBe(true);
  });

  test("leaves out what is settled, for the version that was looked at", async () => {
    expect(await scanWith("imapflow", "99.0.0", [SETTLED])).toBe(true);
    const earlier = { ...SETTLED, part: "pkg:npm/imapflow@0.0.1" };
    expect(await scanWith("imapflow", "99.0.0", [earlier])).toBe(false);
  });

  test("doesn't pass without records", async () => {
    using folder = temporaryDirectory();
    const bill = join(folder.path, "outrider.cdx.json");
    writeFileSync(bill, sbom(thirdParties(), "1.0.0"));
    await expect(scan(bill, folder.path)).rejects.toThrow("has no npm/all.zip");
  });
});

test("the bill of materials says what is settled, and why", () => {
  const { vulnerabilities } = JSON.parse(sbom(thirdParties(), "1.0.0", [SETTLED]));
  expect(vulnerabilities).toEqual([
    {
      "bom-ref": `${ID} ${SETTLED.part}`,
      id: ID,
      analysis: {
        state: "not_affected",
        justification: "code_not_reachable",
        detail: SETTLED.detail,
      },
      affects: [{ ref: SETTLED.part }],
    },
  ]);
});
