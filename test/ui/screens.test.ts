/** No page is forgotten by those that look at all of them. */

import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { SCREENS } from "../support/screens.ts";

const UI = resolve(import.meta.dir, "../../src/ui");

test("every address of the console is one that is looked at", () => {
  const files = ["pages.tsx", ...readdirSync(join(UI, "pages")).map((name) => `pages/${name}`)];
  const patterns = files
    .filter((name) => name.endsWith(".tsx"))
    .flatMap((name) => [
      ...readFileSync(join(UI, name), "utf8").matchAll(/^ +\[\s*"([a-z/:]*)",\s+\w*\(/gm),
    ])
    .map(([, pattern]) => pattern ?? "");
  expect(patterns.toSorted()).toEqual([...SCREENS].toSorted());
});
