/** Tags: words that a team sorts its leads, campaigns, mailboxes and conversations by. */

import { invalid } from "#domain/problem.ts";

export const TAG_KINDS = ["lead", "campaign", "account", "thread"] as const;
/** What may have tags. */
export type TagKind = (typeof TAG_KINDS)[number];

export const TAG_CHARS_MAX = 50;
/** Tags of one of them. */
export const TAGS_MAX = 20;
/** Different tags of a team, of each kind. */
export const TAG_NAMES_MAX = 1_000;

/** Commas and their like separate tags in a cell of a file, so that no tag has one. */
export const TAG_SEPARATORS = /[,;|]/;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** A tag as it is stored: one line, single spaces, lower case, composed; null where it cannot be one. */
export function parseTag(text: string): string | null {
  const name = text.normalize("NFC").trim().replace(/ +/g, " ").toLowerCase();
  const isTag =
    name !== "" &&
    name.length <= TAG_CHARS_MAX &&
    !TAG_SEPARATORS.test(name) &&
    !CONTROL.test(name);
  return isTag ? name : null;
}

/** Tags without repeats, in their order. Throws `validation_error` naming the one in `field` that is none. */
export function readTags(texts: readonly string[], field: string): string[] {
  const names = texts.map((text, at) => {
    const name = parseTag(text);
    if (name === null) {
      const words = `must be 1 to ${TAG_CHARS_MAX} characters on one line, without , ; or |`;
      throw invalid(`${field}.${at}`, words);
    }
    return name;
  });
  return [...new Set(names)].sort();
}
