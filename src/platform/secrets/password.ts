/**
 * Passwords as they are kept: Argon2id. One takes some 20 ms and 19 MiB, so that only a few are worked
 * on at once and the rest waits its turn; who finds the queue full is told to come again.
 *
 * Source: OWASP Password Storage Cheat Sheet (m = 19 MiB, t = 2, p = 1).
 */

import type { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { Problem } from "#domain/problem.ts";

const ARGON2ID = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
/** Worked on at once. */
const WORKERS_MAX = 2;
const WAITING_MAX = 64;

let working = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (working >= WORKERS_MAX) {
    if (waiting.length >= WAITING_MAX) {
      throw new Problem(
        "unavailable",
        "too many people are signing in right now; try again in a moment",
        null,
        {
          "Retry-After": "5",
        },
      );
    }
    await new Promise<void>((resolve) => {
      waiting.push(resolve);
    });
  } else {
    working += 1;
  }
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) {
      working -= 1;
    } else {
      next();
    }
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => Bun.password.hash(password, ARGON2ID));
}

/** What is looked at of a password: the time grows with its square, and so much that is no pattern is enough. */
const EXAMINED_CHARS = 32;
/** Of zxcvbn's 0 to 4: below, a million guesses would do. */
const SCORE_MIN = 2;

/**
 * Whether a program that guesses would find it early: among the passwords that leak most often, along the
 * keyboard, repeated, a date, in l33t, or made of the words in `known`. Loaded by the first who asks.
 *
 * Source: NIST SP 800-63B §3.1.1.2, by `@zxcvbn-ts/core`.
 */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  const { ZxcvbnFactory } = await import("@zxcvbn-ts/core");
  const { adjacencyGraphs: graphs, dictionary } = await import("@zxcvbn-ts/language-common");
  examiner ??= new ZxcvbnFactory({ dictionary, graphs, maxLength: EXAMINED_CHARS });
  const words = known.flatMap((text) => [text, ...text.split(/[^\p{L}\p{N}]+/u)]);
  return examiner.check(password.slice(0, EXAMINED_CHARS), words).score < SCORE_MIN;
}

let examiner: ZxcvbnFactory | undefined;

/** What nobody's password makes: compared with where there is nobody, so that both take as long. */
let nobodys: Promise<string> | undefined;

/** False also where `hash` is null, after as long. Throws `unavailable`. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  nobodys ??= Bun.password.hash(crypto.randomUUID(), ARGON2ID);
  const against = hash ?? (await nobodys);
  const isRight = await inTurn(() => Bun.password.verify(password, against));
  return isRight && hash !== null;
}
