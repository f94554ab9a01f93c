/**
 * Drizzle over `bun:sqlite`, by the places that the library leaves to a driver: how a parameter is
 * written, and what a prepared statement does with its values and its rows. Values go in by position and
 * rows come out by their columns' codecs, each found out once a statement and not at every run; the
 * library's own asks at each run of what class every parameter and column is, which costs more than SQLite
 * does (`docs/adr/store.md`). What is nested, as the rows of a join may be, is left to the library.
 */

import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import { Column, is, NoopLogger, Param, Placeholder, type Query, SQL } from "drizzle-orm";
import { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import { PreparedQuery, SQLiteBunSession } from "drizzle-orm/bun-sqlite/session";
import {
  type PreparedQueryConfig,
  type SelectedFieldsOrdered,
  type SQLiteExecuteMethod,
  SQLiteSyncDialect,
} from "drizzle-orm/sqlite-core";
import { codecOf } from "./columns.ts";
import type { RowCache } from "./row-cache.ts";

type None = Record<string, never>;
type Config = Omit<PreparedQueryConfig, "statement" | "run">;
type Mapper = (rows: unknown[][]) => unknown;
/** What a statement is about, as the builder knows it. */
interface About {
  type: "select" | "update" | "delete" | "insert";
  tables: string[];
}
/** Where a statement that writes announces it; null: which tables is not known. */
interface Writes {
  rows: RowCache;
  tables: readonly string[] | null;
}
type Values = Readonly<Record<string, unknown>>;

/** The query builder on a database. */
export function ormOf(raw: Database, rows: RowCache): BunSQLiteDatabase {
  const dialect = new Dialect();
  const session = new Session(raw, dialect, rows);
  // A session it is: to find that out by itself, tsc would make 270,000 types.
  return new BunSQLiteDatabase("sync", dialect, session as never, undefined);
}

/**
 * SQLite compiles a SELECT anew at every run where its ORDER BY or LIMIT stands beside a bare parameter. A
 * unary plus changes no value and hides the parameter; the price is that plans do not depend on values.
 * Statements written by hand do the same (`bench/README.md`, "Statements that stay compiled").
 */
class Dialect extends SQLiteSyncDialect {
  override escapeParam(): string {
    return "+?";
  }
}

class Session extends SQLiteBunSession<None, None> {
  readonly #raw: Database;
  readonly #rows: RowCache;

  constructor(raw: Database, dialect: Dialect, rows: RowCache) {
    super(raw, dialect, undefined);
    this.#raw = raw;
    this.#rows = rows;
  }

  override prepareQuery<Given extends Config>(
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
    isByPosition: boolean,
    mapper?: Mapper,
    about?: About,
  ): PreparedQuery<Given> {
    const isFlat = fields === undefined || fields.every(({ path }) => path.length === 1);
    return isFlat && mapper === undefined
      ? new FlatQuery<Given>(this.#raw.prepare(query.sql), query, fields, method, {
          rows: this.#rows,
          tables: about?.tables ?? null,
        })
      : super.prepareQuery(query, fields, method, isByPosition, mapper);
  }
}

/** A prepared statement whose rows are flat, or that answers none. */
class FlatQuery<Given extends Config> extends PreparedQuery<Given> {
  readonly #writes: Writes;
  readonly #statement: Statement<unknown, SQLQueryBindings[]>;
  readonly #fill: (values: Values | undefined) => SQLQueryBindings[];
  readonly #decode: ((row: readonly unknown[]) => unknown) | null;

  constructor(
    statement: Statement<unknown, SQLQueryBindings[]>,
    query: Query,
    fields: SelectedFieldsOrdered | undefined,
    method: SQLiteExecuteMethod,
    writes: Writes,
  ) {
    super(statement, query, new NoopLogger(), fields, method, fields !== undefined);
    this.#writes = writes;
    this.#statement = statement;
    this.#fill = fillerOf(query.params);
    this.#decode = fields === undefined ? null : decoderOf(fields);
  }

  override run(values?: Values) {
    const { rows, tables } = this.#writes;
    const run = () => this.#statement.run(...this.#fill(values));
    return tables === null ? run() : rows.writeTables(tables, run);
  }

  override values(values?: Values): Given["values"] {
    return this.#statement.values(...this.#fill(values));
  }

  override all(values?: Values): Given["all"] {
    return this.#decode === null
      ? super.all(values)
      : this.#statement.values(...this.#fill(values)).map(this.#decode);
  }

  override get(values?: Values): Given["get"] {
    const row = this.#statement.values(...this.#fill(values))[0];
    return row === undefined || this.#decode === null ? row : this.#decode(row);
  }
}

type Parameter =
  | { name: string; encode: ((value: unknown) => unknown) | null }
  | { name: null; constant: unknown };

function fillerOf(params: readonly unknown[]): (values: Values | undefined) => SQLQueryBindings[] {
  const all = params.map(givenOf);
  return (values = {}) =>
    all.map((given) => {
      if (given.name === null) {
        return given.constant as SQLQueryBindings;
      }
      const value = values[given.name];
      if (value === undefined && !(given.name in values)) {
        throw new Error(`no value for the placeholder ${given.name}`);
      }
      return (given.encode === null ? value : given.encode(value)) as SQLQueryBindings;
    });
}

function givenOf(param: unknown): Parameter {
  if (is(param, Placeholder)) {
    return { name: param.name, encode: null };
  }
  if (is(param, Param) && is(param.value, Placeholder)) {
    return { name: param.value.name, encode: encoderOf(param.encoder) };
  }
  return { name: null, constant: param };
}

function encoderOf(encoder: Param["encoder"]): ((value: unknown) => unknown) | null {
  return is(encoder, Column)
    ? codecOf(encoder).toDriver
    : (value) => encoder.mapToDriverValue(value);
}

function decoderOf(
  fields: SelectedFieldsOrdered,
): (row: readonly unknown[]) => Record<string, unknown> {
  const cells = fields.map(({ path, field }) => ({ name: path[0] ?? "", decode: reads(field) }));
  return (row) => {
    const result: Record<string, unknown> = {};
    let index = 0;
    for (const { name, decode } of cells) {
      const value = row[index];
      result[name] = value === null || decode === null ? value : decode(value);
      index += 1;
    }
    return result;
  };
}

/** How a selected column or expression reads a value that is not null; null: as it is. */
function reads(field: unknown): ((value: unknown) => unknown) | null {
  if (is(field, Column)) {
    return codecOf(field).fromDriver;
  }
  const expression = is(field, SQL.Aliased) ? field.sql : field;
  if (!is(expression, SQL)) {
    throw new Error("a selected field is a column or an expression");
  }
  const { decoder } = expression as unknown as {
    decoder: { mapFromDriverValue(value: unknown): unknown };
  };
  return (value) => decoder.mapFromDriverValue(value);
}
