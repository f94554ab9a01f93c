/**
 * What makes an assistant's email go out: a token that says "this plan, and no other, was shown before".
 * It is a keyed digest of what it stands for and of when it ends, so nothing is stored, and none outlives
 * the program.
 */

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";

const LASTS_MS = 10 * MINUTE_MS;

export interface Confirmations {
  seal(of: string, now: UnixMs): { confirm: string; expiresAt: UnixMs };
  /** True for a token of {@link seal} for the same, until it ends. */
  isSealed(confirm: string, of: string, now: UnixMs): boolean;
}

export function createConfirmations(): Confirmations {
  const key = randomBytes(32);
  const tokenOf = (of: string, expiresAt: number) => {
    const digest = createHmac("sha256", key).update(`${expiresAt}\n${of}`).digest("base64url");
    return `${expiresAt}.${digest}`;
  };
  return {
    seal: (of, now) => {
      const expiresAt = plus(now, LASTS_MS);
      return { confirm: tokenOf(of, expiresAt), expiresAt };
    },
    isSealed: (confirm, of, now) => {
      const expiresAt = Number(/^(\d{1,16})\./.exec(confirm)?.[1] ?? 0);
      const wanted = Buffer.from(tokenOf(of, expiresAt));
      const given = Buffer.from(confirm);
      return now < expiresAt && given.length === wanted.length && timingSafeEqual(given, wanted);
    },
  };
}
