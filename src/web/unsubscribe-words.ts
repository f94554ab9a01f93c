/**
 * What the unsubscribe page says, in the languages that it speaks. Whoever opens it is a stranger who came
 * from an email, so the browser decides which: `Accept-Language` (RFC 9110, 12.5.4).
 */

import others from "./unsubscribe-words.json" with { type: "json" };

export interface UnsubscribeWords {
  /** Heading and button. */
  unsubscribe: string;
  /** `{email}` stands for the address. */
  ask: string;
  /** Where the address is no longer known. */
  askYou: string;
  unchanged: string;
  done: string;
  stopped: string;
  stoppedYou: string;
  close: string;
  broken: string;
  brokenHelp: string;
}

const EN: UnsubscribeWords = {
  unsubscribe: "Unsubscribe",
  ask: "Stop these messages to {email}?",
  askYou: "Stop these messages to you?",
  unchanged: "Nothing has changed yet. Close this page if you came here by mistake.",
  done: "You are unsubscribed",
  stopped: "{email} will get no more of these messages.",
  stoppedYou: "You will get no more of these messages.",
  close: "You can close this page.",
  broken: "This link doesn't work",
  brokenHelp:
    "It may have been cut short. Copy the whole address from the email, or reply to the email and ask to be removed.",
};

/** By the first part of a language tag. */
const WORDS: Readonly<Record<string, UnsubscribeWords>> = { en: EN, ...others };
/** Norwegian by its older names. */
const ALSO: Readonly<Record<string, string>> = { no: "nb", nn: "nb" };

export interface Spoken {
  language: string;
  words: UnsubscribeWords;
}

/** The header is a stranger's: no more of it is read. */
const RANGES_MAX = 20;

/** The language that the reader likes best among those there are; English where none is. */
export function wordsFor(acceptLanguage: string | null): Spoken {
  const liked = (acceptLanguage ?? "")
    .split(",", RANGES_MAX)
    .map((range) => {
      const [tag = "", ...parameters] = range.toLowerCase().split(";");
      const quality = parameters.find((part) => part.trim().startsWith("q="));
      const language = tag.trim().split("-")[0] ?? "";
      return {
        language: ALSO[language] ?? language,
        weight: quality === undefined ? 1 : Number(quality.trim().slice(2)),
      };
    })
    .filter(({ language, weight }) => Object.hasOwn(WORDS, language) && weight > 0)
    .sort((a, b) => b.weight - a.weight);
  const language = liked[0]?.language ?? "en";
  return { language, words: WORDS[language] ?? EN };
}
