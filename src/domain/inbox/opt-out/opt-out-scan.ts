/**
 * Finds the words of `opt-out-words.ts` in a clause. Every place where a word may begin is looked up once
 * in a table, so the time grows with the text and not with the number of phrases.
 */

import { fold } from "#domain/inbox/fold.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { FILLER_WORDS } from "./opt-out-fillers.ts";
import { OPT_OUT_WORDS, WORD_CLASSES, type WordClass } from "./opt-out-words.ts";

export interface Hit {
  kind: WordClass;
  at: number;
  end: number;
}

/** What one language knows in a clause. */
export interface ClauseWords {
  language: string;
  hits: readonly Hit[];
  /** Words between two places that the language does not know; a character of Han or Thai is a third. */
  unknown: (from: number, to: number) => number;
}

interface Entry {
  language: string;
  kind: WordClass;
  /** The word may go on. */
  isPrefix: boolean;
}

interface Index {
  entries: ReadonlyMap<string, readonly Entry[]>;
  /** Lengths of the entries that begin with a character, longest first. */
  lengths: ReadonlyMap<string, readonly number[]>;
}

/** Built at the first reply: most commands of the executable read none. */
let requestIndex: Index | undefined;
let footerIndex: Index | undefined;

const REQUEST_CLASSES = WORD_CLASSES.filter((kind) => kind !== "footer");

function buildIndex(kinds: readonly WordClass[]): Index {
  const entries = new Map<string, Entry[]>();
  const lengths = new Map<string, Set<number>>();
  for (const [language, rows] of OPT_OUT_WORDS) {
    for (const kind of kinds) {
      const all = rows.map((words) => words[kind] ?? "").join(",");
      for (const written of foldForWords(all).split(",")) {
        const isPrefix = written.trim().endsWith("*");
        const text = written.trim().replace(/\*$/, "");
        if (text !== "") {
          entries.set(text, [...(entries.get(text) ?? []), { language, kind, isPrefix }]);
          const begin = text.slice(0, BEGIN_CHARS);
          lengths.set(begin, (lengths.get(begin) ?? new Set()).add(text.length));
        }
      }
    }
  }
  const sorted = [...lengths].map(
    ([begin, set]) => [begin, [...set].toSorted((a, b) => b - a)] as const,
  );
  return { entries, lengths: new Map(sorted) };
}

const BEGIN_CHARS = 2;
/** Hits of one language in a clause; more say nothing new. */
const HITS_MAX = 40;
/** Longer clauses are cut: nobody asks at such length. */
export const CLAUSE_CHARS_MAX = 500;

/** Folded, without invisible signs and vowel points, and without the blanks that Korean puts as it likes. */
export function foldForWords(text: string): string {
  return fold(text.replace(INVISIBLE, ""))
    .replace(/(?<=\p{sc=Hangul}) (?=\p{sc=Hangul})/gu, "")
    .replace(/\bu[a-z]{7,12}\b/g, (word) => nearestWord(word, OFTEN_MISTYPED) ?? word);
}

/** The word that is mistyped most, and its forms, which are words of their own. */
const OFTEN_MISTYPED = [
  "unsubscribe",
  "unsubscribed",
  "unsubscribes",
  "unsubscriber",
  "unsubscribing",
  "unsubscription",
];

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff\u0591-\u05c7\u064b-\u0652\u0640]/g;
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]/u;
const IN_WORD = /[\p{L}\p{N}\p{M}]/u;
/** Letters that Arabic and Hebrew write onto the front of a word: "and", "in", "to", "the". */
const PROCLITIC = /[وفبلكהובלמשכ]/;

/** The languages that know something of a folded clause; names of the writer count as known words. */
export function scanClause(clause: string, names: ReadonlySet<string>): ClauseWords[] {
  requestIndex ??= buildIndex(REQUEST_CLASSES);
  const byLanguage = findHits(clause, requestIndex);
  const shared = byLanguage.get("any") ?? [];
  const languages = byLanguage.size === 1 ? [...byLanguage.keys()] : withoutAny(byLanguage);
  const tokens = tokensOf(clause, names);
  return languages.map((language) => {
    const own = language === "any" ? [] : (byLanguage.get(language) ?? []);
    const hits = withoutShadowed([...own, ...shared]);
    return { language, hits, unknown: counter(tokens, hits) };
  });
}

function withoutAny(byLanguage: ReadonlyMap<string, readonly Hit[]>): string[] {
  return [...byLanguage.keys()].filter((language) => language !== "any");
}

/** The words of footers that a folded sentence contains, each once. */
export function footerPhrases(sentence: string): string[] {
  footerIndex ??= buildIndex(["footer"]);
  const hits = [...findHits(sentence, footerIndex).values()].flat();
  return [...new Set(hits.map(({ at, end }) => sentence.slice(at, end)))];
}

function findHits(clause: string, index: Index): Map<string, Hit[]> {
  const found = new Map<string, Hit[]>();
  for (let at = 0; at < clause.length; at += 1) {
    for (const { language, ...hit } of isStart(clause, at) ? hitsAt(clause, at, index) : []) {
      const hits = found.get(language) ?? [];
      found.set(language, hits);
      if (hits.length < HITS_MAX) {
        hits.push(hit);
      }
    }
  }
  return found;
}

function hitsAt(clause: string, at: number, { entries, lengths }: Index) {
  return lengthsAt(lengths, clause, at).flatMap((length) => {
    const known = entries.get(clause.slice(at, at + length)) ?? [];
    return known.flatMap(({ language, kind, isPrefix }) => {
      const end = endOf(clause, at + length, isPrefix);
      return end === null ? [] : [{ language, kind, at, end }];
    });
  });
}

function lengthsAt(lengths: Index["lengths"], clause: string, at: number): readonly number[] {
  const longer = lengths.get(clause.slice(at, at + BEGIN_CHARS)) ?? [];
  const single = lengths.get(clause.charAt(at)) ?? [];
  return [...longer, ...single].filter((length) => at + length <= clause.length);
}

function isStart(clause: string, at: number): boolean {
  const [before, here] = [clause.charAt(at - 1), clause.charAt(at)];
  if (before === "" || SPACELESS.test(here) || !(IN_WORD.test(before) && IN_WORD.test(here))) {
    return here !== " ";
  }
  return PROCLITIC.test(before) && !IN_WORD.test(clause.charAt(at - 2));
}

/** Where the hit ends; null where a whole word was wanted and it goes on. */
function endOf(clause: string, from: number, isPrefix: boolean): number | null {
  if (SPACELESS.test(clause.charAt(from - 1))) {
    return from;
  }
  let end = from;
  while (end < clause.length && IN_WORD.test(clause.charAt(end))) {
    end += 1;
  }
  return isPrefix || end === from || !IN_WORD.test(clause.charAt(from - 1)) ? end : null;
}

/** Without what lies inside a phrase that means something else: "stop by" is no "stop". */
function withoutShadowed(hits: readonly Hit[]): Hit[] {
  const others = hits.filter(({ kind }) => kind === "other");
  return hits.filter((hit) => {
    return !others.some((other) => other !== hit && other.at <= hit.at && hit.end <= other.end);
  });
}

interface Token {
  at: number;
  end: number;
  weight: number;
}

const TOKEN =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}]|[^\P{L}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}][\p{L}\p{M}\p{N}@.'-]*|\p{N}+/gu;

/** Words that are no address, no name and no small word. */
function tokensOf(clause: string, names: ReadonlySet<string>): Token[] {
  return [...clause.matchAll(TOKEN)]
    .map((match) => ({ at: match.index, end: match.index + match[0].length, word: match[0] }))
    .filter(({ word }) => {
      return !word.includes("@") && !names.has(word) && !FILLER_WORDS.has(word);
    })
    .map(({ at, end, word }) => ({ at, end, weight: SPACELESS.test(word) ? 1 / 3 : 1 }));
}

function counter(tokens: readonly Token[], hits: readonly Hit[]) {
  const unknown = tokens.filter(({ at, end }) => !hits.some((hit) => hit.at < end && at < hit.end));
  return (from: number, to: number): number => {
    let sum = 0;
    for (const { at, end, weight } of unknown) {
      sum += from <= at && end <= to ? weight : 0;
    }
    return sum;
  };
}
