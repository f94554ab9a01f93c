/**
 * A database whose statements stay compiled. SQLite compiles a SELECT anew at every run where its ORDER
 * BY or LIMIT stands beside a bare parameter, in case another value deserves another plan: 4 µs for a
 * short statement, 70 µs for a long one, against less than one to run it. A unary plus, which does
 * nothing to a value, hides the parameter; the price is that plans do not depend on values, which is
 * what prepared statements are expected to do.
 *
 * It also tells {@link KeptRows} of every statement that writes, before it runs.
 *
 * Source: ours, measured with SQLite 3.54 (`bench/README.md`, "Statements that stay compiled"). SQLite's
 * own switch for it, SQLITE_DBCONFIG_ENABLE_QPSG, cannot be reached from here.
 */

import { Database } from "bun:sqlite";
import { KeptRows, writeOf } from "./kept-rows.ts";
import { type SlowWatch, timed } from "./slow-watch.ts";

export class SteadyDatabase extends Database {
  readonly kept = new KeptRows(this);
  readonly #watched = new WeakSet<object>();
  /** Set before anything is prepared. */
  slow: SlowWatch | undefined;

  override prepare: Database["prepare"] = (sql, ...parameters) =>
    this.#watch(super.prepare(steady(sql), ...parameters), sql);

  override query: Database["query"] = (sql) => this.#watch(super.query(steady(sql)), sql);

  override run: Database["run"] = (sql, ...bindings) => {
    const write = writeOf(sql);
    if (write !== undefined) {
      this.kept.note(write);
    }
    return super.run(sql, ...bindings);
  };

  /** As `prepare`; whoever runs the statement says by itself what has become of the rows it writes. */
  prepareOwn: Database["prepare"] = (sql, ...parameters) =>
    timed(super.prepare(steady(sql), ...parameters), sql, this.slow);

  #watch<Watched extends object>(given: Watched, sql: string): Watched {
    const write = writeOf(sql);
    const statement = timed(given, sql, this.slow);
    if (write !== undefined && !this.#watched.has(statement)) {
      this.#watched.add(statement);
      tellBefore(statement, () => this.kept.note(write));
    }
    return statement;
  }
}

/** Calls `tell` whenever `statement` is about to run. */
function tellBefore(statement: object, tell: () => void): void {
  for (const name of ["run", "all", "get", "values"]) {
    const run: unknown = Reflect.get(statement, name);
    if (typeof run === "function") {
      Object.defineProperty(statement, name, {
        configurable: true,
        value: (...parameters: unknown[]) => {
          tell();
          return run.apply(statement, parameters);
        },
      });
    }
  }
}

const SELECT = /^\s*(select|with)\b/i;
/** Quoted text and names, in which a question mark is just that; or a parameter by position. */
const QUOTED_OR_PARAMETER = /'[^']*'|"[^"]*"|`[^`]*`|\?/g;

/** `sql` with its parameters hidden from the planner, where it reads; as it is, where it writes. */
export function steady(sql: string): string {
  return SELECT.test(sql)
    ? sql.replace(QUOTED_OR_PARAMETER, (found) => (found === "?" ? "+?" : found))
    : sql;
}
