/** Statements that take long, told to whoever listens. */

import type { Database } from "bun:sqlite";
import { stopwatch } from "#platform/clock.ts";

/** Told of every run of a statement that takes `ms` or longer. */
export interface SlowWatch {
  ms: number;
  tell: (sql: string, ms: number) => void;
}

const RUNS = ["all", "get", "run", "values"];
const timedAlready = new WeakSet<object>();

/** The database itself: its statements are timed only where somebody listens, since that costs a little. */
export function watched(raw: Database, slow: SlowWatch | undefined): Database {
  if (slow !== undefined) {
    for (const name of ["prepare", "query"] as const) {
      const make = raw[name].bind(raw) as (sql: string, ...parameters: unknown[]) => object;
      Object.defineProperty(raw, name, {
        value: (sql: string, ...parameters: unknown[]) =>
          timed(make(sql, ...parameters), sql, slow),
      });
    }
  }
  return raw;
}

function timed(statement: object, sql: string, slow: SlowWatch): object {
  if (timedAlready.has(statement)) {
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
