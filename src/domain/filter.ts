/**
 * The language in which lists are filtered: `status:active created>2026-10-01 -company:acme "two words"`.
 * Terms stand beside each other, and all of them have to hold. A term is a field, an operator and a value
 * (or several, `status:active,paused`, of which one has to fit), or a bare word to be looked for. A minus
 * before a term turns it around. Quotes hold a value together, and a backslash a quote in it.
 *
 * Source: ours, after the search boxes of GitHub and Gmail.
 */

import { nearestWord } from "./nearest-word.ts";
import { invalidAll, Problem } from "./problem.ts";
import { DAY_MS, dateFromIso, fromIso, plus, type UnixMs, unixMs } from "./time.ts";

export const FILTER_CHARS_MAX = 1000;
const TERMS_MAX = 20;
const VALUES_MAX = 20;

const OPERATORS = [">=", "<=", ":", "=", ">", "<"] as const;
export type Operator = (typeof OPERATORS)[number];

/** What a field of a list may be compared with. */
export type FieldKind =
  /** `:` is "contains", `=` is "is"; in any case of letters. */
  | { kind: "text" }
  | { kind: "choice"; values: readonly string[] }
  | { kind: "number" }
  /** A date is its whole day in UTC. */
  | { kind: "date" };

export type FieldKinds = Readonly<Record<string, FieldKind>>;

/** One term, read and checked. */
export interface Condition {
  /** Null for a bare word. */
  field: string | null;
  /** What follows the dot of a field with parts, such as `variables.city`. */
  part: string | null;
  isNot: boolean;
  /** One of them has to fit. */
  tests: readonly Test[];
}

export type Test =
  | { kind: "contains" | "is"; text: string }
  | { kind: "number"; operator: Operator; value: number }
  /** `[from, to)`; null: no bound. */
  | { kind: "between"; from: UnixMs | null; to: UnixMs | null };

interface Term {
  /** Of the first character, from 1. */
  at: number;
  isNot: boolean;
  name: string | null;
  operator: Operator;
  values: string[];
}

/**
 * The conditions of `text`. A kind with the name `variables.` stands for all names that begin so. Throws a
 * `validation_error` naming `filter`, with the place of what is wrong.
 */
export function parseFilter(text: string, kinds: FieldKinds): Condition[] {
  const terms = termsOf(text);
  if (terms.length > TERMS_MAX) {
    throw wrong(terms[TERMS_MAX]?.at ?? 1, `a filter has at most ${TERMS_MAX} terms`);
  }
  return terms.map((term) => conditionOf(term, kinds));
}

function conditionOf(term: Term, kinds: FieldKinds): Condition {
  const { name, isNot, values, operator, at } = term;
  if (name === null) {
    const tests = values.map((word) => ({ kind: "contains", text: word }) as const);
    return { field: null, part: null, isNot, tests };
  }
  const dot = name.indexOf(".") + 1;
  const field = dot === 0 ? name : name.slice(0, dot);
  const kind = Object.hasOwn(kinds, field) ? kinds[field] : undefined;
  if (kind === undefined || dot === name.length) {
    throw unknownField(name, at, kinds);
  }
  const tests = values.map((value) => testOf(kind, operator, value, `${name}${operator}`, at));
  return { field, part: dot === 0 ? null : name.slice(dot), isNot, tests };
}

function testOf(
  kind: FieldKind,
  operator: Operator,
  value: string,
  said: string,
  at: number,
): Test {
  const isEqual = operator === ":" || operator === "=";
  switch (kind.kind) {
    case "number": {
      const number = Number(value);
      if (!/^-?\d+(\.\d+)?$/.test(value) || !Number.isFinite(number)) {
        throw wrong(at, `${said} needs a number, not "${value}"`);
      }
      return { kind: "number", operator, value: number };
    }
    case "date":
      return between(operator, dayOf(value, said, at));
    case "choice":
      return choiceOf(kind.values, isEqual, value, said, at);
    case "text":
      if (!isEqual) {
        throw wrong(at, `${said} can't be compared; use ":" for "contains", or "=" for "is"`);
      }
      return { kind: operator === ":" ? "contains" : "is", text: value };
  }
}

function choiceOf(
  values: readonly string[],
  isEqual: boolean,
  value: string,
  said: string,
  at: number,
): Test {
  if (isEqual && values.includes(value)) {
    return { kind: "is", text: value };
  }
  const words = isEqual
    ? `"${value}" is not a value of ${said.slice(0, -1)}; there is ${values.join(", ")}`
    : `${said} can't be compared; use ":"`;
  throw wrong(at, words, (isEqual ? nearestWord(value, values) : undefined) ?? null);
}

/** The stretch of time that a date or an instant stands for. */
function dayOf(value: string, said: string, at: number): { from: UnixMs; to: UnixMs } {
  try {
    if (value.includes("T")) {
      const instant = fromIso(value, "filter");
      return { from: instant, to: plus(instant, 1) };
    }
    const date = dateFromIso(value, "filter");
    const from = unixMs(date.toZonedDateTime("UTC").epochMilliseconds);
    return { from, to: plus(from, DAY_MS) };
  } catch (error) {
    if (error instanceof Problem) {
      throw wrong(at, `${said} needs a date such as 2026-10-01, not "${value}"`);
    }
    throw error;
  }
}

function between(operator: Operator, { from, to }: { from: UnixMs; to: UnixMs }): Test {
  switch (operator) {
    case ">":
      return { kind: "between", from: to, to: null };
    case ">=":
      return { kind: "between", from, to: null };
    case "<":
      return { kind: "between", from: null, to: from };
    case "<=":
      return { kind: "between", from: null, to };
    default:
      return { kind: "between", from, to };
  }
}

const NAME = /^[A-Za-z_][\w.-]*/;

function termsOf(text: string): Term[] {
  const terms: Term[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/.test(text.charAt(at))) {
      at += 1;
    } else {
      const start = at;
      const isNot = text.charAt(at) === "-";
      at += isNot ? 1 : 0;
      const named = fieldAt(text, at);
      at += named.length;
      const { values, end } = valuesAt(text, at, named.name !== null);
      terms.push({ at: start + 1, isNot, name: named.name, operator: named.operator, values });
      at = end;
    }
  }
  return terms;
}

function fieldAt(
  text: string,
  at: number,
): { name: string | null; operator: Operator; length: number } {
  const name = NAME.exec(text.slice(at, at + FILTER_CHARS_MAX))?.[0] ?? "";
  const operator = OPERATORS.find((one) => text.startsWith(one, at + name.length));
  return name === "" || operator === undefined
    ? { name: null, operator: ":", length: 0 }
    : { name, operator, length: name.length + operator.length };
}

/** Values of a field are told apart by commas; a bare word has one. */
function valuesAt(text: string, from: number, isField: boolean): { values: string[]; end: number } {
  const values: string[] = [];
  let at = from;
  for (;;) {
    const { value, end } = valueAt(text, at, isField);
    if (value === "") {
      throw wrong(at + 1, "a value is missing here; an empty one can't be looked for");
    }
    values.push(value);
    at = end;
    if (!isField || text.charAt(at) !== ",") {
      break;
    }
    at += 1;
  }
  if (values.length > VALUES_MAX) {
    throw wrong(from + 1, `a term has at most ${VALUES_MAX} values`);
  }
  return { values, end: at };
}

function valueAt(text: string, from: number, isField: boolean): { value: string; end: number } {
  if (text.charAt(from) !== '"') {
    const end = text.slice(from).search(isField ? /[\s,]/ : /\s/);
    const to = end === -1 ? text.length : from + end;
    return { value: text.slice(from, to), end: to };
  }
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text.slice(from))?.[1];
  if (quoted === undefined) {
    throw wrong(from + 1, "a quote opens here and is never closed");
  }
  return { value: quoted.replaceAll(/\\(.)/g, "$1"), end: from + quoted.length + 2 };
}

function unknownField(name: string, at: number, kinds: FieldKinds): Problem {
  const names = Object.keys(kinds).map((known) => (known.endsWith(".") ? `${known}<name>` : known));
  const message = `unknown field "${name}"; there is ${names.join(", ")}`;
  return wrong(at, message, nearestWord(name, Object.keys(kinds)) ?? null);
}

function wrong(at: number, message: string, didYouMean: string | null = null): Problem {
  const hint = didYouMean === null ? "" : `; did you mean "${didYouMean}"?`;
  return invalidAll([
    { field: "filter", message: `at character ${at}: ${message}${hint}`, didYouMean },
  ]);
}
