/**
 * Examples of the API's operations, recorded from the product itself in its sandbox: with a clock that stands,
 * ids and dice from a seed, so that every recording is the same. One operation a line.
 *
 *   bun .ci/examples.ts           writes src/api/document/examples.ndjson
 */

import { join } from "node:path";
import type { Examples } from "#api/document/examples.ts";
import { record } from "./examples/record.ts";

export const EXAMPLES_FILE = join(import.meta.dir, "../src/api/document/examples.ndjson");

/** The whole file. */
export async function examplesText(): Promise<string> {
  const examples: Examples = await record();
  const lines = Object.entries(examples).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return lines.map(([id, example]) => `${JSON.stringify({ id, ...example })}\n`).join("");
}

if (import.meta.main) {
  await Bun.write(process.argv[2] ?? EXAMPLES_FILE, await examplesText());
}
