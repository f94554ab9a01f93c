/**
 * The language of a public page. Whoever opens it is a stranger who came from an email, so the browser decides
 * which: `Accept-Language` (RFC 9110, 12.5.4).
 */

import { languageOfTag } from "#domain/sending/language.ts";
import type { Language } from "#domain/sending/languages.ts";
import { WORDS, type Words } from "#domain/sending/words.ts";

export interface Spoken {
  language: Language;
  words: Words;
}

/** The header is a stranger's: no more of it is read. */
const RANGES_MAX = 20;

/** The language that the reader likes best among those there are; English where none is. */
export function wordsFor(acceptLanguage: string | null): Spoken {
  const [liked] = (acceptLanguage ?? "")
    .split(",", RANGES_MAX)
    .flatMap((range) => {
      const [tag = "", ...parameters] = range.toLowerCase().split(";");
      const quality = parameters.find((part) => part.trim().startsWith("q="));
      const weight = quality === undefined ? 1 : Number(quality.trim().slice(2));
      const language = languageOfTag(tag);
      return language !== undefined && weight > 0 ? [{ language, weight }] : [];
    })
    .sort((a, b) => b.weight - a.weight);
  const language = liked?.language ?? "en";
  return { language, words: WORDS[language] };
}
