/**
 * What concerns one thing, one after the other: who reads the present state elsewhere and writes it down
 * here must not be overtaken by somebody who read it later.
 */

import { Problem } from "#domain/problem.ts";

const WAITING_MAX = 32;

interface Line {
  last: Promise<unknown>;
  count: number;
}

const lines = new Map<string, Line>();

/**
 * Runs `work` once all earlier work under `key` has ended, however it ended. Throws `unavailable` where
 * {@link WAITING_MAX} wait already.
 */
export async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const line = lines.get(key) ?? { last: Promise.resolve(), count: 0 };
  if (line.count > WAITING_MAX) {
    throw new Problem("unavailable", "too many requests for the same thing wait", null, {
      "Retry-After": "5",
    });
  }
  lines.set(key, line);
  line.count += 1;
  const turn = line.last.then(work);
  line.last = turn.catch(() => undefined);
  try {
    return await turn;
  } finally {
    line.count -= 1;
    if (line.count === 0) {
      lines.delete(key);
    }
  }
}
