/**
 * The words of which requests to be left alone are made, and those of footers, by language. What they mean
 * together is `opt-out-rules.ts`.
 *
 * An entry is a word or a phrase as people write it; `*` at its end lets the word go on. Entries are
 * parted by commas and folded when they are read, so accents and case may stay.
 */

import { FURTHER_WORDS } from "./opt-out-words-further.ts";
import { GERMANIC_WORDS } from "./opt-out-words-germanic.ts";
import { INDIRECT_WORDS } from "./opt-out-words-indirect.ts";
import { OTHER_WORDS } from "./opt-out-words-other.ts";
import { ROMANCE_WORDS } from "./opt-out-words-romance.ts";
import { SLAVIC_WORDS } from "./opt-out-words-slavic.ts";

export const WORD_CLASSES = [
  /** To opt out, as a verb or a noun: "unsubscribe". */
  "unsubscribe",
  /** A request only where the whole text is nothing else: "remove". */
  "alone",
  /** To take off or delete. */
  "remove",
  /** What one is taken off: "mailing list". */
  "list",
  /** The writer, or the writer's address and data, as an object. */
  "me",
  "stop",
  /** To write to or bother somebody; "contact". */
  "contact",
  /** To send something. */
  "send",
  /** What is sent: "emails". */
  "message",
  "not",
  /** "again", "any more". */
  "more",
  /** To want or wish, as the writer does. */
  "want",
  /** "do not write", where one word says both. */
  "dont",
  /** "do not want", where one word says both. */
  "unwanted",
  /** A whole demand by itself: "leave me alone", "I withdraw my consent". */
  "demand",
  /** What one says to have done: "unsubscribed", which asks beside the next. */
  "done",
  /** "already", "last week". */
  "past",
  "hope",
  /** To hear from somebody; asks beside hope and a negation. */
  "hear",
  /** Consent or permission, which asks where there was none. */
  "consent",
  /** Phrases that look like one of the others and are not: "stop by". */
  "other",
  /** What turns a request into another one: "call me instead", "before Monday", "on average". */
  "limit",
  /** Opens a request that has the form of a question: "could you". */
  "ask",
  /** Politeness and particles in languages that part no words. */
  "filler",
  /** Words of a footer that no person types into a reply. */
  "footer",
] as const;
export type WordClass = (typeof WORD_CLASSES)[number];
export type Words = Readonly<Partial<Record<WordClass, string>>>;

const DIRECT_WORDS: Readonly<Record<string, Words>> = {
  ...GERMANIC_WORDS,
  ...ROMANCE_WORDS,
  ...SLAVIC_WORDS,
  ...FURTHER_WORDS,
  ...OTHER_WORDS,
};

/** `any`: what is said alike in many languages; counts with each of the others. */
export const OPT_OUT_WORDS: ReadonlyMap<string, readonly Words[]> = new Map(
  Object.entries(DIRECT_WORDS).map(([language, words]) => {
    return [language, [words, INDIRECT_WORDS.get(language) ?? {}]];
  }),
);
