/**
 * DKIM key records: where they stand, how they are written, and whether a key found there is good.
 *
 * Source: RFC 6376 §3.6.1, RFC 8301 (RSA keys below 1,024 bits count for nothing, 2,048 are wanted),
 * RFC 8463 (ed25519).
 */

import { parseTags } from "./tags.ts";

export const SELECTOR_MAX = 63;
const SELECTOR = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** Selectors that are tried where nobody says which are used. Source: the providers' set-up pages. */
const USUAL_SELECTORS = [
  ...["default", "dkim", "mail", "selector1", "selector2", "google", "k1", "k2", "k3"],
  ...["s1", "s2", "smtp", "zoho", "zmail", "fm1", "fm2", "fm3", "protonmail", "mxvault", "x"],
];
const OF_PROVIDER: Readonly<Record<string, readonly string[]>> = {
  google: ["google"],
  microsoft: ["selector1", "selector2"],
};
/** Selectors that are looked up in one check. */
export const SELECTORS_MAX = 24;

/** RSA keys below this are ignored by receivers; below the second, they are weak. */
const RSA_BITS_MIN = 1_024;
const RSA_BITS_WANTED = 2_048;

/** `selector` in the one form in which it is kept; null when it is none. */
export function readSelector(text: string): string | null {
  const selector = text.trim().toLowerCase();
  return selector.length <= SELECTOR_MAX && SELECTOR.test(selector) ? selector : null;
}

/** Those that are known come first, then the provider's, then the usual ones. */
export function selectorsToTry(known: readonly string[], provider: string): string[] {
  const all = [...known, ...(OF_PROVIDER[provider] ?? []), ...USUAL_SELECTORS];
  return [...new Set(all)].slice(0, SELECTORS_MAX);
}

export function dkimName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`;
}

/** The record of an RSA key. `publicKey` is its SubjectPublicKeyInfo in base64. */
export function dkimRecord(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}

/** True when both records publish the same key. */
export function isSameKey(record: string, publicKey: string): boolean {
  return keyOf(parseTags(record)) === keyOf(new Map([["p", publicKey]]));
}

export interface DkimKey {
  /** False: receivers cannot use it. */
  good: boolean;
  /** The bits of an RSA key; null for others, and where it cannot be read. */
  bits: number | null;
  /** What is to be said of it, in words; null when nothing is. */
  words: string | null;
}

/** Null where the text is no key record at all: other things may stand there too. */
export function checkKey(record: string): DkimKey | null {
  const tags = parseTags(record);
  if (tags === null || !tags.has("p") || (tags.get("v") ?? "DKIM1") !== "DKIM1") {
    return null;
  }
  const key = keyOf(tags);
  if (key === "") {
    return { good: false, bits: null, words: "the key has been revoked (p= is empty)" };
  }
  const kind = tags.get("k") ?? "rsa";
  if (kind === "ed25519") {
    return { good: true, bits: null, words: isTesting(tags) };
  }
  const bits = kind === "rsa" ? rsaBits(key) : null;
  if (bits === null) {
    return { good: false, bits, words: "its p= is not a readable key" };
  }
  if (bits < RSA_BITS_MIN) {
    return { good: false, bits, words: `the key has ${bits} bits; below 1024 receivers ignore it` };
  }
  const weak = `the key has ${bits} bits; use ${RSA_BITS_WANTED}`;
  return { good: true, bits, words: bits < RSA_BITS_WANTED ? weak : isTesting(tags) };
}

function isTesting(tags: ReadonlyMap<string, string>): string | null {
  return (tags.get("t") ?? "").split(":").some((flag) => flag.trim() === "y")
    ? "the record says t=y (testing); remove it once signing works"
    : null;
}

function keyOf(tags: ReadonlyMap<string, string> | null): string {
  return (tags?.get("p") ?? "").replace(/\s/g, "");
}

/** Bytes of a key in which its modulus begins. */
const HEAD_BYTES = 64;
/** What surrounds the modulus of a SubjectPublicKeyInfo. */
const FRAME_BYTES = 30;

/**
 * Bits of the modulus in a SubjectPublicKeyInfo, or in a bare RSAPublicKey as some publish: the first
 * INTEGER whose length takes more than one byte (X.690 §8.1.3). Null where nothing can be read.
 */
function rsaBits(base64: string): number | null {
  const bytes = decode(base64);
  const head = bytes.slice(0, HEAD_BYTES);
  const start = Math.max(head.indexOf("\u0002\u0081"), head.indexOf("\u0002\u0082"));
  if (start === -1) {
    return bytes.length > FRAME_BYTES ? 8 * (bytes.length - FRAME_BYTES) : null;
  }
  const sizeBytes = bytes.charCodeAt(start + 1) - 0x80;
  const size = [...bytes.slice(start + 2, start + 2 + sizeBytes)].reduce(
    (sum, byte) => sum * 256 + byte.charCodeAt(0),
    0,
  );
  const value = bytes.slice(start + 2 + sizeBytes, start + 2 + sizeBytes + size);
  const digits = value.replace(/^\0+/, "");
  return value.length < size || digits === ""
    ? null
    : 8 * digits.length - (Math.clz32(digits.charCodeAt(0)) - 24);
}

/** The bytes as characters; empty where the text is no base64. */
function decode(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}
