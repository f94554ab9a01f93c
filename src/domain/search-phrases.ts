/**
 * What a person types into a search field, as a query of SQLite's full-text index: everything between
 * blanks has to be there, in any order, each a word or the beginning of one. `ada@exam` stands for `ada`
 * and then a word that begins with `exam`.
 *
 * Source: https://sqlite.org/fts5.html §3; quoted, no text is an operator.
 */

/** Further ones are ignored. */
const PHRASES_MAX = 16;

export interface Phrases {
  /** The query. */
  begun: string;
  /** The same of whole words only: what it finds, the query finds, and the index reads no further than it must. */
  whole: string;
}

/** Text without a letter or a digit finds nothing. */
export function searchPhrases(text: string): Phrases {
  const pieces = text.split(/\s+/u).filter((piece) => /[\p{L}\p{N}]/u.test(piece));
  const whole = pieces.slice(0, PHRASES_MAX).map((piece) => `"${piece.replaceAll(/["\0]/g, " ")}"`);
  return whole.length === 0
    ? { begun: NOTHING, whole: NOTHING }
    : { begun: whole.map((phrase) => `${phrase}*`).join(" "), whole: whole.join(" ") };
}

const NOTHING = '""';
