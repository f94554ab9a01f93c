/** What statements find out as they run, told to whoever listens: that they fail, and that they take long. */

import { Database } from "bun:sqlite";
import { stopwatch } from "#platform/clock.ts";

/** Told of every run of a statement that takes `ms` or longer. */
export interface SlowWatch {
  ms: number;
  tell: (sql: string, ms: number) => void;
}

export interface Watch {
  failed: (error: unknown) => void;
  /** Timing costs a little: only where somebody listens. */
  slow: SlowWatch | undefined;
}

type Run = (...parameters: unknown[]) => unknown;

const RUNS = ["all", "get", "run", "values"];
const watchedAlready = new WeakSet<object>();

/** The database itself, all of whose statements are watched. */
export function watched(raw: Database, watch: Watch): Database {
  for (const name of ["prepare", "query"] as const) {
    const make = (sql: string, ...parameters: unknown[]) =>
      watchedStatement(
        Reflect.apply(Database.prototype[name], raw, [sql, ...parameters]),
        sql,
        watch,
      );
    Object.defineProperty(raw, name, { value: guarded(make, watch) });
  }
  Object.defineProperty(raw, "run", { value: guarded(raw.run.bind(raw), watch) });
  return raw;
}

function watchedStatement(statement: object, sql: string, watch: Watch): object {
  if (watchedAlready.has(statement)) {
    return statement;
  }
  watchedAlready.add(statement);
  for (const name of RUNS) {
    const run: unknown = Reflect.get(statement, name);
    if (typeof run === "function") {
      const bound = guarded((...parameters) => run.apply(statement, parameters), watch);
      const value = watch.slow === undefined ? bound : timed(bound, sql, watch.slow);
      Object.defineProperty(statement, name, { configurable: true, value });
    }
  }
  return statement;
}

function guarded<Parameters extends unknown[]>(
  run: (...parameters: Parameters) => unknown,
  { failed }: Watch,
) {
  return (...parameters: Parameters): unknown => {
    try {
      return run(...parameters);
    } catch (error) {
      failed(error);
      throw error;
    }
  };
}

function timed(run: Run, sql: string, slow: SlowWatch): Run {
  return (...parameters) => {
    const elapsed = stopwatch();
    try {
      return run(...parameters);
    } finally {
      const ms = elapsed();
      if (ms >= slow.ms) {
        slow.tell(sql, ms);
      }
    }
  };
}
