/**
 * Places in the executable as places in its sources, where the source map of the same commit lies beside it.
 * Without one, a stack has the names of functions, and places in the bundle.
 */

import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";

/** What `.ci/source-map.ts` writes: a map for each file of the bundle. */
export interface SourceMaps {
  commit: string;
  maps: Readonly<Record<string, SourceMapPayload>>;
}

/** A place where a compiled executable's files seem to lie. */
const PLACE = /[^\s("]*(?:\$bunfs|~BUN)[^\s(":]*?([\w.-]+):(\d+):(\d+)/g;

/** Rewrites the places in a text; the map is read for the first one. */
export function placesOf(executable: string, commit: string): (text: string) => string {
  let maps: Record<string, SourceMap> | undefined;
  return (text) =>
    text.replace(PLACE, (whole, file: string, line: string, column: string) => {
      maps ??= readMaps(`${executable}.map.gz`, commit);
      const entry = maps[file]?.findEntry(Number(line) - 1, Number(column) - 1);
      return entry !== undefined && "originalSource" in entry
        ? `${entry.originalSource}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
        : whole;
    });
}

function readMaps(path: string, commit: string): Record<string, SourceMap> {
  try {
    const text = new TextDecoder().decode(Bun.gunzipSync(readFileSync(path)));
    const kept = JSON.parse(text) as SourceMaps;
    const maps = kept.commit === commit ? Object.entries(kept.maps) : [];
    return Object.fromEntries(maps.map(([file, map]) => [file, new SourceMap(map)]));
  } catch {
    return {};
  }
}
