/** Text made comparable, so that a table of phrases needs one spelling of each. */

/** Longer text is cut: what decides stands at the beginning. */
export const FOLD_CHARS_MAX = 10_000;

/**
 * Lower case, without accents, blanks in a row as one, typographic quotes and dashes as the plain ones.
 * Phrases in the tables are written in this form.
 */
export function fold(text: string): string {
  return text
    .slice(0, FOLD_CHARS_MAX)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .normalize("NFC")
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter] ?? letter)
    .replace(/[\u2018\u2019\u201b\u00b4`]/g, "'")
    .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/\s+/g, " ")
    .trim();
}

/** Letters that no mark can be taken from. The marks of kana and Hangul stay: they make other sounds. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
};

/** One pattern of several rows, in the form that `fold` leaves Thai and Hindi in. */
export function anyOf(...rows: readonly string[]): RegExp {
  return new RegExp(rows.join("|").normalize("NFKD").normalize("NFC"));
}

/** The first phrase of `patterns` that `folded` contains, in the words of the text; null without one. */
export function findPhrase(folded: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const found = pattern.exec(folded);
    if (found !== null) {
      return found[0].trim().slice(0, PHRASE_CHARS_MAX);
    }
  }
  return null;
}

const PHRASE_CHARS_MAX = 120;
