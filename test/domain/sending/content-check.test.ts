/** Guarantees of `domain/sending/content-check.ts`: each rule finds what it is for, and a plain letter is let be. */

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  type CheckedContent,
  checkContent,
  hostOf,
  linksIn,
  phrasesIn,
  RULE_NAMES,
  type RuleName,
} from "#domain/sending/content-check.ts";

const ADDRESS = "1 Main Street, Springfield";
const MARK = "https://mail.sender.example/u/";
const LETTER: CheckedContent = {
  subject: "Deliveries at Example Works",
  text: `Hello Ann,\n\nhow do you find out that a delivery is late?\n\n${ADDRESS}\n${MARK}abc`,
  html: `<p>Hello Ann,</p><p>how do you find out that a delivery is late?</p><a href="${MARK}abc">Unsubscribe</a>`,
  isFirst: true,
  hasOneClick: true,
  unsubscribeMark: MARK,
  postalAddress: ADDRESS,
  tracksOpens: false,
};

function rulesOf(change: Partial<CheckedContent>): RuleName[] {
  return checkContent({ ...LETTER, ...change }).map(({ rule }) => rule);
}

const add = (html: string) => ({ html: `${LETTER.html}${html}` });
const link = (url: string, label = "See more") => add(`<a class="x" href="${url}">${label}</a>`);
const WORDS = "PLEASE READ THIS WHOLE LETTER BECAUSE EVERY WORD WAS WRITTEN LOUD ";

test("a plain letter is let be", () => {
  expect(checkContent(LETTER)).toEqual([]);
});

const FOUND: [rule: RuleName, what: string, change: Partial<CheckedContent>][] = [
  ["subject_missing", "no subject", { subject: " " }],
  ["subject_long", "61 characters", { subject: "x".repeat(61) }],
  ["subject_capitals", "capitals", { subject: "SAVE MONEY TODAY" }],
  ["subject_punctuation", "marks", { subject: "Really?!" }],
  ["subject_punctuation", "two of them apart", { subject: "Hello! You there!" }],
  ["subject_false_reply", "a reply to nothing", { subject: "Re: our talk" }],
  ["subject_false_reply", "in German", { subject: "AW: unser Gespräch" }],
  ["text_missing", "nothing to read", { text: " \n" }],
  ["text_to_html", "a poster", add(`<div style="${"a".repeat(3000)}"></div>`)],
  ["html_large", "more than Gmail shows", add(`<!-- ${"x".repeat(110_000)} -->`)],
  ["capitals", "loud words", { text: LETTER.text + WORDS.repeat(3) }],
  ["phrases", "a claim", { text: `${LETTER.text}\nIt is Risk-Free, act\nnow!` }],
  [
    "links_many",
    "four of them",
    add([1, 2, 3, 4].map((n) => `<a href="https://a.example/${n}">x</a>`).join("")),
  ],
  ["link_shortener", "a short one", link("https://bit.ly/abc")],
  ["link_plain_http", "without TLS", link("http://a.example/")],
  ["link_address", "a number", link("https://203.0.113.7/x")],
  ["link_disguised", "another place", link("https://evil.example/x", "www.bank.example/login")],
  ["image_only", "a picture", { text: "Hi", html: '<img src="https://a.example/x.png">' }],
  ["tracking_pixel", "one dot", add('<img width="1" height="1" src="https://a.example/p.gif">')],
  ["tracking_pixel", "hidden", add('<img style="display: none" src="https://a.example/p.gif">')],
  ["tracking_pixel", "by the campaign", { tracksOpens: true }],
  ["unsubscribe_missing", "no way out", { text: ADDRESS, html: "<p>Hello</p>" }],
  ["one_click_missing", "mailto alone", { hasOneClick: false }],
  ["address_missing", "no address known", { postalAddress: "" }],
  ["address_missing", "one that is not shown", { postalAddress: "2 Other Street" }],
];

describe("a rule finds what it is for", () => {
  test.each(FOUND)("%s: %s", (rule, _what, change) => {
    expect(rulesOf(change)).toContain(rule);
  });

  test("and every rule has a case", () => {
    const shown = new Set(FOUND.map(([rule]) => rule));
    expect(RULE_NAMES.filter((rule) => !shown.has(rule))).toEqual([]);
  });
});

describe("what looks like it and is right", () => {
  test.each<[string, RuleName, Partial<CheckedContent>]>([
    ["an answer in its thread", "subject_false_reply", { subject: "Re: x", isFirst: false }],
    ["a word that begins so", "subject_false_reply", { subject: "Reading list: spring" }],
    ["an abbreviation", "subject_capitals", { subject: "GmbH & Co" }],
    ["a script without capitals", "subject_capitals", { subject: "配送についてのお問い合わせ" }],
    ["a link that shows its own host", "link_disguised", link("https://a.example/x", "a.example")],
    ["one that shows its parent", "link_disguised", link("https://www.a.example/", "a.example/x")],
    ["words as a label", "link_disguised", link("https://a.example/x", "our price list")],
    ["our own way to unsubscribe", "links_many", {}],
    ["a small picture of some size", "tracking_pixel", add('<img width="120" src="x.png">')],
    ["a word inside another", "phrases", { text: `${LETTER.text} extra incomes` }],
  ])("%s", (_what, rule, change) => {
    expect(rulesOf(change)).not.toContain(rule);
  });
});

test("links are read once each, of HTML and text, with what they show", () => {
  const html =
    '<a href="https://a.example/?x=1&amp;y=2">Here</a> <a href="https://a.example/?x=1&amp;y=2">x</a>';
  const text = "see https://b.example/path. (or http://c.example) mailto:x@y.example";
  expect(linksIn({ text, html })).toEqual([
    { url: "https://a.example/?x=1&y=2", label: "Here" },
    { url: "https://b.example/path", label: "https://b.example/path" },
    { url: "http://c.example", label: "http://c.example" },
  ]);
  expect(hostOf("https://user@WWW.A.example:8443/x")).toBe("a.example");
});

test("phrases are whole words, whatever is between them", () => {
  expect(phrasesIn("Click\n here; it’s 100% FREE, no-obligation")).toEqual([
    "100% free",
    "click here",
  ]);
});

test("any text is checked, in time that grows with its length only", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (subject, html) => {
      checkContent({ ...LETTER, subject, text: html, html });
    }),
  );
  for (const hostile of ["<a ", "<a href=", "<img ", "https://", "width=", "! "]) {
    const html = hostile.repeat(60_000);
    expect(checkContent({ ...LETTER, text: html, html }).length).toBeGreaterThan(0);
  }
}, 20_000);
