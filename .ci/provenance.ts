/**
 * What a release was made from, for whoever checks how it came about: an in-toto statement with SLSA's provenance.
 * Nothing of this machine or this hour is in it, so the same commit gives the same bytes.
 *
 *   bun .ci/provenance.ts FOLDER VERSION COMMIT BUN_VERSION <RELEASE_TARGETS
 *
 * Source: https://in-toto.io/Statement/v1, https://slsa.dev/spec/v1.0/provenance.
 */

import { readdirSync } from "node:fs";
import { join } from "node:path";

export interface Made {
  version: string;
  /** All 40 digits; `-dirty` after them where files differed. */
  commit: string;
  bunVersion: string;
  /** Packages of Bun's runtimes with the SHA-256 of their executables. */
  runtimes: readonly (readonly [name: string, sha256: string])[];
  /** SHA-256 of `bun.lock`. */
  lock: string;
}

interface Descriptor {
  name?: string;
  uri?: string;
  digest: Record<string, string>;
}

export function provenance(subject: readonly Descriptor[], made: Made): string {
  const { version, commit, bunVersion, runtimes, lock } = made;
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: "urn:outrider:build.sh:release:v1",
        externalParameters: { command: "./build.sh release", commit, version },
        resolvedDependencies: [
          { name: "source", digest: { gitCommit: commit.replace(/-dirty$/, "") } },
          { name: "bun.lock", digest: { sha256: lock } },
          ...runtimes.map(([name, sha256]) => ({
            name,
            uri: `pkg:npm/%40oven/${name}@${bunVersion}`,
            digest: { sha256 },
          })),
        ],
      },
      runDetails: { builder: { id: "urn:outrider:build.sh" } },
    },
  };
  return `${JSON.stringify(statement, null, 2)}\n`;
}

async function sha256Of(path: string): Promise<string> {
  const hasher = new Bun.CryptoHasher("sha256");
  for await (const bytes of Bun.file(path).stream()) {
    hasher.update(bytes);
  }
  return hasher.digest("hex");
}

if (import.meta.main) {
  const [folder = "", version = "", commit = "", bunVersion = ""] = process.argv.slice(2);
  const targets = (await Bun.stdin.text()).trim().split("\n");
  const subject = await Promise.all(
    readdirSync(folder)
      .sort()
      .map(async (name) => ({ name, digest: { sha256: await sha256Of(join(folder, name)) } })),
  );
  const runtimes = targets.map((line) => {
    const [, name = "", sha256 = ""] = line.split(" ");
    return [name, sha256] as const;
  });
  const lock = await sha256Of(join(import.meta.dir, "..", "bun.lock"));
  await Bun.write(
    join(folder, "outrider.intoto.json"),
    provenance(subject, { version, commit, bunVersion, runtimes, lock }),
  );
}
