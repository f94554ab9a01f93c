/**
 * Prepared statements of the query builder without its work at each call: which parameter is filled by
 * which name, and how a column's value is decoded, is found out once and not at every run. What goes in
 * and what comes out is the same.
 *
 * Source: ours; the builder asks of each parameter and each column what class it is of, which cost more
 * than SQLite did (`docs/adr/store.md`, "Prepared statements are made lean").
 */

import type { SQLQueryBindings } from "bun:sqlite";
import { Column, is, Param, Placeholder, SQL } from "drizzle-orm";
import { PreparedQuery } from "drizzle-orm/bun-sqlite/session";
import { codecOf } from "./columns.ts";

type Values = Readonly<Record<string, unknown>>;

/** What the library's prepared statement holds. */
interface Inside {
  readonly stmt: {
    run(...parameters: SQLQueryBindings[]): unknown;
    values(...parameters: SQLQueryBindings[]): unknown[][];
  };
  readonly query: { readonly params: readonly unknown[] };
  readonly fields: readonly Field[] | undefined;
  readonly customResultMapper: unknown;
}

interface Field {
  readonly path: readonly string[];
  readonly field: unknown;
}

/** `statement` itself, made lean where it is one of the builder's whose rows are flat. */
export function lean<Statement>(statement: Statement): Statement {
  if (!(statement instanceof PreparedQuery)) {
    return statement;
  }
  const { stmt, query, fields, customResultMapper } = statement as unknown as Inside;
  const fill = fillerOf(query.params);
  const plain = {
    run: (values?: Values) => stmt.run(...fill(values)),
    values: (values?: Values) => stmt.values(...fill(values)),
  };
  Object.assign(statement, plain);
  const isFlat = fields?.every(({ path }) => path.length === 1) === true;
  if (fields !== undefined && isFlat && customResultMapper === undefined) {
    const decode = decoderOf(fields);
    Object.assign(statement, {
      all: (values?: Values) => plain.values(values).map(decode),
      get: (values?: Values) => {
        const row = plain.values(values)[0];
        return row === undefined ? undefined : decode(row);
      },
    });
  }
  return statement;
}

type Given =
  | { name: string; encode: ((value: unknown) => unknown) | null }
  | { name: null; constant: unknown };

function fillerOf(params: readonly unknown[]): (values?: Values) => SQLQueryBindings[] {
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

function givenOf(param: unknown): Given {
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

function decoderOf(fields: readonly Field[]): (row: readonly unknown[]) => Record<string, unknown> {
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
