/** What the console weighs, and that its page and files need nobody else. */

import { beforeAll, describe, expect, test } from "bun:test";
import { smallConsole } from "../../.ci/console.ts";
import type { Bundle } from "../../src/web/bundle.ts";

/** Bytes on the wire. A page needs the main script, and that of its area where it has one. */
const PAGE_SCRIPT_BYTES_MAX = 110_000;
const ALL_SCRIPTS_BYTES_MAX = 120_000;
const STYLE_BYTES_MAX = 90_000;
/** Names of XML's parts: no address that is asked for. */
const NAMESPACES = /http:\/\/www\.w3\.org\/(2000\/svg|1999\/xhtml|1998\/Math\/MathML|1999\/xlink)/g;

let bundle: Bundle;
beforeAll(async () => {
  bundle = await smallConsole();
});

const packedOf = (name: string) =>
  Bun.gzipSync(bundle.files[name]?.text ?? "", { level: 9 }).length;
const packed = (names: Iterable<string>) =>
  [...names].reduce((sum, name) => sum + packedOf(name), 0);
const namesOf = (ending: string) =>
  Object.keys(bundle.files).filter((name) => name.endsWith(ending));

const IMPORT = /(?:from|import)\s*"\.\/([^"]+)"/g;
const IMPORT_LATER = /import\("\.\/([^"]+)"\)/g;

const importsOf = (name: string, pattern: RegExp) =>
  [...(bundle.files[name]?.text ?? "").matchAll(pattern)].map(([, found]) => found ?? "");

/** A script and all that it cannot run without. */
function neededBy(name: string, found = new Set<string>()): Set<string> {
  if (!found.has(name)) {
    found.add(name);
    for (const other of importsOf(name, IMPORT)) {
      neededBy(other, found);
    }
  }
  return found;
}

describe("the console as it is shipped", () => {
  test("has a script of at most 110 kB gzipped for every page, and of 120 kB in all", () => {
    const main = /<script[^>]* src="\/ui\/([^"]+)"/.exec(bundle.html)?.[1] ?? "";
    const later = importsOf(main, IMPORT_LATER);
    expect(later.length).toBe(2);
    for (const area of later) {
      const needed = neededBy(area, neededBy(main));
      expect(packed(needed)).toBeLessThanOrEqual(PAGE_SCRIPT_BYTES_MAX);
    }
    expect(packedOf(main)).toBeGreaterThan(0);
    expect(packed(namesOf(".js"))).toBeLessThanOrEqual(ALL_SCRIPTS_BYTES_MAX);
  });

  test("has a style of at most 90 kB gzipped, its font included", () => {
    expect(packed(namesOf(".css"))).toBeGreaterThan(0);
    expect(packed(namesOf(".css"))).toBeLessThanOrEqual(STYLE_BYTES_MAX);
  });

  test("has one page, which runs nothing that stands in it and asks for its own files alone", () => {
    const asked = [...bundle.html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(asked.map((path) => /\.[a-z]+$/.exec(path ?? "")?.[0]).toSorted()).toEqual([
      ".css",
      ".js",
      ".svg",
    ]);
    const files = Object.keys(bundle.files).map((name) => `/ui/${name}`);
    expect(asked.filter((path) => !files.includes(path ?? ""))).toEqual([]);
    expect(bundle.html).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(bundle.html).not.toMatch(/<style|\sstyle=|\son[a-z]+=/);
  });

  test("names no other host", () => {
    for (const { text } of Object.values(bundle.files)) {
      const hosts = text.replaceAll(NAMESPACES, "").match(/https?:\/\/[^\s"'`)]{1,60}/g) ?? [];
      expect(
        hosts.filter((host) => !/^https?:\/\/([a-z-]+\.)*example(\.[a-z]+)?\b/.test(host)),
      ).toEqual([]);
    }
  });
});
