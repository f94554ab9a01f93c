/**
 * What a receiving server found when it checked a message: SPF, DKIM and DMARC, and whether the headers
 * of one-click unsubscription are covered by a signature.
 *
 * Only the topmost field counts: the receiver writes it last, and anything below may have been sent along
 * by whoever wrote the message. Nothing here throws, whatever the header says.
 *
 * Source: RFC 8601 §2.2 (the field), §2.7 (results), §5 (forged fields); RFC 6376 §3.5 (`h=`); RFC 8058
 * §4 (both unsubscription headers must be signed).
 */

export const AUTH_VERDICTS = [
  "pass",
  "fail",
  "softfail",
  "neutral",
  "none",
  "policy",
  "temperror",
  "permerror",
] as const;
export type AuthVerdict = (typeof AUTH_VERDICTS)[number];

/** Null: the receiver does not say. */
export interface Authentication {
  spf: AuthVerdict | null;
  dkim: AuthVerdict | null;
  dmarc: AuthVerdict | null;
  /** The address that the email left from. Absent in older rows. */
  sentFrom?: string | null;
}

export interface HeaderField {
  name: string;
  /** Unfolded or not. */
  value: string;
}

/** Characters of one field that are read. */
const FIELD_CHARS_MAX = 8_000;
/** Signatures of one message that are looked at. */
const SIGNATURES_MAX = 20;

/** Of several results of one method (a message with two signatures) the best counts. */
export function authenticationOf(fields: readonly HeaderField[]): Authentication {
  const top = fields.find(({ name }) => name.toLowerCase() === "authentication-results");
  const text = withoutComments((top?.value ?? "").slice(0, FIELD_CHARS_MAX));
  // Exchange leaves out the name of the server that the field should begin with.
  const results = text.split(";").map(readResult);
  const best = (method: string) =>
    results
      .filter((result) => result?.method === method)
      .map((result) => result?.verdict ?? null)
      .toSorted((a, b) => rank(a) - rank(b))[0] ?? null;
  return { spf: best("spf"), dkim: best("dkim"), dmarc: best("dmarc") };
}

/**
 * True where one signature covers both List-Unsubscribe and List-Unsubscribe-Post; null for a message
 * that has not both of them.
 */
export function signsOneClick(fields: readonly HeaderField[]): boolean | null {
  const has = (wanted: string) => fields.some(({ name }) => name.toLowerCase() === wanted);
  if (!has("list-unsubscribe") || !has("list-unsubscribe-post")) {
    return null;
  }
  return fields
    .filter(({ name }) => name.toLowerCase() === "dkim-signature")
    .slice(0, SIGNATURES_MAX)
    .map(({ value }) => signedHeaders(value))
    .some((names) => names.has("list-unsubscribe") && names.has("list-unsubscribe-post"));
}

function rank(verdict: AuthVerdict | null): number {
  return verdict === null ? AUTH_VERDICTS.length : AUTH_VERDICTS.indexOf(verdict);
}

/** `dkim=pass header.d=example.com`, a version after the method allowed (`dkim/1=pass`). */
function readResult(part: string): { method: string; verdict: AuthVerdict } | undefined {
  const found = /^\s*([a-z][a-z0-9-]{0,30})\s*(?:\/\s*\d{1,3}\s*)?=\s*([a-z]{1,20})/i.exec(part);
  const word = found?.[2]?.toLowerCase();
  const known = word === "hardfail" ? "fail" : word;
  const verdict = AUTH_VERDICTS.find((one) => one === known);
  const method = found?.[1]?.toLowerCase();
  return verdict === undefined || method === undefined ? undefined : { method, verdict };
}

/** Comments nest and may hold semicolons; a quoted string may hold parentheses. */
function withoutComments(text: string): string {
  let plain = "";
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === "\\") {
      at += 1;
    } else if (char === '"' && depth === 0) {
      isQuoted = !isQuoted;
    } else if (!isQuoted && char === "(") {
      depth += 1;
    } else if (!isQuoted && char === ")") {
      depth = Math.max(0, depth - 1);
    } else if (depth === 0 && !isQuoted) {
      plain += char;
    }
  }
  return plain;
}

/** The names in `h=`, lower case. */
function signedHeaders(signature: string): ReadonlySet<string> {
  const tags = signature.slice(0, FIELD_CHARS_MAX).split(";");
  const names = tags.find((tag) => /^\s*h\s*=/.test(tag)) ?? "";
  const list = names.slice(names.indexOf("=") + 1).split(":");
  return new Set(list.map((name) => name.replace(/\s/g, "").toLowerCase()));
}
