/**
 * What is promised is what is tried: the table in the documentation, the list in the README, the tests; and
 * what was found names the tests that keep it fixed.
 */

import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { PROMISES } from "./support/promises.ts";

const ROOT = resolve(import.meta.dir, "..");
const security = readFileSync(join(ROOT, "docs/security.md"), "utf8");
const faults = readFileSync(join(ROOT, "docs/reports/faults.md"), "utf8");
const readme = readFileSync(join(ROOT, "README.md"), "utf8");

test.each(Object.entries(PROMISES))(
  "%s is written down with its tests, which are there",
  (name, one) => {
    const row = security.split("\n").find((line) => line.startsWith(`| \`${name}\` |`));
    const files = one.tests.map((path) => `\`${path.replace("test/", "")}\``).join(", ");
    expect(row).toBe(`| \`${name}\` | ${one.promise} | ${files} |`);
    expect(readme).toContain(`- ${one.promise}.`);
    expect(one.tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  },
);

test("every fault that was found names its tests, which are there", () => {
  const rows = faults.split("\n").filter((line) => /^\| (?!found)[^-]/.test(line));
  expect(rows.length).toBeGreaterThan(10);
  for (const row of rows) {
    const named = row.match(/`[\w/-]+\.test\.ts`/g)?.map((path) => path.replaceAll("`", "")) ?? [];
    const missing = named.filter((path) => !existsSync(join(ROOT, "test", path)));
    expect({ row, count: Math.min(named.length, 1), missing }).toEqual({
      row,
      count: 1,
      missing: [],
    });
  }
});

test("no test stands for two promises, and the table has no other", () => {
  const all = Object.values(PROMISES).flatMap(({ tests }) => [...tests] as string[]);
  expect(all.length).toBe(new Set(all).size);
  const section = security.split(/^## /m).find((one) => one.startsWith("What we promise"));
  const rows: string[] = [...(section?.match(/^\| `\w+` \|/gm) ?? [])];
  expect(rows).toEqual(Object.keys(PROMISES).map((name) => `| \`${name}\` |`));
});
