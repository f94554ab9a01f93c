/** The languages of what we say to recipients in our own name. */

/** Those that `words.json` speaks. */
export const LANGUAGES = [
  "en",
  "de",
  "fr",
  "es",
  "it",
  "pt",
  "nl",
  "pl",
  "cs",
  "sv",
  "da",
  "nb",
  "fi",
  "ja",
] as const;
export type Language = (typeof LANGUAGES)[number];
