/** A rich text and its HTML are the same both ways, and what one can't hold of the other is said. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { htmlToText } from "#domain/sending/plain-text.ts";
import type {
  Block,
  Inline,
  Mark,
  RichDocument,
} from "../../../src/ui/pages/campaigns/step/rich/document.ts";
import { readHtml } from "../../../src/ui/pages/campaigns/step/rich/read-html.ts";
import { schema } from "../../../src/ui/pages/campaigns/step/rich/schema.ts";
import { writeHtml } from "../../../src/ui/pages/campaigns/step/rich/write-html.ts";

const again = (html: string) => writeHtml(readHtml(html).document);

describe("HTML that a rich text holds", () => {
  test.each([
    "<p>Hi {{first_name | default: 'there'}},</p>\n<p>one <strong>two <em>three</em></strong></p>",
    "<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul>",
    "<p>{Hi|Hello {there|{{first_name}}}} &amp; {R&amp;D|you}</p>",
    '<p>a</p>\n{% if company == "a < b" %}\n<p>{{company}}</p>\n{% endif %}',
    "<p>{% if company %}<strong>yes</strong>{% else %}no{% endif %}</p>",
    '<p><a href="https://a.example/?a=1&amp;b={{ email | url_encode }}">there</a></p>',
    '<p><a href="{{ website | default: "https://a.example" }}">there</a></p>',
    '<p><img src="https://a.example/b.png" alt="A &quot;B&quot;" width="120"></p>',
    '<p><img src="cid:0198" alt=""></p>',
    "<blockquote><p>a</p><ul><li>b</li></ul></blockquote>",
    "<div>Hi,</div>\n<div><br></div>\n<div>Ann</div>",
    "Hi,<br><br>Ann",
    "<p>a<br><br></p>",
    "<p>a &nbsp;b&nbsp;</p>",
    "<ul><li><p>a</p></li></ul>",
  ])("is the same after it was read: %p", (html) => {
    expect(readHtml(html).lost).toEqual([]);
    expect(again(html)).toBe(html);
  });

  test.each([
    ["<b>a</b> <i>b</i>", "<strong>a</strong> <em>b</em>"],
    ["<p>a\n   b</p>\n\n<p> c </p>", "<p>a b</p>\n<p>c</p>"],
    ["<p>a<p>b", "<p>a</p>\n<p>b</p>"],
    ["<p>a<br></p><p></p>", "<p>a</p>"],
    ["<span>a</span>", "a"],
    ["<b><p>a</p><p>b</p></b>", "<p><strong>a</strong></p>\n<p><strong>b</strong></p>"],
    ["<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"],
    ["a &lt; b < c &amp; d & e", "a &lt; b &lt; c &amp; d &amp; e"],
    ["<p>&eacute;&#8217;&#x2019;</p>", "<p>é’’</p>"],
  ])("is written plainly: %p", (html, expected) => {
    expect(readHtml(html).lost).toEqual([]);
    expect(again(html)).toBe(expected);
  });
});

describe("HTML that it doesn't hold", () => {
  test.each([
    ["<table><tr><td>a</td></tr></table>", "tables"],
    ['<p style="color:red">a</p>', "styles"],
    ['<p class="x">a</p>', "styles"],
    ["<h1>a</h1>", "headings"],
    ["<!doctype html><html><body><p>a</p></body></html>", "declarations"],
    ["<style>p{}</style><p>a</p>", "<style>"],
    ["<!-- note --><p>a</p>", "comments"],
    ["<p>a <small>b</small></p>", "<small>"],
    ['<a href="javascript:alert(1)">a</a>', "links that lead nowhere"],
    ['<a href="https://a.example" target="_blank">a</a>', "“target” of <a>"],
    ["<img src='data:image/png;base64,xx' alt=''>", "images without a web address"],
    ["<b>a<i>b</b>c</i>", "tags that overlap"],
    ["<p>{<b>a</b>|b}</p>", "spintax or Liquid with HTML in it"],
    ["<p>&unheard;</p>", "the character &unheard;"],
  ])("is told by name: %p", (html, what) => {
    expect(readHtml(html).lost).toContain(what);
  });

  test.each([
    ["<script>alert(1)</script>a", "a"],
    ["<p onclick=alert(1)>a</p>", "<p>a</p>"],
    ["<a href=javascript:alert(1)>a</a>", "a"],
    ["<a href='java&#115;cript:alert(1)'>a</a>", "a"],
    ["<img src=x onerror=alert(1)>a", "a"],
    ["<svg/onload=alert(1)><p>a</svg>b", "b"],
    ["<iframe srcdoc='<script>'></iframe>a", "a"],
    ["<p>a<!--><script>alert(1)</script>-->", "<p>a</p>"],
    ["<<script>alert(1)//<</script>a", "&lt;a"],
  ])("leaves nothing behind that runs: %p", (html, expected) => {
    expect(again(html)).toBe(expected);
  });
});

const words = fc.stringMatching(/^[a-zé&<>"' \u00a0🎉اב=/]{1,12}$/u);
const code = fc.constantFrom(
  ...[
    "{{first_name}}",
    '{{ x | default: "a & b" }}',
    "{Hi|Hello}",
    "{a {b|c}|{{d}} <>}",
    "{% if a %}",
  ],
  ...["{% endif %}", "{R&D|x}", "{% comment %}a{% endcomment %}"],
);
const marks = fc
  .record({ strong: fc.boolean(), em: fc.boolean(), underline: fc.boolean(), link: fc.boolean() })
  .map(({ link, ...others }): Mark[] => [
    ...(link
      ? [{ type: "link" as const, attrs: { href: 'https://a.example/?a=1&b="{{c}}"' } }]
      : []),
    ...(["strong", "em", "underline"] as const)
      .filter((name) => others[name])
      .map((type) => ({ type })),
  ]);
const image = { src: "https://a.example/a.png", alt: 'a "b" <c>', width: null, height: "20" };
const inline: fc.Arbitrary<Inline> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ type: fc.constant("text" as const), text: words, marks }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("chip" as const), attrs: fc.record({ code }), marks }),
  },
  fc.constant<Inline>({ type: "hard_break" }),
  fc.constant<Inline>({ type: "image", attrs: image }),
);
const paragraph = fc.record({
  type: fc.constant("paragraph" as const),
  attrs: fc.record({
    tag: fc.constantFrom(null, null, "p" as const, "div" as const, "loose" as const),
  }),
  content: fc.array(inline, { maxLength: 6 }),
});
const { block } = fc.letrec<{ block: Block; item: { type: "list_item"; content: Block[] } }>(
  (tie) => ({
    item: fc.record({
      type: fc.constant("list_item" as const),
      content: fc
        .tuple(paragraph, fc.array(tie("block"), { maxLength: 2 }))
        .map(([first, more]) => [first, ...more]),
    }),
    block: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      paragraph,
      fc.constant<Block>({ type: "tags", attrs: { code: "{% if company %}" } }),
      fc.record({
        type: fc.constantFrom("bullet_list" as const, "ordered_list" as const),
        content: fc.array(tie("item"), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        type: fc.constant("blockquote" as const),
        content: fc.array(tie("block"), { minLength: 1, maxLength: 2 }),
      }),
    ),
  }),
);
const document: fc.Arbitrary<RichDocument> = fc.record({
  type: fc.constant("doc" as const),
  content: fc.array(block, { minLength: 1, maxLength: 4 }),
});

/** As html-to-text reads it: another's opinion of what the HTML shows. */
const shown = (html: string) => ({
  words: htmlToText(html, { links: "drop" })
    .replace(/^[> ]+/gm, "")
    .replace(/\s+/g, " ")
    .trim(),
  links: new Set(htmlToText(html, { links: "keep" }).match(/\[[^\]]*\]/g) ?? []),
});

describe("any rich text", () => {
  test("is what its HTML is read as, and ProseMirror takes it", () => {
    fc.assert(
      fc.property(document, (made) => {
        const html = writeHtml(made);
        const read = readHtml(html);
        expect(read.lost).toEqual([]);
        expect(writeHtml(read.document)).toBe(html);
        const node = schema.nodeFromJSON(read.document);
        node.check();
        expect(writeHtml(node.toJSON())).toBe(html);
      }),
      { numRuns: 1000 },
    );
  });
});

const noise = fc.array(
  fc.oneof(
    words,
    code,
    fc.constantFrom(
      ...[
        "<p>",
        "</p>",
        "<div>",
        "</div>",
        "<b>",
        "</b>",
        "<i>",
        "</i>",
        "<ul>",
        "</ul>",
        "<li>",
        "</li>",
        "<br>",
      ],
      ...[
        "<a href='https://a.example'>",
        "</a>",
        "<blockquote>",
        "</blockquote>",
        "<ol>",
        "</ol>",
        "<table>",
        "<td>",
      ],
      ...[
        "<span style='font-weight:700'>",
        "</span>",
        "<!-- -->",
        "<script>",
        "</script>",
        "{",
        "|",
        "}",
        "{{",
        "}}",
      ],
      ...[
        "{%",
        "%}",
        "<",
        ">",
        "&amp;",
        "&lt;",
        "&#x27;",
        "\n",
        "<h1>",
        "</h1>",
        "<img src='cid:a' alt='b'>",
        "<p",
      ],
    ),
  ),
  { maxLength: 25 },
);

describe("any HTML", () => {
  test("becomes a document, in one reading, that stays as it is", () => {
    fc.assert(
      fc.property(noise, (parts) => {
        const once = again(parts.join(""));
        schema.nodeFromJSON(readHtml(parts.join("")).document).check();
        expect(again(once)).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  test("shows the same words as before where nothing is lost", () => {
    fc.assert(
      fc.property(noise, (parts) => {
        const html = parts.join("");
        fc.pre(readHtml(html).lost.length === 0);
        expect(shown(again(html))).toEqual(shown(html));
      }),
      { numRuns: 1000 },
    );
  });
});

/** As long as the body of a step may be. */
const LONG = 100_000;
/** How many times the processor time of words anything may take: to begin anew at each tag or brace takes thousands. */
const TIMES_MAX = 150;

describe("A body as long as may be", () => {
  test.each([
    ["paragraphs", "<p>x</p>"],
    ["braces that stay open", "{"],
    ["braces of code in another language", "{ a: {{ b"],
    ["tags of Liquid that stay open", "{% "],
    ["choices in choices", "{a|"],
    ["elements in elements", "<div>"],
    ["words in elements in elements", "<b>x"],
    ["quotes in quotes", "<blockquote>"],
    ["styles of many parts", `<i style="${"text-decoration ".repeat(600)}">x</i>`],
  ])("of %s is read and written as fast as words", (_name, part) => {
    const costOf = (html: string) => {
      const before = process.cpuUsage();
      writeHtml(readHtml(html).document);
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    const usual = costOf("word ".repeat(LONG / 5));
    expect(costOf(part.repeat(LONG / part.length)) / usual).toBeLessThan(TIMES_MAX);
  });
});
