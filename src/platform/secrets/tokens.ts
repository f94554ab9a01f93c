/** Words that let somebody in: 256 random bits, shown once; only their hash is kept. */

import type { Dice } from "#platform/dice.ts";
import { sha256 } from "./crypto.ts";

const TOKEN_BYTES = 32;
const SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** base64url, 43 characters. */
export function newToken(dice: Dice): string {
  return Uint8Array.from({ length: TOKEN_BYTES }, () => dice.byte()).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}

/** What a token is found by; null for a text that is none. */
export function hashOfToken(token: string): Uint8Array | null {
  return SHAPE.test(token) ? sha256(token) : null;
}
