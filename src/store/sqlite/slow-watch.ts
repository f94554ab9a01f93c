/** Statements that take long, told to whoever listens. */

import { stopwatch } from "#platform/clock.ts";

/** Told of every run of a statement that takes `ms` or longer. */
export interface SlowWatch {
  ms: number;
  tell: (sql: string, ms: number) => void;
}

const RUNS = ["all", "get", "run", "values"];
const timedAlready = new WeakSet<object>();

/** The statement itself: wrapped where somebody listens alone, since that costs a little each time. */
export function timed<Timed extends object>(
  statement: Timed,
  sql: string,
  slow: SlowWatch | undefined,
): Timed {
  if (slow === undefined || timedAlready.has(statement)) {
    return statement;
  }
  timedAlready.add(statement);
  for (const name of RUNS) {
    const run: unknown = Reflect.get(statement, name);
    if (typeof run === "function") {
      Object.defineProperty(statement, name, {
        configurable: true,
        value: (...parameters: unknown[]) => {
          const elapsed = stopwatch();
          try {
            return run.apply(statement, parameters);
          } finally {
            const ms = elapsed();
            if (ms >= slow.ms) {
              slow.tell(sql, ms);
            }
          }
        },
      });
    }
  }
  return statement;
}
