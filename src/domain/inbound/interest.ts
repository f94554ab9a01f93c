/**
 * What an answer says about interest, by rules: a first label that a person can change.
 *
 * Only the writer's own words are read, and only their beginning. A label is given for clear words;
 * everything else has none.
 */

import type { Interest } from "../enrollment.ts";
import { fold } from "./fold.ts";
import { INTEREST_PHRASES } from "./interest-phrases.ts";

export interface InterestReading {
  interest: Interest;
  /** Row of the phrase table: `not_interested`, `wrong_person`, `not_now`, `meeting`, `interested`. */
  intent: string;
}

const INTEREST_CHARS_MAX = 600;

/** Null where the words say nothing clear. `text` is a stripped reply. */
export function readInterest(text: string): InterestReading | null {
  const folded = fold(text.slice(0, INTEREST_CHARS_MAX));
  const row = INTEREST_PHRASES.find(({ patterns }) => patterns.some((one) => one.test(folded)));
  return row === undefined ? null : { interest: row.interest, intent: row.intent };
}
