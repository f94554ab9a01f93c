/**
 * What one message says: a step's templates, rendered for one lead and one sender into a subject and
 * two bodies of the same content.
 *
 * Order matters and is fixed here: spintax, then Liquid, then what no variable may undo (line ends in
 * the subject, control characters, the footer).
 */

import type { UnixMs } from "#domain/time.ts";
import { escapeHtml } from "./escape-html.ts";
import { languageOf } from "./language.ts";
import type { Language } from "./languages.ts";
import { type MessageScope, type ScopeInput, scopeOf } from "./message-scope.ts";
import { htmlToText } from "./plain-text.ts";
import { isSurelyPrinted, type Rendered, renderTemplate } from "./template.ts";
import { TEMPLATE_CHARS_MAX } from "./template-engine.ts";
import { type BodyFormat, formatOf, textToHtml } from "./text-to-html.ts";
import { WORDS } from "./words.ts";

export interface ContentInput extends ScopeInput {
  /** Null or blank on a later step means the same thread. */
  subject: string | null;
  body: string;
  /** Null: what the body looks like. */
  format: BodyFormat | null;
  /** Append the postal address and the way to unsubscribe where the body has no `unsubscribe_url`. */
  footer: boolean;
  /** What the footer's link says, in the team's own wording; null: our words in the recipient's language. */
  unsubscribeText: string | null;
  /** The team's, for recipients whose own is not known. */
  language: Language;
  /** Rendered subject of the message that began the thread; null for the first. */
  threadSubject: string | null;
  /** The same for every rendering of a step for a lead: `<lead id> <step id>`. */
  seed: string;
  /** What `"now" | date` reads. */
  at: UnixMs;
}

export type MessageContent =
  | { kind: "ready"; subject: string; text: string; html: string }
  /** Names of variables without a value and without a fallback. */
  | { kind: "held"; missing: string[] }
  /** For whoever wrote the step. */
  | { kind: "failed"; field: "subject" | "body"; error: string };

/** Source: RFC 5322 §2.1.1, the longest line; the composer folds long subjects anyway. */
export const SUBJECT_BYTES_MAX = 998;

/** Never throws. All missing variables of both templates are named at once. */
export function renderMessage(input: ContentInput): MessageContent {
  const format = escapeOf(input);
  const scope = scopeOf(input, format);
  const options = { seed: input.seed, at: input.at };
  const subject = renderSubject(input, scope);
  const body = renderTemplate(input.body, scope, {
    ...options,
    seed: `${input.seed} body`,
    escape: format,
  });
  const missing = [...missingOf(subject), ...missingOf(body)];
  if ("error" in subject) {
    return { kind: "failed", field: "subject", error: subject.error };
  }
  if ("error" in body) {
    return { kind: "failed", field: "body", error: body.error };
  }
  if (!subject.ok || !body.ok) {
    return { kind: "held", missing: [...new Set(missing)] };
  }
  const clean = withoutControls(body.text).trim();
  if (clean === "") {
    return { kind: "failed", field: "body", error: "the body is empty for this lead" };
  }
  const content = format === "html" ? fromHtml(clean) : fromText(clean);
  return { kind: "ready", subject: subject.text, ...withFooter(content, input) };
}

function escapeOf({ body, format }: ContentInput): "html" | "none" {
  return formatOf(body, format) === "html" ? "html" : "none";
}

/** A UTF-16 code unit takes at most so many bytes of UTF-8. */
const UNIT_BYTES_MAX = 3;
const SUBJECT_CHARS_SURE = Math.floor(SUBJECT_BYTES_MAX / UNIT_BYTES_MAX);

/** Whether {@link renderMessage} gives a message; mostly known without rendering one. */
export function isRenderable(input: ContentInput): boolean {
  const format = escapeOf(input);
  const scope = scopeOf(input, format);
  const subject = input.subject ?? "";
  const isReply = subject.trim() === "" && input.threadSubject !== null;
  const isSure =
    (isReply ||
      isSurelyPrinted(subject, scope, { escape: "none", charsMax: SUBJECT_CHARS_SURE })) &&
    isSurelyPrinted(input.body, scope, { escape: format, charsMax: TEMPLATE_CHARS_MAX });
  return isSure || renderMessage(input).kind === "ready";
}

interface Bodies {
  text: string;
  html: string;
}

function fromHtml(html: string): Bodies {
  return { html, text: htmlToText(html, { links: "keep" }).trim() };
}

function fromText(text: string): Bodies {
  return { text, html: textToHtml(text) };
}

function missingOf(rendered: Rendered): string[] {
  return "missing" in rendered ? rendered.missing : [];
}

function renderSubject(input: ContentInput, scope: MessageScope): Rendered {
  const source = input.subject ?? "";
  if (source.trim() === "" && input.threadSubject !== null) {
    return { ok: true, text: replySubject(input.threadSubject) };
  }
  const rendered = renderTemplate(source, scope, {
    seed: `${input.seed} subject`,
    escape: "none",
    at: input.at,
  });
  if (!rendered.ok) {
    return rendered;
  }
  const text = oneLine(rendered.text);
  return byteLength(text) > SUBJECT_BYTES_MAX
    ? { ok: false, error: `the subject is longer than ${SUBJECT_BYTES_MAX} bytes for this lead` }
    : { ok: true, text };
}

/** "Re:" once, however long the thread; cut at a character where it would grow too long. */
function replySubject(threadSubject: string): string {
  const subject = oneLine(threadSubject);
  let text = /^re:/i.test(subject) ? subject : `Re: ${subject}`.trim();
  while (byteLength(text) > SUBJECT_BYTES_MAX) {
    const excess = byteLength(text) - SUBJECT_BYTES_MAX;
    text = text.slice(0, -Math.ceil(excess / 3)).toWellFormed();
  }
  return text;
}

/** Line ends, NUL and all other controls become blanks; blanks in a row become one. */
function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

/** Line ends become LF; other controls but the tab go. */
function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "");
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Both forms get it, unless the body already shows the link. */
function withFooter(content: Bodies, input: ContentInput): Bodies {
  const link = input.unsubscribe.https ?? input.unsubscribe.mailto;
  const shows = [content.text, content.html].some(
    (body) => body.includes(link) || body.includes(escapeHtml(link)),
  );
  if (!input.footer || shows) {
    return content;
  }
  const address = withoutControls(input.postalAddress).trim();
  const textLines = address === "" ? [] : [address, ""];
  const htmlLines = address === "" ? [] : [escapeHtml(address).replaceAll("\n", "<br>\n")];
  const words = oneLine(
    input.unsubscribeText ?? WORDS[languageOf(input.lead, input.language)].unsubscribe,
  );
  const colon = /[.:!?。！？：]$/u.test(words) ? "" : ":";
  const text = [...textLines, `${words}${colon} ${link}`].join("\n");
  const label = `<a href="${escapeHtml(link)}">${escapeHtml(words)}</a>`;
  const html = [...htmlLines, label].join("<br>\n");
  return {
    text: `${content.text}\n\n${text}`,
    html: insertLast(content.html, `<p style="color:#666;font-size:12px">${html}</p>\n`),
  };
}

/** Before the end tag of the body, or at the end. */
function insertLast(html: string, block: string): string {
  const end = html.toLowerCase().lastIndexOf("</body");
  return end === -1 ? `${html}\n${block}` : `${html.slice(0, end)}${block}${html.slice(end)}`;
}
