/**
 * What a reply says about interest, by rules: a first label that a person can change.
 *
 * Only the writer's own words are read, and only their beginning. A label is given for clear words;
 * everything else has none. A word of interest behind a negation is no interest.
 */

import { INTERESTS, type Interest } from "#domain/campaigns/enrollment.ts";
import { MONTHS } from "#domain/inbox/auto-reply/calendar-words.ts";
import { invalid } from "#domain/problem.ts";
import { findPhrase, fold } from "./fold.ts";
import { BUT, CONTACT, INTEREST_PHRASES, LATER } from "./interest-phrases.ts";

export interface InterestReading {
  interest: Interest;
  /** Row of the phrase table: `not_interested`, `wrong_person` …; `own words` for a team's. */
  intent: string;
  /** The words that decided. */
  phrase: string;
}

/** Phrases of a team by what they mean, as people type them. They come before the built-in ones. */
export type TeamWords = Readonly<Partial<Record<Interest, readonly string[]>>>;
/** The same as it is stored: every label is there. */
export type InterestWords = Readonly<Record<Interest, readonly string[]>>;

export const NO_WORDS: InterestWords = {
  interested: [],
  not_interested: [],
  neutral: [],
  meeting: [],
};

const INTEREST_CHARS_MAX = 600;
/** Phrases of a team that are looked at for each label, and their length. */
export const TEAM_WORDS_MAX = 200;
export const TEAM_WORD_CHARS_MAX = 100;

/**
 * The words as they are kept: trimmed, each once. Throws `validation_error` naming the word that is empty
 * once it is folded (signs alone), or that stands for two things.
 */
export function readTeamWords(words: InterestWords): InterestWords {
  const known = new Map<string, Interest>();
  const read = (interest: Interest) => {
    const kept: string[] = [];
    for (const [place, word] of words[interest].entries()) {
      const field = `interest_words.${interest}.${place}`;
      const phrase = fold(word);
      const other = known.get(phrase);
      if (!/[\p{L}\p{N}]/u.test(phrase)) {
        throw invalid(field, "must contain a letter or a digit");
      }
      if (other !== undefined && other !== interest) {
        throw invalid(field, `is already listed under ${other}`);
      }
      if (other === undefined) {
        kept.push(word.trim());
        known.set(phrase, interest);
      }
    }
    return kept;
  };
  return {
    interested: read("interested"),
    not_interested: read("not_interested"),
    neutral: read("neutral"),
    meeting: read("meeting"),
  };
}

/** Null where the words say nothing clear. `text` is a stripped reply. */
export function readInterest(text: string, words: TeamWords = {}): InterestReading | null {
  const folded = fold(text.slice(0, INTEREST_CHARS_MAX));
  return byTeamWords(folded, words) ?? byTable(folded);
}

function byTable(folded: string): InterestReading | null {
  for (const { interest, intent, patterns } of INTEREST_PHRASES) {
    const phrase = findPhrase(withoutNegated(folded, interest), patterns);
    if (phrase !== null) {
      const later = interest === "not_interested" ? invitationIn(folded) : null;
      return later ?? { interest, intent, phrase };
    }
  }
  return null;
}

/** "No thanks, but call me in May": what follows the refusal asks for another time. */
function invitationIn(folded: string): InterestReading | null {
  const at = BUT.exec(folded)?.index ?? -1;
  const rest = at === -1 ? "" : folded.slice(at).replace(NEGATED, " … ");
  const isAsked = CONTACT.test(rest) && (LATER.test(rest) || MONTH.test(rest));
  return isAsked ? { interest: "neutral", intent: "not_now", phrase: rest.slice(0, 80) } : null;
}

const MONTH = new RegExp(`\\b(?:${MONTHS.flat().join("|")})\\b`);

/** Refusals first, so that "not keen" of one list is never outdone by "keen" of another. */
const TEAM_ORDER: readonly Interest[] = INTERESTS.toSorted(
  (a, b) => Number(isPositive(a)) - Number(isPositive(b)),
);

function byTeamWords(folded: string, words: TeamWords): InterestReading | null {
  for (const interest of TEAM_ORDER) {
    const readable = withoutNegated(folded, interest);
    for (const word of (words[interest] ?? []).slice(0, TEAM_WORDS_MAX)) {
      const phrase = fold(word.slice(0, TEAM_WORD_CHARS_MAX));
      if (phrase !== "" && containsWords(readable, phrase)) {
        return { interest, intent: "own words", phrase };
      }
    }
  }
  return null;
}

function isPositive(interest: Interest): boolean {
  return interest === "interested" || interest === "meeting";
}

/** True where `phrase` stands in `text` with no letter right before or behind it. */
function containsWords(text: string, phrase: string): boolean {
  for (let at = text.indexOf(phrase); at !== -1; at = text.indexOf(phrase, at + 1)) {
    const before = text.charAt(at - 1);
    const after = text.charAt(at + phrase.length);
    if (!LETTER.test(before) && !LETTER.test(after)) {
      return true;
    }
  }
  return false;
}

/** Scripts that part words. Chinese and Japanese do not. */
const LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]/u;

/**
 * A negation and the few words that it reaches. "No problem" and the like negate nothing; a comma ends
 * its reach, so that "No, Tuesday works for me" is still an appointment.
 */
const NEGATED =
  /\b(?:n'[^\s,.;:!?]+|neposil\w{1,6}|nevolej\w{0,4}|not|never|don'?t|doesn'?t|didn'?t|won'?t|can'?t|cannot|isn'?t|aren'?t|wouldn'?t|hardly|nicht|kein(?:e[nrms]?)?|niemals|ne|pas|jamais|aucune?|no|nunca|ningun[ao]?|niet|geen|nooit|nao|nem|nenhum[a]?|non|nessun[ao]?|nie|zadn\w{1,4}|inte|ingen|inga|ej|ikke|nechc\w{1,4}|nemam\w?)\b(?! (?:problem|worries|doubt|only|hesitate|just)\b)(?: [^\s,.;:!?]+){0,5}/g;

function withoutNegated(folded: string, interest: Interest): string {
  return isPositive(interest)
    ? folded.replace(NEGATED_BEHIND, " … ").replace(NEGATED, " … ")
    : folded;
}

/** Germanic languages negate behind the verb: "schicken Sie mir keine Informationen". */
const NEGATED_BEHIND =
  /(?:(?!aber\b|und\b|maar\b|en\b|men\b|och\b|og\b|warum\b|wieso\b|waarom\b|varfor\b|hvorfor\b)(?<![^\s,.;:!?])[^\s,.;:!?]{1,40} ){1,5}(?=(?:nicht|kein(?:e[nrms]?)?|niet|geen|inte|ingen|inga|ikke)\b(?! (?:problem|nur|bara|kun|alleen|only)\b))/g;
