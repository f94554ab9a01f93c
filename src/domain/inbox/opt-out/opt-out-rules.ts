/** What words have to stand together in a clause for it to ask to be left alone. */

import type { ClauseWords, Hit } from "./opt-out-scan.ts";
import type { WordClass } from "./opt-out-words.ts";

interface Rule {
  /** One word of each group. */
  needs: readonly (readonly WordClass[])[];
  /** Unknown words between the outermost of them, at most. */
  gap: number;
  /** Unknown words in the whole clause, at most. */
  unknown?: number;
  /** Holds in a question and beside a limit too: "Can you take me off your list?" */
  isPlain?: true;
  /** Holds in a question: "How do I get off this list?" */
  inQuestion?: true;
  /** A negation near the words is none of theirs, for it is among them. */
  isNegative?: true;
  /** Another channel that the sentence names turns it round: "don't email me, call me". */
  yieldsToLimit?: true;
}

const NOTHING_ELSE = 0.7;

const RULES: readonly Rule[] = [
  { needs: [["demand"]], gap: 0, inQuestion: true },
  { needs: [["remove"], ["me"], ["list"]], gap: 4, isPlain: true },
  { needs: [["remove"], ["me"]], gap: 2 },
  { needs: [["remove"], ["list"]], gap: 2 },
  { needs: [["unsubscribe"]], gap: 0, unknown: NOTHING_ELSE },
  { needs: [["unsubscribe"], ["me", "list", "want"]], gap: 2 },
  { needs: [["stop"], ["contact", "send", "message"]], gap: 1 },
  { needs: [["not"], ["contact", "send"], ["more"]], gap: 0.7, isNegative: true },
  { needs: [["not"], ["send"], ["message"]], gap: 2, isNegative: true, yieldsToLimit: true },
  { needs: [["not"], ["contact"], ["me"]], gap: 1, isNegative: true, yieldsToLimit: true },
  { needs: [["not"], ["contact"]], gap: 0, unknown: 0, isNegative: true, yieldsToLimit: true },
  { needs: [["dont"], ["me", "more", "message"]], gap: 2, isNegative: true, yieldsToLimit: true },
  { needs: [["dont"]], gap: 0, unknown: NOTHING_ELSE, isNegative: true, yieldsToLimit: true },
  { needs: [["not"], ["want"], ["message", "contact"]], gap: 2, isNegative: true },
  { needs: [["unwanted"], ["message", "contact", "send", "more"]], gap: 2, isNegative: true },
  { needs: [["not"], ["more"], ["message"]], gap: 1, unknown: 3, isNegative: true },
  { needs: [["not"], ["message"]], gap: 0, unknown: 0, isNegative: true, yieldsToLimit: true },
  { needs: [["more"], ["message"]], gap: 0, unknown: 0, isNegative: true },
  { needs: [["done"], ["past"]], gap: 2, unknown: 4 },
  { needs: [["hope"], ["not", "more"], ["hear", "contact"]], gap: 2, isNegative: true },
  { needs: [["not"], ["consent"], ["message", "send", "contact"]], gap: 3, isNegative: true },
];

/** The clause around the words, for the rules that look beyond it. */
export interface Surroundings {
  isQuestion: boolean;
  /** The sentence has a limit anywhere. */
  isLimited: boolean;
}

/** From where to where the clause asks; null where it does not. */
export function asksIn(
  words: ClauseWords,
  length: number,
  around: Surroundings,
): [number, number] | null {
  const kinds = new Set(words.hits.map(({ kind }) => kind));
  const couldHold = (rule: Rule) =>
    rule.needs.every((group) => group.some((kind) => kinds.has(kind))) &&
    (rule.isPlain === true || !kinds.has("limit")) &&
    (rule.isPlain === true || rule.inQuestion === true || !around.isQuestion) &&
    (rule.yieldsToLimit !== true || !around.isLimited) &&
    (rule.unknown === undefined || words.unknown(0, length) <= rule.unknown);
  for (const rule of RULES.filter(couldHold)) {
    const span = findSpan(words, rule);
    if (span !== null && (rule.isNegative === true || !isNegated(words, span))) {
      return span;
    }
  }
  return null;
}

/** The closest set of hits that the rule is content with. */
function findSpan(words: ClauseWords, { needs, gap }: Rule): [number, number] | null {
  const [first = [], ...others] = needs;
  for (const start of words.hits.filter(({ kind }) => first.includes(kind))) {
    const selected = [start];
    for (const group of others) {
      const next = nearest(words, selected, group);
      if (next === null) {
        break;
      }
      selected.push(next);
    }
    const [at, end] = extent(selected);
    if (selected.length === needs.length && words.unknown(at, end) <= gap) {
      return [at, end];
    }
  }
  return null;
}

/** Words of "again" may lie inside another word: Greek writes them together. */
function nearest(
  words: ClauseWords,
  selected: readonly Hit[],
  group: readonly WordClass[],
): Hit | null {
  const [at, end] = extent(selected);
  let best: Hit | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const hit of words.hits) {
    const isFree =
      hit.kind === "more" || !selected.some((other) => hit.at < other.end && other.at < hit.end);
    if (group.includes(hit.kind) && isFree) {
      const from = Math.min(at, hit.at);
      const to = Math.max(end, hit.end);
      const cost = words.unknown(from, to) + (to - from) / 1000;
      if (cost < fewest) {
        [best, fewest] = [hit, cost];
      }
    }
  }
  return best;
}

function extent(hits: readonly Hit[]): [number, number] {
  return [Math.min(...hits.map(({ at }) => at)), Math.max(...hits.map(({ end }) => end))];
}

/** "Please don't unsubscribe me", "melden Sie mich nicht ab": a negation among the words or beside them. */
function isNegated(words: ClauseWords, [at, end]: [number, number]): boolean {
  return words.hits.some((hit) => {
    const isInside = at < hit.at && hit.end < end;
    const isBeside =
      (hit.end <= at && words.unknown(hit.end, at) <= 1) ||
      (end <= hit.at &&
        !NEGATES_BEFORE.has(words.language) &&
        words.unknown(end, hit.at) <= NOTHING_ELSE);
    return hit.kind === "not" && (isInside || isBeside);
  });
}

/** "Remove me and do not call me": what these languages negate comes behind the negation. */
const NEGATES_BEFORE: ReadonlySet<string> = new Set(
  "en es it pt ro pl cs sk hr sl ru uk bg sr el".split(" "),
);
