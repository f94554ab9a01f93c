/**
 * A database whose statements stay compiled. SQLite compiles a SELECT anew at every run where its ORDER
 * BY or LIMIT stands beside a bare parameter, in case another value deserves another plan: 4 µs for a
 * short statement, 70 µs for a long one, against less than one to run it. A unary plus, which does
 * nothing to a value, hides the parameter; the price is that plans do not depend on values, which is
 * what prepared statements are expected to do.
 *
 * Source: ours, measured with SQLite 3.54 (`bench/README.md`, "Statements that stay compiled"). SQLite's
 * own switch for it, SQLITE_DBCONFIG_ENABLE_QPSG, cannot be reached from here.
 */

import { Database } from "bun:sqlite";

export class SteadyDatabase extends Database {
  override prepare: Database["prepare"] = (sql, ...parameters) =>
    super.prepare(steady(sql), ...parameters);

  override query: Database["query"] = (sql) => super.query(steady(sql));
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
