/** Golden files: whole texts that are compared byte for byte, and rewritten with UPDATE_GOLDEN=1. */

import { expect } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DIR = join(import.meta.dir, "../golden");

/** Expects `text` to be what `test/golden/<name>` holds. */
export function expectGolden(name: string, text: string): void {
  const path = join(DIR, name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    writeFileSync(path, text);
  }
  expect(existsSync(path) ? readFileSync(path, "utf8") : "(no golden file)").toBe(text);
}
