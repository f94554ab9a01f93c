/** The text of an SPF record: its terms, what is wrong with them, and how one is added. Source: RFC 7208 §12. */

import { isNetwork } from "./ip.ts";

const TERMS_MAX = 200;

const QUALIFIERS = ["+", "-", "~", "?"] as const;
export type SpfQualifier = (typeof QUALIFIERS)[number];

export interface SpfTerm {
  qualifier: SpfQualifier;
  mechanism: string;
  /** The domain or network that it names, with its prefix length; null: the record's own domain. */
  value: string | null;
  /** The term as it stands in the record. */
  text: string;
}

const MECHANISM = /^([-+~?]?)(all|include|a|mx|ptr|ip4|ip6|exists)(?::([^\s]*))?(\/[\d/]*)?$/i;
const MODIFIER = /^([a-z][a-z0-9._-]*)=(.*)$/i;
const WANTS_VALUE = ["include", "exists", "ip4", "ip6"];
const LENGTHS = /^(\/(0|[1-9]\d?))?(\/\/(0|[1-9]\d{0,2}))?$/;

/** The terms of a record, and what is wrong with it in words. */
export function parseSpf(record: string): {
  terms: SpfTerm[];
  redirect: string | null;
  errors: string[];
} {
  const all = record.split(" ").slice(1);
  const words = all.filter((word) => word !== "").slice(0, TERMS_MAX);
  const modifiers = words.filter((word) => MODIFIER.test(word));
  const read = words.filter((word) => !MODIFIER.test(word)).map(readTerm);
  const redirects = modifiers
    .map((word) => MODIFIER.exec(word))
    .filter((match) => match?.[1]?.toLowerCase() === "redirect")
    .map((match) => match?.[2]?.toLowerCase() ?? "");
  const errors = read.filter((term) => typeof term === "string");
  if (all.length > TERMS_MAX) {
    errors.push(`it has more than ${TERMS_MAX} terms`);
  }
  if (redirects.length > 1 || redirects[0] === "") {
    errors.push("redirect= is set twice, or is empty");
  }
  const terms = read.filter((term) => typeof term !== "string");
  return { terms, redirect: redirects[0] ?? null, errors };
}

function readTerm(word: string): SpfTerm | string {
  const [, sign = "", name = "", value = null, lengths = ""] = MECHANISM.exec(word) ?? [];
  const mechanism = name.toLowerCase();
  const wrong = mechanism === "" ? "is not an SPF term" : wrongIn(mechanism, value, lengths);
  if (wrong !== null) {
    return `"${word.slice(0, 100)}" ${wrong}`;
  }
  const qualifier = QUALIFIERS.find((mark) => mark === sign) ?? "+";
  return { qualifier, mechanism, value, text: word };
}

function wrongIn(mechanism: string, value: string | null, lengths: string): string | null {
  const isEmpty = WANTS_VALUE.includes(mechanism) ? !value : value === "";
  if (isEmpty) {
    return "is missing its value";
  }
  switch (mechanism) {
    case "all":
      return `${value ?? ""}${lengths}` === "" ? null : "doesn't take a value";
    case "ip4":
    case "ip6":
      return isNetwork(value ?? "", mechanism === "ip4" ? 4 : 6) ? null : "is not a valid network";
    default:
      return hasGoodLengths(value ?? "", lengths) ? null : "has an invalid prefix length";
  }
}

function hasGoodLengths(value: string, lengths: string): boolean {
  return LENGTHS.test(lengths + (/\/.*$/.exec(value)?.[0] ?? ""));
}

/** `record` with `term` before its end, where everybody else is checked; null: a new record. */
export function withTerm(record: string | null, term: string): string {
  if (record === null) {
    return `v=spf1 ${term} ~all`;
  }
  const words = record.split(" ").filter((word) => word !== "");
  const end = words.findIndex((word) => /^[-+~?]?all$/i.test(word) || /^redirect=/i.test(word));
  const at = end === -1 ? words.length : end;
  return [...words.slice(0, at), term, ...words.slice(at)].join(" ");
}
