/**
 * Passwords as they are kept: Argon2id. One takes some 20 ms and 19 MiB, so that only a few are worked
 * on at once and the rest waits its turn; who finds the queue full is told to come again.
 *
 * Source: OWASP Password Storage Cheat Sheet (m = 19 MiB, t = 2, p = 1).
 */

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

/** What nobody's password makes: compared with where there is nobody, so that both take as long. */
let nobodys: Promise<string> | undefined;

/** False also where `hash` is null, after as long. Throws `unavailable`. */
export async function isPassword(password: string, hash: string | null): Promise<boolean> {
  nobodys ??= Bun.password.hash(crypto.randomUUID(), ARGON2ID);
  const against = hash ?? (await nobodys);
  const isRight = await inTurn(() => Bun.password.verify(password, against));
  return isRight && hash !== null;
}
