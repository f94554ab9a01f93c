/**
 * Takes off what a replier's own email system puts below a message: notices of confidentiality and data
 * protection, offers to unsubscribe. Told by words that nobody types into a reply.
 */

import { foldForWords, footerPhrases } from "#domain/inbox/opt-out/opt-out-scan.ts";

/** Of a long text its beginning and its end are read. */
const BEGINNING_CHARS_MAX = 3000;
const END_CHARS_MAX = 1000;
/** Longer sentences are read so far. */
const SENTENCE_CHARS_MAX = 600;

/** What is read of `text`, a stripped reply, without its footers; empty where it is nothing else. */
export function withoutFooters(text: string): string {
  return unwrapped(bounded(text))
    .split(/\n(?:[ \t]*\n)+|\n[_*=-]{3,} *\n/)
    .map((paragraph) => withoutFooter(sentencesOf(paragraph)))
    .filter((paragraph) => paragraph !== "")
    .join("\n\n");
}

function bounded(text: string): string {
  return text.length <= BEGINNING_CHARS_MAX + END_CHARS_MAX
    ? text
    : `${text.slice(0, BEGINNING_CHARS_MAX)}\n${text.slice(-END_CHARS_MAX)}`;
}

/** What comes before the first sentence of a footer: a footer goes on to the end of its paragraph. */
function withoutFooter(sentences: readonly string[]): string {
  const weights = sentences.map(footerWeight);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const first = weights.findIndex((weight) => weight > 0);
  return (sum >= FOOTER_WEIGHT && first !== -1 ? sentences.slice(0, first) : sentences)
    .join("")
    .trim();
}

/** A phrase of three words is enough; of shorter ones it takes two, for people may type one of them. */
const FOOTER_WEIGHT = 2;

function footerWeight(sentence: string): number {
  const phrases = footerPhrases(foldForWords(sentence.slice(0, SENTENCE_CHARS_MAX)));
  const isLong = (phrase: string) =>
    phrase.split(" ").length >= 3 || /[^\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Greek} '-]/u.test(phrase);
  return phrases.reduce((sum, phrase) => sum + (isLong(phrase) ? 2 : 1), 0);
}

/** Sentences with what ends them, so that they join to the same text again. A line is a sentence. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?](?=\s))|(?<=[。！？؟।\n])/u);
}

/** Lines that a client broke are joined again: a long one without an end goes on in the next. */
function unwrapped(text: string): string {
  return text.replace(/(?<=[^\n]{50})(?<![.!?:>])\n(?=[\p{L}\p{N}(])/gu, " ");
}
