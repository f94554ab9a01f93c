/** The documentation, read for its blocks of code. */

import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT = resolve(import.meta.dir, "../..");
const pagesIn = (folder: string) =>
  readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md"));
/** Every file of decisions, by its name in `docs/adr`; README.md lists what the others decide. */
export const DECISIONS = pagesIn("docs/adr");
/** Every page of `docs/`, by its name there. */
export const PAGES = [...pagesIn("docs"), ...DECISIONS.map((name) => `adr/${name}`)];
export const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Every block of code: what stands after the fence, and the code. */
export function fences(path: string): { info: string; code: string }[] {
  return [...read(path).matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = "", info = "", code = ""]) => {
      return { info, code: code.replaceAll(new RegExp(`^${indent}`, "gm"), "") };
    },
  );
}

/** Code of a language, in order; what follows the language's name tells blocks apart. */
export function blocks(path: string, language: string): string[] {
  return fences(path)
    .filter(({ info }) => info === language)
    .map(({ code }) => code);
}
