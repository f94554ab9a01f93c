/**
 * Whether an advisory is known of what others wrote of the executable. osv-scanner looks every part of the bill of
 * materials up in a copy of OSV's records, so that a release says the same on any machine without a network:
 *
 *   bun .ci/advisories.ts outrider.cdx.json FOLDER     (FOLDER has npm/all.zip, as OSV publishes it)
 *
 * Exit code 0: none, or each is settled below. What is settled stands in the bill of materials too (CycloneDX VEX).
 */

import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Enums } from "@cyclonedx/cyclonedx-library";

/** What we found out about an advisory that a part is named in, and that doesn't touch the executable. */
export interface Settled {
  /** As OSV has it. */
  id: string;
  /** As `pkg:npm/NAME@VERSION`. */
  part: string;
  why: Enums.Vulnerability.AnalysisJustification;
  /** What we looked at, for whoever reads the bill of materials. */
  detail: string;
}

export const SETTLED: readonly Settled[] = [];

const SCANNER = join(import.meta.dir, "..", ".toolchain", "bin", "osv-scanner");

/** What the scanner says, and whether it found anything that is not settled. Throws where it could not look. */
export async function scan(
  sbom: string,
  records: string,
  settled: readonly Settled[] = SETTLED,
): Promise<{ isClean: boolean; told: string }> {
  const scanner = existsSync(SCANNER) ? SCANNER : Bun.which("osv-scanner");
  if (scanner === null) {
    throw new Error("osv-scanner is missing; .ci/run installs it into .toolchain/bin");
  }
  if (!existsSync(join(records, "npm", "all.zip"))) {
    throw new Error(`${records} has no npm/all.zip`);
  }
  const work = mkdtempSync(join(tmpdir(), "outrider-advisories-"));
  try {
    // The scanner names its folder by itself, and its settings are a file.
    cpSync(records, join(work, "osv-scanner"), { recursive: true });
    const config = join(work, "osv-scanner.toml");
    writeFileSync(config, ignored(settled, sbom));
    const child = Bun.spawn(
      [scanner, "--experimental-offline", `--config=${config}`, `--sbom=${sbom}`],
      {
        env: { ...process.env, OSV_SCANNER_LOCAL_DB_CACHE_DIRECTORY: work },
        stdout: "pipe",
        stderr: "pipe",
      },
    );
    const [out, error, code] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
      child.exited,
    ]);
    const told = out + error;
    if (code > 1 || !told.includes("Loaded npm local db")) {
      throw new Error(`osv-scanner ended with ${code}: ${told}`);
    }
    return { isClean: code === 0, told };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Settled for these versions alone: of another one it has to be looked into again. */
function ignored(settled: readonly Settled[], sbom: string): string {
  const { components } = JSON.parse(readFileSync(sbom, "utf8")) as {
    components: { purl: string }[];
  };
  const parts = new Set(components.map(({ purl }) => purl));
  return settled
    .filter(({ part }) => parts.has(part))
    .map(({ id, detail }) => `[[IgnoredVulns]]\nid = "${id}"\nreason = ${JSON.stringify(detail)}\n`)
    .join("\n");
}

if (import.meta.main) {
  const [sbom, records] = process.argv.slice(2);
  if (sbom === undefined || records === undefined) {
    throw new Error("usage: bun .ci/advisories.ts SBOM FOLDER");
  }
  const { isClean, told } = await scan(sbom, records);
  process.stderr.write(told);
  process.exitCode = isClean ? 0 : 1;
}
