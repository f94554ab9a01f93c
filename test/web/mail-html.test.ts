/** What is left of an email's HTML before it is framed. In a real browser: `journeys/console-mail.test.ts`. */

import { expect, test } from "bun:test";
import { quietHtml } from "../../src/web/mail-html.ts";
import { payloads } from "../support/mail-payloads.ts";

const TRACKER = "http://tracker.localhost:4711/a";
/** A tag with its attributes, as a parser of HTML reads what was serialized: values in double quotes. */
const TAG = /<([a-z0-9]+)((?: [a-z]+(?:="[^"]*")?)*) ?\/?>/g;
const ATTRIBUTE = / ([a-z]+)="([^"]*)"/g;
/** An address in these is read by people alone. */
const READ_ONLY = ["alt", "title"];

test.each(payloads(TRACKER))("%s", (payload) => {
  const quiet = quietHtml(payload) ?? "";
  for (const [, name, attributes = ""] of quiet.matchAll(TAG)) {
    expect(name).not.toMatch(/^(?:i?frame|frameset|object|embed|link|meta|base|style|script|svg)$/);
    for (const [, attribute = "", value] of attributes.matchAll(ATTRIBUTE)) {
      expect([attribute, READ_ONLY.includes(attribute) ? "" : value]).not.toEqual([
        attribute,
        expect.stringMatching(/tracker|4711/i),
      ]);
    }
  }
  // Nothing that looks like a tag is left that isn't one of those just read.
  expect(quiet.replaceAll(TAG, "").replaceAll(/<\/[a-z0-9]+>/g, "")).not.toContain("<");
});

test("there are a hundred payloads and more", () => {
  expect(payloads(TRACKER).length).toBeGreaterThanOrEqual(100);
});

test("keeps what lays out text, and pictures that stand in the email", () => {
  const picture = '<img src="data:image/png;base64,iVBORw0KGgo=" alt="Logo" width="40" />';
  const kept = `<table width="600"><tr><td style="padding:4px;color:rgb(1, 2, 3)"><b>Hi</b>${picture}</td></tr></table>`;
  expect(quietHtml(kept)).toBe(kept);
});

test("shows where a link would lead, and leads nowhere", () => {
  expect(quietHtml('<a href="https://shop.example/x?a=1&amp;b=2">Shop</a>')).toBe(
    '<a title="https://shop.example/x?a=1&amp;b=2">Shop</a>',
  );
});

test.each([
  ["longer than is shown", "a".repeat(200_000)],
  ["of more tags than are read", "<b>".repeat(7_000)],
])("does not read what is %s", (_name, html) => {
  expect(quietHtml(html)).toBeNull();
});

test("images of ours are the team's files; those of others stay away", () => {
  const id = "01952c6a-4000-7000-8000-000000000100";
  const html = `<p>Look: <img alt="Logo" src="cid:${id}" /></p>`;
  expect(quietHtml(html, "/test/api/v1/files")).toBe(
    `<p>Look: <img alt="Logo" src="/test/api/v1/files/${id}/download" /></p>`,
  );
  expect(quietHtml(html)).not.toContain("img");
  expect(quietHtml('<img src="cid:../../keys">', "/files")).toBe("");
  expect(quietHtml(`<img src="/files/${id}/download">`, "/files")).toBe("");
});

test.each([undefined, "/files"])(
  "what an email says of an image stays as it is (files: %s)",
  (files) => {
    const html = '<p>Write &lt;img src="cid:01952c6a-4000-7000-8000-000000000100"&gt;</p>';
    expect(quietHtml(html, files)).toBe(html);
  },
);

test.each([
  ["type", '<blockquote type="cite"><p>Before</p></blockquote>'],
  ["class", '<blockquote class="gmail_quote" style="margin:0"><p>Before</p></blockquote>'],
])("folds what a mail program quotes, known by its %s", (_name, quoted) => {
  expect(quietHtml(`<p>Yes</p>${quoted}`)).toBe(
    "<p>Yes</p><details><summary>Quoted text</summary><p>Before</p></details>",
  );
});

test("what its writer quoted or folded is not folded", () => {
  const own = "<blockquote>Be brief.</blockquote><details><p>More</p></details>";
  expect(quietHtml(own)).toBe("<blockquote>Be brief.</blockquote><div><p>More</p></div>");
});

test("no token of an opt-out link is left, in a link's title or in the text", () => {
  const token = `t${"a".repeat(43)}`;
  const quiet = quietHtml(
    `<a href="https://o.example/u/${token}">https://o.example/u/${token}</a>`,
  );
  expect(quiet).toBe('<a title="https://o.example/u/…">https://o.example/u/…</a>');
});

/** As long as an email that is shown may be. */
const LONG = 130_000;
/** How many times the processor time of plain text its styles may take: a scan of each from each place takes thousands. */
const TIMES_MAX = 100;

test.each([
  ["words without an end", "a"],
  ["dashes", "-"],
  ["blanks", " "],
  ["functions that stay open", "rgb("],
  ["functions after blanks", "rgb (1) "],
  ["declarations", "a:b;"],
])("a style of %s holds the thread no longer than other text", (_name, part) => {
  const costOf = (html: string) => {
    const before = process.cpuUsage();
    expect(quietHtml(html)).not.toBeNull();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const style = part.repeat(LONG / part.length);
  const usual = costOf(`<p>${"word ".repeat(LONG / 5)}</p>`);
  expect(costOf(`<p style="${style}">x</p>`) / usual).toBeLessThan(TIMES_MAX);
});
