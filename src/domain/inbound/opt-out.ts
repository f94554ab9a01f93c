/**
 * Typed requests to be left alone.
 *
 * Two questions are kept apart: does the text ask for it at all, and does it say nothing else. Only the
 * second unsubscribes by itself; "How did you unsubscribe 40 % of them?" is a conversation.
 */

import { fold } from "./fold.ts";
import { FILLER_WORDS, OPT_OUT_PHRASES } from "./opt-out-phrases.ts";

export interface OptOut {
  /** The whole text is the request. */
  isWhole: boolean;
  phrase: string;
}

/** A longer text says something else too. */
const WHOLE_CHARS_MAX = 400;
/** Words left over that are taken for a name or a slip. */
const REST_WORDS_MAX = 0;

/** Null where `text`, a stripped reply, asks for nothing of the kind. `sender` is the display name. */
export function findOptOut(text: string, sender: string): OptOut | null {
  const folded = fold(text);
  let rest = folded;
  let phrase = "";
  for (const pattern of OPT_OUT_PHRASES) {
    rest = rest.replace(pattern, (found) => {
      phrase ||= found.trim();
      return " ";
    });
  }
  if (phrase === "") {
    return null;
  }
  const own = new Set(fold(sender).split(/[^\p{L}\p{N}']+/u));
  const words = rest
    .split(/[^\p{L}\p{N}'-]+/u)
    .map((word) => word.replace(/^['-]+|['-]+$/g, ""))
    .filter((word) => word !== "" && !FILLER_WORDS.has(word) && !own.has(word));
  const isWhole =
    words.length <= REST_WORDS_MAX && folded.length <= WHOLE_CHARS_MAX && !isQuestion(folded);
  return { isWhole, phrase };
}

/** A question is whole only where it asks how. */
function isQuestion(folded: string): boolean {
  return folded.includes("?") && !/how (?:do|can) i/.test(folded);
}
