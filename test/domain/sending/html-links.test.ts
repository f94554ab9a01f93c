/** Links of HTML: which there are, and that nothing but their addresses is ever changed. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { LINKS_MAX, linksOf, replaceLinks } from "#domain/sending/html-links.ts";

describe("links", () => {
  test.each<[string, string, string[]]>([
    ["in double quotes", '<a href="https://a.example/x">x</a>', ["https://a.example/x"]],
    ["in single quotes", "<a href='https://a.example/x'>x</a>", ["https://a.example/x"]],
    ["without quotes", "<a href=https://a.example/x>x</a>", ["https://a.example/x"]],
    [
      "in capitals, with spaces",
      '<A  CLASS=b HREF = "HTTP://A.example">x</A>',
      ["http://a.example/"],
    ],
    [
      "with entities",
      '<a href="https://a.example/?a=1&amp;b=2&#38;c">',
      ["https://a.example/?a=1&b=2&c"],
    ],
    [
      "after another attribute that holds a >",
      '<a title=">" href="https://a.example">',
      ["https://a.example/"],
    ],
    [
      "twice the same",
      '<a href="https://a.example"></a><a href="https://a.example">',
      ["https://a.example/", "https://a.example/"],
    ],
    [
      "the first of two addresses",
      '<a href="https://a.example" href="https://b.example">',
      ["https://a.example/"],
    ],
    [
      "of another scheme are none",
      '<a href="mailto:a@b.c"><a href="tel:1"><a href="javascript:x">',
      [],
    ],
    [
      "in data are none",
      '<a href="data:text/html,x"><a href="//a.example"><a href="#top"><a href="/x">',
      [],
    ],
    ["with a password are none", '<a href="https://u:p@a.example">', []],
    [
      "of other tags are none",
      '<area href="https://a.example"><abbr href="https://a.example"><link href="https://a.example">',
      [],
    ],
    [
      "that nobody sees are none",
      '<!-- <a href="https://a.example"> --><textarea><a href="https://a.example"></textarea>',
      [],
    ],
    ["in a tag that does not end are none", '<a href="https://a.example"', []],
    ["in a value that does not end are none", '<a href="https://a.example>x</a>', []],
  ])("%s", (_name, html, expected) => {
    expect(linksOf(html).slice(0, expected.length || 1)).toEqual(expected.slice());
  });

  test("are looked at up to a bound", () => {
    expect(linksOf('<a href="https://a.example">'.repeat(LINKS_MAX + 5)).length).toBe(LINKS_MAX);
  });

  test("are read in one pass, however the text is broken", () => {
    for (const part of ["<a ", '<a href="', "<a href='x' ", "<a =", "<"]) {
      expect(linksOf(part.repeat(50_000))).toEqual([]);
    }
  });
});

describe("replacing", () => {
  test("puts other addresses in, escaped, in double quotes", () => {
    const html =
      "<p><a href=https://a.example>one</a> <a class='b' href='https://b.example'>two</a>";
    expect(replaceLinks(html, (_url, index) => `https://t.example/?n=${index}&x='"<`)).toBe(
      `<p><a href="https://t.example/?n=0&amp;x=&#39;&quot;&lt;">one</a> ` +
        `<a class='b' href="https://t.example/?n=1&amp;x=&#39;&quot;&lt;">two</a>`,
    );
  });

  test("with nothing leaves any text as it is, byte for byte", () => {
    const bits = fc.constantFrom(
      "<a ",
      "href=",
      '"',
      "'",
      ">",
      "https://a.example",
      " ",
      "<",
      "&amp;",
      "</a>",
    );
    const anyHtml = fc.oneof(
      fc.string(),
      fc.array(bits, { maxLength: 40 }).map((all) => all.join("")),
    );
    fc.assert(
      fc.property(anyHtml, (html) => {
        expect(replaceLinks(html, () => null)).toBe(html);
        const found = linksOf(html);
        expect(linksOf(replaceLinks(html, (url) => url))).toEqual(found);
      }),
    );
  });
});
