/**
 * What others wrote of the executable: the packages of `package.json` and theirs, with their licences.
 *
 *   bun .ci/third-party.ts notices > src/cli/third-party.txt
 *   bun .ci/third-party.ts sbom VERSION > outrider.cdx.json       (CycloneDX 1.6)
 */

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Contrib, Enums, Models, Serialize, Spec } from "@cyclonedx/cyclonedx-library";
import { SETTLED, type Settled } from "./advisories.ts";

const ROOT = join(import.meta.dir, "..");
/** Deeper than any tree of folders in which a package is looked for. */
const DEPTH_MAX = 32;

export interface ThirdParty {
  name: string;
  version: string;
  /** An SPDX expression, or what the package says instead. */
  licence: string;
  /** Whole texts of its licence and notice files. */
  texts: string[];
}

interface Manifest {
  name: string;
  version: string;
  license?: string | { type: string };
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
}

/** Every package that may be in the executable, once a version, by name. */
export function thirdParties(): ThirdParty[] {
  const found = new Map<string, ThirdParty>();
  const waiting = namesOf(manifestAt(ROOT)).map((name) => [ROOT, name] as const);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const folder = folderOf(...next);
    if (folder === undefined) {
      continue;
    }
    const manifest = manifestAt(folder);
    const id = `${manifest.name}@${manifest.version}`;
    if (!found.has(id)) {
      found.set(id, thirdParty(folder, manifest));
      waiting.push(...namesOf(manifest).map((name) => [folder, name] as const));
    }
  }
  return [...found.values()].sort((one, other) =>
    `${one.name}@${one.version}` < `${other.name}@${other.version}` ? -1 : 1,
  );
}

function manifestAt(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}

function namesOf({ dependencies = {}, optionalDependencies = {} }: Manifest): string[] {
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies)];
}

/** Where a package that `from` asks for lies: its own folder first, then those above. */
function folderOf(from: string, name: string): string | undefined {
  let at = from;
  for (let depth = 0; depth < DEPTH_MAX; depth += 1) {
    const folder = join(at, "node_modules", name);
    if (existsSync(join(folder, "package.json"))) {
      return folder;
    }
    if (at === ROOT) {
      return undefined;
    }
    at = dirname(at);
  }
  return undefined;
}

function thirdParty(folder: string, { name, version, license }: Manifest): ThirdParty {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  return {
    name,
    version,
    licence: (typeof license === "object" ? license.type : license) ?? "see its text",
    texts: files.sort().map((file) => readFileSync(join(folder, file), "utf8").trim()),
  };
}

const HEAD = `Outrider contains software of others, under the licences below. It runs on Bun (MIT), which
contains JavaScriptCore and WebKit (LGPL-2.1 and BSD-2-Clause), SQLite (public domain) and
BoringSSL (OpenSSL and ISC); see bun.com/docs/project/licensing.
`;

/** All packages, then each text once, with the packages that it is of. */
export function notices(packages: readonly ThirdParty[]): string {
  const owners = new Map<string, string[]>();
  for (const { name, version, texts } of packages) {
    for (const text of texts) {
      owners.set(text, [...(owners.get(text) ?? []), `${name} ${version}`]);
    }
  }
  const list = packages.map(({ name, version, licence }) => `${name} ${version}: ${licence}`);
  const texts = [...owners].map(
    ([text, names]) => `${"=".repeat(78)}\n${names.join(", ")}\n\n${text}\n`,
  );
  return `${[HEAD, list.join("\n"), "", ...texts].join("\n")}`;
}

export function sbom(
  packages: readonly ThirdParty[],
  version: string,
  settled: readonly Settled[] = SETTLED,
): string {
  const licences = new Contrib.License.Factories.LicenseFactory(checkExpression);
  const component = (type: Enums.ComponentType, { name, version, licence }: ThirdParty) => {
    const [short, group] = name.split("/").reverse();
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    const made = new Models.Component(type, short ?? name, { version, bomRef: purl, purl });
    if (group !== undefined) {
      made.group = group;
    }
    made.licenses.add(licences.makeFromString(licence));
    return made;
  };
  const bom = new Models.Bom({
    metadata: new Models.Metadata({
      component: new Models.Component(Enums.ComponentType.Application, "outrider", {
        version,
        bomRef: "outrider",
      }),
    }),
  });
  const runtime = { name: "bun", version: Bun.version, licence: "MIT", texts: [] };
  bom.components.add(component(Enums.ComponentType.Framework, runtime));
  for (const one of packages) {
    bom.components.add(component(Enums.ComponentType.Library, one));
  }
  for (const one of settled) {
    bom.vulnerabilities.add(vulnerability(one));
  }
  const serializer = new Serialize.JsonSerializer(
    new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6),
  );
  return serializer.serialize(bom, { sortLists: true, space: 2 });
}

/** An advisory that touches a part, and not the executable. */
function vulnerability({ id, part, why, detail }: Settled): Models.Vulnerability.Vulnerability {
  const { Affect, AffectRepository, Analysis, Vulnerability } = Models.Vulnerability;
  return new Vulnerability({
    id,
    bomRef: `${id} ${part}`,
    analysis: new Analysis({
      state: Enums.Vulnerability.AnalysisState.NotAffected,
      justification: why,
      detail,
    }),
    affects: new AffectRepository([new Affect(new Models.BomRef(part))]),
  });
}

/** Throws where `text` is not identifiers of licences with AND, OR and brackets. */
function checkExpression(text: string): void {
  if (!/^\(?[\w.+-]+( (AND|OR|WITH) [\w.+-]+)*\)?$/.test(text)) {
    throw new Error(`"${text}" is no expression of SPDX`);
  }
}

if (import.meta.main) {
  const [what, version] = process.argv.slice(2);
  process.stdout.write(
    what === "sbom" ? `${sbom(thirdParties(), version ?? "0")}\n` : notices(thirdParties()),
  );
}
