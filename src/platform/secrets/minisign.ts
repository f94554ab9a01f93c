/**
 * Signatures in minisign's format: a file is signed as its BLAKE2b-512 hash, and so is a comment that can be
 * trusted, both by Ed25519.
 *
 * Source: https://jedisct1.github.io/minisign/ (signature format, public key format).
 */

import { createHash, createPublicKey, verify } from "node:crypto";

/** Of signatures that sign a hash; older ones, which sign the whole file (`Ed`), are not taken. */
const HASHED = "ED";
const KEY_ALGORITHM = "Ed";
const ALGORITHM_BYTES = 2;
const KEY_ID_BYTES = 8;
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
const BODY_AT = ALGORITHM_BYTES + KEY_ID_BYTES;

export interface MinisignKey {
  /** As minisign shows it: 16 hexadecimal digits. */
  id: string;
  bytes: Uint8Array;
}

/** Why a signature is none; the message is for people. */
export class BadSignature extends Error {}

/** The second line of a `.pub` file, 56 characters from `RW` on. Null for anything else. */
export function parseMinisignKey(text: string): MinisignKey | null {
  const bytes = Buffer.from(text, "base64");
  const isWhole = bytes.length === BODY_AT + PUBLIC_KEY_BYTES && bytes.toString("base64") === text;
  return isWhole && algorithmOf(bytes) === KEY_ALGORITHM
    ? { id: keyId(bytes), bytes: bytes.subarray(BODY_AT) }
    : null;
}

/** The trusted comment of `signature`, a `.minisig` file. Throws {@link BadSignature}. */
export function verifyMinisign(content: Uint8Array, signature: string, key: MinisignKey): string {
  const [, signed = "", commented = "", whole = ""] = signature.split(/\r?\n/);
  const bytes = Buffer.from(signed, "base64");
  const [, comment] = /^trusted comment: (.*)$/.exec(commented) ?? [];
  const commentSignature = Buffer.from(whole, "base64");
  if (
    bytes.length !== BODY_AT + SIGNATURE_BYTES ||
    commentSignature.length !== SIGNATURE_BYTES ||
    comment === undefined ||
    algorithmOf(bytes) !== HASHED
  ) {
    throw new BadSignature("the signature isn't one of minisign's (Ed25519 of a BLAKE2b hash)");
  }
  if (keyId(bytes) !== key.id) {
    throw new BadSignature(`the signature is by key ${keyId(bytes)}, not by ${key.id}`);
  }
  const own = bytes.subarray(BODY_AT);
  if (!isSigned(createHash("blake2b512").update(content).digest(), own, key)) {
    throw new BadSignature("the signature doesn't match the file");
  }
  if (!isSigned(Buffer.concat([own, Buffer.from(comment)]), commentSignature, key)) {
    throw new BadSignature("the signature doesn't match its comment");
  }
  return comment;
}

function isSigned(message: Uint8Array, signature: Uint8Array, { bytes }: MinisignKey): boolean {
  const x = Buffer.from(bytes).toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, message, key, signature);
}

function algorithmOf(bytes: Buffer): string {
  return bytes.toString("latin1", 0, ALGORITHM_BYTES);
}

/** A number of eight bytes, the lowest first. */
function keyId(bytes: Buffer): string {
  return Buffer.from(bytes.subarray(ALGORITHM_BYTES, BODY_AT))
    .reverse()
    .toString("hex")
    .toUpperCase();
}
