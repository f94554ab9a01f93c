/**
 * Finds operations by what somebody wants to do. Ranked as texts are (BM25 over weighted fields), with the
 * field's synonyms counting less than a word that was said.
 *
 * Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.
 */

import type { ApiOperation } from "#api/document/read.ts";
import { MEANS, PURPOSES } from "./vocabulary.ts";

const WORDS_MAX = 40;
const SATURATION = 1.2;
const LENGTH_SHARE = 0.4;
const SYNONYM_WEIGHT = 0.6;
const SUMMARY_WEIGHT = 4;
const PURPOSE_WEIGHT = 3;
const UNSAID = new Set(
  "a an the my our your i we you it its is are was were be do does did can could will to of for from in on at by with and or that this what how when who which has have had not no all each one some any me us if so up".split(
    " ",
  ),
);

const meanings = new Map(
  Object.entries(MEANS).map(([word, meant]) => [stem(word), meant.map(stem)]),
);

interface Indexed {
  operation: ApiOperation;
  counts: ReadonlyMap<string, number>;
  length: number;
}

export interface Search {
  /** The best `max`, best first. */
  find(text: string, max: number): ApiOperation[];
}

export function createSearch(operations: readonly ApiOperation[]): Search {
  const indexed = operations.map(indexOf);
  const mean = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(1, indexed.length);
  const rarity = (word: string) => {
    const holding = indexed.filter(({ counts }) => counts.has(word)).length;
    return Math.log(1 + (indexed.length - holding + 0.5) / (holding + 0.5));
  };
  return {
    find: (text, max) => {
      const asked = [...weigh(text)].map(([word, weight]) => ({
        word,
        weight: weight * rarity(word),
      }));
      return indexed
        .map(({ operation, counts, length }) => {
          const norm = SATURATION * (1 - LENGTH_SHARE + (LENGTH_SHARE * length) / mean);
          const score = asked.reduce((sum, { word, weight }) => {
            const count = counts.get(word) ?? 0;
            return sum + (weight * count * (SATURATION + 1)) / (count + norm);
          }, 0);
          return { operation, score };
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, max)
        .map(({ operation }) => operation);
    },
  };
}

/** Words asked for, and what they may mean. */
function weigh(text: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of wordsOf(text).slice(0, WORDS_MAX)) {
    weights.set(word, 1);
    for (const meant of meanings.get(word) ?? []) {
      weights.set(meant, Math.max(weights.get(meant) ?? 0, SYNONYM_WEIGHT));
    }
  }
  return weights;
}

function indexOf(operation: ApiOperation): Indexed {
  const { id, summary, description, tag, path, body, inQuery } = operation;
  const counts = new Map<string, number>();
  let length = 0;
  const add = (text: string, weight: number) => {
    for (const word of wordsOf(text)) {
      counts.set(word, (counts.get(word) ?? 0) + weight);
      length += weight;
    }
  };
  add(`${summary} ${spaced(id)}`, SUMMARY_WEIGHT);
  add(PURPOSES[id] ?? "", PURPOSE_WEIGHT);
  add(`${description} ${tag} ${path}`, 1);
  add(Object.keys(body?.properties ?? {}).join(" "), 1);
  add(inQuery.map(({ name }) => name).join(" "), 1);
  return { operation, counts, length };
}

function spaced(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/a\/b/g, "ab")
    .replace(/(opt|follow|block|black)[- ](out|up|list)/g, "$1$2")
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 1 && !UNSAID.has(word))
    .map(stem);
}

/** As far as English endings keep apart what an operation and a question call the same. */
function stem(word: string): string {
  const plain = word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^s])s$/, "$1")
    .replace(/(.{3,})(ing|ed|ion)$/, "$1")
    .replace(/([b-df-hj-np-tv-z])\1$/, "$1");
  return plain.length > 3 ? plain.replace(/e$/, "") : plain;
}
