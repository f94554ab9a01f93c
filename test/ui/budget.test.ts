/** What the console weighs, and that its page and files need nobody else. */

import { beforeAll, describe, expect, test } from "bun:test";
import { smallConsole } from "../../.ci/embedded.ts";
import type { Bundle } from "../../src/web/bundle.ts";

/**
 * Bytes on the wire. The first page needs the main script alone; that of others comes after it. 100 B of it: the overview
 * tells of leads on hold for their addresses. 350 B: a toast that offers to undo stays as long as somebody is at it.
 */
const FIRST_SCRIPT_BYTES_MAX = 65_600;
/**
 * Of it, 200 B: what can be undone is undone by a key on every page, and not in the inbox alone;
 * every column of a long table stays readable, and the table is scrolled where it is wide.
 * 600 B: the page of the team's files.
 * 800 B: the rules of spintax, which came with the editor alone until plain texts showed their choices.
 * 600 B: the limits that a team may set for an experiment's variants.
 * 300 B: an experiment's report is shared, and the link revoked.
 * 1,500 B: a whole workspace is connected, step by step, and says what its mailboxes wait for.
 * 200 B: whether fewer of a mailbox's test emails reach the inbox than before.
 * 1,100 B: a sending domain's page, with what changed in its records and who sends as it.
 * 200 B: why a lead's address is risky or invalid, and what lets such leads go on.
 * 350 B: what the recipients' providers do with each mailbox's emails, and where one of them stops it.
 * 1,000 B: the rules that move a campaign's leads on to another one.
 * 500 B: a workspace is edited and deleted, and what is typed of a new one stays without its secrets.
 * 350 B: a mailbox's aliases, and its limits for each recipient provider.
 * 200 B: whether a campaign's new leads go from mailboxes at their own provider.
 * 250 B: a mailbox asks recipients' servers, with what that costs beside the switch.
 * 900 B: what was deleted is restored, by Undo or from the list, and a start is taken back.
 */
const SCRIPT_BYTES_MAX = 153_200;
/** The editor of rich text, which comes with the first step that is written in it. */
const EDITOR_BYTES_MAX = 76_000;
const STYLE_BYTES_MAX = 90_000;
/** Where a client looks that is told no address; the console's is. */
const DEFAULT = "http://127.0.0.1:8480";
/** Names of XML's parts: no address that is asked for. */
/** In the text of an error that only a wrong program sees. */
const EXPLANATION = "https://prosemirror.net/docs/guide/#generatable";
const NAMESPACES = /http:\/\/www\.w3\.org\/(2000\/svg|1999\/xhtml|1998\/Math\/MathML|1999\/xlink)/g;

let bundle: Bundle;
beforeAll(async () => {
  bundle = await smallConsole();
});

/** What goes out to a browser: made when an executable is built. */
const sentOf = (name: string) => Uint8Array.fromBase64(bundle.files[name]?.packed ?? "");
const packedOf = (name: string) => sentOf(name).length;
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
  test("has a script of at most 153.2 kB gzipped, all pages together, and of 65.6 kB for the first", () => {
    const main = /<script[^>]* src="\/ui\/([^"]+)"/.exec(bundle.html)?.[1] ?? "";
    const [later = "", ...others] = importsOf(main, IMPORT_LATER);
    expect(others).toEqual([]);
    expect(packedOf(main)).toBeGreaterThan(0);
    expect(packed(neededBy(main))).toBeLessThanOrEqual(FIRST_SCRIPT_BYTES_MAX);
    const pages = neededBy(main).union(neededBy(later));
    expect(packed(pages)).toBeLessThanOrEqual(SCRIPT_BYTES_MAX);
    const editor = new Set(namesOf(".js")).difference(pages);
    expect([...editor].flatMap((name) => importsOf(name, IMPORT_LATER))).toEqual([]);
    expect(packed(editor)).toBeLessThanOrEqual(EDITOR_BYTES_MAX);
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

  test("has a drawing for each icon that it names", async () => {
    const here = (path: string) =>
      Bun.file(new URL(`../../src/ui/${path}`, import.meta.url)).text();
    const named = [...(await here("parts/icons.tsx")).matchAll(/^ {2}\| "(\w+)"/gm)];
    const drawn = [...(await here("icons.svg")).matchAll(/<symbol id="(\w+)"/g)];
    expect(named.length).toBeGreaterThan(0);
    expect(named.map(([, name]) => name)).toEqual(drawn.map(([, name]) => name));
  });

  test("goes out packed as it is", () => {
    for (const [name, { text = "" }] of Object.entries(bundle.files)) {
      expect(new TextDecoder().decode(Bun.gunzipSync(sentOf(name)))).toBe(text);
    }
  });

  test("names no other host", () => {
    const run = Object.entries(bundle.files).filter(([name]) => !name.endsWith(".md"));
    for (const [, { text = "" }] of run) {
      const hosts =
        text
          .replaceAll(NAMESPACES, "")
          .replace(DEFAULT, "")
          .replace(EXPLANATION, "")
          .match(/https?:\/\/[^\s"'`)]{1,60}/g) ?? [];
      expect(
        hosts.filter((host) => !/^https?:\/\/([a-z-]+\.)*example(\.[a-z]+)?\b/.test(host)),
      ).toEqual([]);
    }
  });
});
