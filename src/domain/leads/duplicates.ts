/**
 * Which leads are probably one person under several addresses. A lead has keys, and leads with the same key are
 * a group; names at one company that differ by a slip of the pen are, too. What people only might share, such
 * as a first name, is no key: a wrong suggestion costs more than one that is missed.
 *
 * Source: ours; how Gmail and others read addresses is theirs. Precision and recall: `docs/reports/duplicates.md`.
 */

import type { LeadVariables } from "./lead.ts";

/** The surest first. */
export const DUPLICATE_REASONS = [
  "same_mailbox",
  "same_profile",
  "same_phone",
  "same_name",
] as const;
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number];

/** Leads that one merge takes, beside the one that stays. */
export const MERGED_LEADS_MAX = 9;

/** What of a lead tells whose it is. */
export interface Identity {
  email: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  phone: string | null;
  variables: LeadVariables;
}

/** First and last name: letters and digits, without accents; empty where there is none. */
export type PlainNames = readonly [first: string, last: string];

export type DuplicateKey = readonly [reason: DuplicateReason, key: string];

const PHONE_DIGITS_MIN = 7;
/** As far as numbers with and without a country code agree. */
const PHONE_DIGITS = 9;
const PROFILE = /linkedin\.com\/(?:in|pub)\/([^/?#\s]+)/i;
const PHONE_NAMES = ["mobile", "mobile_phone", "phone_number", "cell"];

/** What a lead is compared by. */
export interface Traits {
  names: PlainNames;
  /** Leads with the same key are one person. */
  keys: DuplicateKey[];
  /** What leads have to share for {@link areAlike} to compare them: one of the names, and a company or a phone. */
  namesakes: DuplicateKey[];
}

interface Parts {
  names: PlainNames;
  phones: readonly string[];
  company: string;
}

export function traitsOf(lead: Identity): Traits {
  const names = [plain(lead.firstName), plain(lead.lastName)] as const;
  const parts = { names, phones: phonesOf(lead), company: companyOf(lead.company) };
  return { names, keys: keysOf(lead, parts), namesakes: namesakeKeys(parts) };
}

function keysOf(lead: Identity, { names, phones, company }: Parts): DuplicateKey[] {
  const keys: DuplicateKey[] = [["same_mailbox", mailboxOf(lead.email)]];
  for (const value of Object.values(lead.variables)) {
    const profile = typeof value === "string" ? PROFILE.exec(value)?.[1] : undefined;
    if (profile !== undefined) {
      keys.push(["same_profile", profile.toLowerCase()]);
    }
  }
  // Colleagues may have one number, and couples one last name.
  const [first, last] = names;
  for (const phone of phones) {
    keys.push(["same_phone", `${phone} ${first.slice(0, 1)} ${last}`]);
  }
  if (first !== "" && last !== "" && company !== "") {
    // In the order of the alphabet: lists swap them.
    keys.push(["same_name", `${names.toSorted().join(" ")}@${company}`]);
  }
  return keys;
}

const IGNORE_DOTS: ReadonlySet<string> = new Set(["gmail.com", "googlemail.com"]);

/** The mailbox behind an address: without what follows a plus, and as Gmail reads it. */
function mailboxOf(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  const local = email.slice(0, at).replace(/(?<=.)\+.*$/, "");
  return IGNORE_DOTS.has(domain) ? `${local.replaceAll(".", "")}@gmail.com` : `${local}@${domain}`;
}

function phonesOf({ phone, variables }: Identity): string[] {
  const given = [phone, ...PHONE_NAMES.map((name) => variables[name])];
  return [...new Set(given.flatMap((value) => phoneOf(value) ?? []))];
}

function phoneOf(value: unknown): string | null {
  const digits = String(value ?? "").replace(/\D/g, "");
  // The same digit over and over is a placeholder.
  return digits.length < PHONE_DIGITS_MIN || /^(\d)\1*$/.test(digits)
    ? null
    : digits.slice(-PHONE_DIGITS);
}

function plain(text: string | null): string {
  return (text ?? "")
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

const FORMS =
  /\b(?:inc|llc|ltd|limited|corp|corporation|co|company|gmbh|ag|kg|se|sa|sas|srl|bv|plc)\b/g;

/** Without its legal form, unless that is all there is. */
function companyOf(company: string | null): string {
  const words = (company ?? "").toLowerCase().replaceAll(".", "");
  return plain(words.replace(FORMS, " ")) || plain(words);
}

function namesakeKeys({ names: [first, last], phones, company }: Parts): DuplicateKey[] {
  if (first === "" || last === "") {
    return [];
  }
  const places: DuplicateKey[] = phones.map((phone) => ["same_phone", phone]);
  if (company !== "") {
    places.push(["same_name", company]);
  }
  return places.flatMap(([reason, place]): DuplicateKey[] => [
    [reason, `first ${first}@${place}`],
    [reason, `last ${last}@${place}`],
  ]);
}

/** Letters that a name needs for one of them to be a slip. */
const SLIP_CHARS_MIN = 4;

/** The same first and last name, but for a slip in one of them. */
export function areAlike([first, last]: PlainNames, [otherFirst, otherLast]: PlainNames): boolean {
  return (
    (first === otherFirst && isSlip(last, otherLast)) ||
    (last === otherLast && isSlip(first, otherFirst))
  );
}

/** One letter is another, too much, missing, or has changed places with its neighbor. */
function isSlip(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < SLIP_CHARS_MIN || long.length - short.length > 1) {
    return false;
  }
  let at = 0;
  while (at < short.length && short[at] === long[at]) {
    at += 1;
  }
  if (long.length > short.length) {
    return short.slice(at) === long.slice(at + 1);
  }
  const isSwapped = short[at] === long[at + 1] && short[at + 1] === long[at];
  return (
    short.slice(at + 1) === long.slice(at + 1) ||
    (isSwapped && short.slice(at + 2) === long.slice(at + 2))
  );
}
