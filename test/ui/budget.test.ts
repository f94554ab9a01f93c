/** What the console weighs, and that its page and files need nobody else. */

import { beforeAll, describe, expect, test } from "bun:test";
import { smallConsole } from "../../.ci/console.ts";
import type { Bundle } from "../../src/web/bundle.ts";

/** Bytes on the wire. */
const SCRIPT_BYTES_MAX = 110_000;
const STYLE_BYTES_MAX = 90_000;
/** Names of XML's parts: no address that is asked for. */
const NAMESPACES = /http:\/\/www\.w3\.org\/(2000\/svg|1999\/xhtml|1998\/Math\/MathML|1999\/xlink)/g;

let bundle: Bundle;
beforeAll(async () => {
  bundle = await smallConsole();
});

const packed = (ending: string) =>
  Object.entries(bundle.files)
    .filter(([name]) => name.endsWith(ending))
    .reduce((sum, [, { text }]) => sum + Bun.gzipSync(text, { level: 9 }).length, 0);

describe("the console as it is shipped", () => {
  test("has a script of at most 110 kB gzipped, all pages together", () => {
    expect(packed(".js")).toBeGreaterThan(0);
    expect(packed(".js")).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
  });

  test("has a style of at most 90 kB gzipped, its font included", () => {
    expect(packed(".css")).toBeGreaterThan(0);
    expect(packed(".css")).toBeLessThanOrEqual(STYLE_BYTES_MAX);
  });

  test("has one page, which runs nothing that stands in it and asks for its own files alone", () => {
    const asked = [...bundle.html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path);
    expect(asked.toSorted()).toEqual(
      Object.keys(bundle.files)
        .map((name) => `/ui/${name}`)
        .toSorted(),
    );
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
