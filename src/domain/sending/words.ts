/** What we say in our own name, in every language that we speak: the footer's link, its page, and our own emails. */

import type { Language } from "./languages.ts";
import words from "./words.json" with { type: "json" };

export interface Words {
  /** The footer's link, and heading and button of its page. */
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
  /** Of the email that a mailbox sends to itself when its connection is tested. */
  testSubject: string;
  testText: string;
}

export const WORDS: Readonly<Record<Language, Words>> = words;
