/**
 * What an email says, looked at before it is sent: what filters judge, what the law asks, and what makes
 * people report an email. Each finding names its rule; the rules with their sources stand in
 * `docs/deliverability.md`. Nothing here refuses anything.
 *
 * Source: ours, from RFC 5322 §2.1.1, RFC 8058, 15 U.S.C. §7704(a), the rules for senders of Gmail and
 * Yahoo, and the names of SpamAssassin's public tests, as each rule says.
 */

import { PHRASES, SHORTENERS } from "./content-phrases.ts";

export const RULE_NAMES = [
  "subject_missing",
  "subject_long",
  "subject_capitals",
  "subject_punctuation",
  "subject_false_reply",
  "text_missing",
  "text_to_html",
  "html_large",
  "capitals",
  "phrases",
  "links_many",
  "link_shortener",
  "link_plain_http",
  "link_address",
  "link_disguised",
  "image_only",
  "tracking_pixel",
  "unsubscribe_missing",
  "one_click_missing",
  "address_missing",
] as const;
export type RuleName = (typeof RULE_NAMES)[number];

/** How much each weighs. */
const RULES: Readonly<Record<RuleName, Severity>> = {
  subject_missing: "problem",
  subject_long: "note",
  subject_capitals: "warning",
  subject_punctuation: "warning",
  subject_false_reply: "problem",
  text_missing: "problem",
  text_to_html: "warning",
  html_large: "warning",
  capitals: "warning",
  phrases: "warning",
  links_many: "warning",
  link_shortener: "warning",
  link_plain_http: "warning",
  link_address: "problem",
  link_disguised: "problem",
  image_only: "warning",
  tracking_pixel: "warning",
  unsubscribe_missing: "problem",
  one_click_missing: "warning",
  address_missing: "problem",
};

export const SEVERITIES_OF_FINDINGS = ["problem", "warning", "note"] as const;
type Severity = (typeof SEVERITIES_OF_FINDINGS)[number];

export interface Finding {
  rule: RuleName;
  severity: Severity;
  /** What was found, and what would be better. */
  message: string;
}

export interface CheckedContent {
  subject: string;
  text: string;
  html: string;
  /** Opens a thread: in a reply, "Re:" is right. */
  isFirst: boolean;
  /** Both ways to unsubscribe are in the headers: https too, which one click needs. */
  hasOneClick: boolean;
  /** A mark of ours that the body's way to unsubscribe has; empty: the body has none. */
  unsubscribeMark: string;
  /** Of the sender; empty: none is known. */
  postalAddress: string;
  tracksOpens: boolean;
}

/** Characters of a subject that a telephone shows, and where RFC 5322 §2.1.1 wants a line to end. */
const SUBJECT_CHARS_MOST = 60;
/** Gmail cuts a message that is longer. */
const HTML_BYTES_MOST = 102 * 1024;
const LINKS_MOST = 3;
/** Below this share of text a HTML of some length looks like a poster. */
const TEXT_SHARE_LEAST = 0.15;
const HTML_CHARS_SOME = 1000;
const TEXT_CHARS_SOME = 100;
const CAPITALS_SHARE_MOST = 0.3;
const CAPITALS_WORDS_LEAST = 20;
/** Of a text, that is looked at. */
const CHARS_MAX = 200_000;

/** In the order of {@link RULE_NAMES}. */
export function checkContent(content: CheckedContent): Finding[] {
  const clipped = {
    ...content,
    text: content.text.slice(0, CHARS_MAX),
    html: content.html.slice(0, CHARS_MAX),
  };
  const found = new Map<RuleName, string>();
  const report = (rule: RuleName, message: string | null | false) => {
    if (message !== null && message !== false) {
      found.set(rule, message);
    }
  };
  checkSubject(clipped, report);
  checkBody(clipped, content.html, report);
  checkLinks(clipped, report);
  checkDuties(clipped, report);
  return RULE_NAMES.flatMap((rule) => {
    const message = found.get(rule);
    return message === undefined ? [] : [{ rule, severity: RULES[rule], message }];
  });
}

type Report = (rule: RuleName, message: string | null | false) => void;

function checkSubject({ subject, isFirst }: CheckedContent, report: Report): void {
  const { length } = [...subject];
  const letters = subject.replace(/\P{L}/gu, "");
  const isShouted = letters.length >= 6 && letters === letters.toUpperCase() && hasCase(letters);
  report(
    "subject_missing",
    subject.trim() === "" && "the subject is missing, which spam filters penalize",
  );
  report(
    "subject_long",
    length > SUBJECT_CHARS_MOST &&
      `the subject has ${length} characters; phones show about ${SUBJECT_CHARS_MOST}`,
  );
  report("subject_capitals", isShouted && "the subject is in all caps; use sentence case");
  report(
    "subject_punctuation",
    /[!?$€£]{2,}|!.*!/.test(subject) &&
      "the subject has several !, ?, or currency signs; use at most one",
  );
  report(
    "subject_false_reply",
    isFirst &&
      /^\s*(re|aw|fwd?|wg|sv|tr)\s*:/i.test(subject) &&
      'the first email pretends to be a reply ("Re:"), which is deceptive and gets reported',
  );
}

/** False for scripts that have no capitals. */
function hasCase(letters: string): boolean {
  return letters.toLowerCase() !== letters.toUpperCase();
}

function checkBody(content: CheckedContent, whole: string, report: Report): void {
  const { subject, text, html } = content;
  const visible = text.replace(/\s+/g, " ").trim();
  const share = html.length === 0 ? 1 : visible.length / html.length;
  report("text_missing", visible === "" && "the email has no readable text");
  report(
    "text_to_html",
    html.length >= HTML_CHARS_SOME &&
      share < TEXT_SHARE_LEAST &&
      `only ${Math.round(share * 100)}% of the HTML is text; below ${TEXT_SHARE_LEAST * 100}% it looks like an ad`,
  );
  const bytes = new TextEncoder().encode(whole).length;
  report(
    "html_large",
    bytes > HTML_BYTES_MOST &&
      `the HTML is ${Math.ceil(bytes / 1024)} kB; Gmail clips it at 102 kB`,
  );
  const words = visible.match(/\p{L}{3,}/gu) ?? [];
  const shouted = words.filter((word) => hasCase(word) && word === word.toUpperCase());
  report(
    "capitals",
    words.length >= CAPITALS_WORDS_LEAST &&
      shouted.length / words.length > CAPITALS_SHARE_MOST &&
      `${shouted.length} of ${words.length} words are in all caps`,
  );
  const phrases = phrasesIn(`${subject}\n${text}`);
  report(
    "phrases",
    phrases.length > 0 && `contains ${phrases.map((phrase) => `"${phrase}"`).join(", ")}`,
  );
  checkImages(html, visible, content.tracksOpens, report);
}

/** Those of {@link PHRASES} that a text says, in the order of the list. */
export function phrasesIn(text: string): string[] {
  const words = ` ${text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{N}'%-]+/gu, " ")} `;
  return Object.values(PHRASES)
    .flat()
    .filter((phrase) => words.includes(` ${phrase} `));
}

function checkImages(html: string, text: string, tracks: boolean, report: Report): void {
  const images = html.match(/<img\b[^<>]{0,4000}>/gi) ?? [];
  const pixels = images.filter(isPixel);
  report(
    "image_only",
    images.length > pixels.length &&
      text.length < TEXT_CHARS_SOME &&
      "mostly images and hardly any text: filters can't read it, and many people don't load images",
  );
  report(
    "tracking_pixel",
    (tracks || pixels.length > 0) &&
      "it has an invisible image to track opens: filters recognize it, software opens emails too, " +
        "and in the EU it needs consent",
  );
}

function isPixel(tag: string): boolean {
  return (
    /\b(width|height)\s*[=:]\s*["']?\s*[01](px)?\b/i.test(tag) ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(tag)
  );
}

/** A link of a mail: where it leads, and what it shows; of plain text the same. */
export interface Link {
  url: string;
  label: string;
}

/** Links of one email that are looked at. */
export const LINKS_MAX = 50;

/** Each address once, those of the HTML first. */
export function linksIn({ text, html }: { text: string; html: string }): Link[] {
  const links = new Map<string, Link>();
  for (const [, before = "", label = ""] of html.matchAll(/<a\b([^<>]{0,4000})>([^<]{0,500})/gi)) {
    const [, double, single] = /\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(before) ?? [];
    const url = (double ?? single ?? "").replaceAll("&amp;", "&").trim();
    if (/^https?:/i.test(url) && !links.has(url)) {
      links.set(url, { url, label: label.trim() });
    }
  }
  for (const [found] of text.matchAll(/\bhttps?:\/\/[^\s<>"')\]]{1,2000}/gi)) {
    const url = found.replace(/[.,;:!?]+$/, "");
    if (!links.has(url)) {
      links.set(url, { url, label: url });
    }
  }
  return [...links.values()].slice(0, LINKS_MAX);
}

function checkLinks(content: CheckedContent, report: Report): void {
  const links = linksIn(content).filter(({ url }) => !isOwn(url, content));
  const listed = (some: readonly Link[]) => some.map(({ url }) => url.slice(0, 100)).join(", ");
  const short = links.filter(({ url }) => SHORTENERS.includes(hostOf(url)));
  const plain = links.filter(({ url }) => /^http:/i.test(url));
  const bare = links.filter(({ url }) => /^(\d{1,3}(\.\d{1,3}){3}|\[.*\])$/.test(hostOf(url)));
  const disguised = links.filter(({ url, label }) => isDisguised(hostOf(url), label));
  report(
    "links_many",
    links.length > LINKS_MOST &&
      `${links.length} links; more than ${LINKS_MOST} looks like a newsletter`,
  );
  report(
    "link_shortener",
    short.length > 0 && `shortened link hides its destination: ${listed(short)}`,
  );
  report("link_plain_http", plain.length > 0 && `link is not https: ${listed(plain)}`);
  report("link_address", bare.length > 0 && `link points to an IP address: ${listed(bare)}`);
  report(
    "link_disguised",
    disguised.length > 0 &&
      `link text shows a different site than its destination: ${listed(disguised)}`,
  );
}

function isOwn(url: string, { unsubscribeMark }: CheckedContent): boolean {
  return unsubscribeMark !== "" && url.includes(unsubscribeMark);
}

/** In lower case, without port and `www.`; "" for what is no address. */
export function hostOf(url: string): string {
  const [, host = ""] = /^https?:\/\/(?:[^/?#]*@)?(\[[^\]]*\]|[^/?#:]*)/i.exec(url) ?? [];
  return host.toLowerCase().replace(/^www\./, "");
}

/** The text of the link is itself an address, and another one. */
function isDisguised(host: string, label: string): boolean {
  const [, shown] = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?:[/:?#].*)?$/i.exec(label) ?? [];
  const said = shown?.toLowerCase().replace(/^www\./, "");
  return said !== undefined && said !== host && !host.endsWith(`.${said}`);
}

function checkDuties(content: CheckedContent, report: Report): void {
  const { text, html, unsubscribeMark, postalAddress, hasOneClick } = content;
  const body = `${text}\n${html}`;
  const offers =
    (unsubscribeMark !== "" && body.includes(unsubscribeMark)) ||
    /\b(unsubscribe|opt[ -]?out|stop hearing|abmelden|désabonner|darse de baja|afmelden)\b/i.test(
      body,
    );
  report(
    "unsubscribe_missing",
    !offers &&
      "the email has no way to unsubscribe; the law requires one, and people who can't find one report spam",
  );
  report(
    "one_click_missing",
    !hasOneClick &&
      "public_url is not set, so there is no one-click unsubscribe, which Gmail and Yahoo require",
  );
  const address = postalAddress.replace(/\s+/g, " ").trim();
  report(
    "address_missing",
    (address === "" || !body.replace(/\s+/g, " ").includes(address)) &&
      "the email doesn't show your postal address, which the law requires",
  );
}
