/**
 * The source maps that a build has left in a folder, as one file without the sources themselves.
 *
 *   bun .ci/source-map.ts FOLDER COMMIT FILE
 */

import { readdirSync, readFileSync, rmSync } from "node:fs";
import type { SourceMapPayload } from "node:module";
import { join } from "node:path";
import type { SourceMaps } from "../src/platform/source-map.ts";

const [folder, commit, out] = process.argv.slice(2);
if (folder === undefined || commit === undefined || out === undefined) {
  throw new Error("usage: bun .ci/source-map.ts FOLDER COMMIT FILE");
}
const maps: Record<string, Partial<SourceMapPayload>> = {};
for (const name of readdirSync(folder)
  .filter((file) => file.endsWith(".map"))
  .sort()) {
  const path = join(folder, name);
  const { version, sources, names, mappings } = JSON.parse(readFileSync(path, "utf8"));
  if (mappings !== "") {
    maps[name.slice(0, -".map".length)] = { version, sources, names, mappings };
  }
  rmSync(path);
}
const kept: SourceMaps = { commit, maps: maps as SourceMaps["maps"] };
await Bun.write(out, Bun.gzipSync(JSON.stringify(kept), { level: 9 }));
