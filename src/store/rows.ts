/**
 * Whole rows in and out, by statements prepared once for each table.
 *
 * These go to SQLite by position and are decoded here: the query builder's own mapping costs more than
 * SQLite does (`docs/decisions.md`, "Rows go around the query builder").
 */

import type { SQLQueryBindings } from "bun:sqlite";
import { Column, getTableColumns, getTableName, type InferSelectModel } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";

type Row<Table extends SQLiteTable> = InferSelectModel<Table>;

/** `insert(db, row)` for complete rows. A broken unique index throws SQLite's error. */
export function inserter<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table>) => void {
  const cells = cellsOf(table);
  const names = cells.map(({ quoted }) => quoted).join(", ");
  const marks = cells.map(() => "?").join(", ");
  const sql = `insert into "${getTableName(table)}" (${names}) values (${marks})`;
  const statement = prepared((db) => db.raw.prepare<null, SQLQueryBindings[]>(sql));
  return (db, row) => {
    statement(db).run(...encode(cells, row));
  };
}

/**
 * Columns that say whose a row is, and never change. An update must not name them even with the value
 * that they have: SQLite would look through all children of a parent's key, and write every index anew.
 */
const FIXED: ReadonlySet<string> = new Set([
  "id",
  "teamId",
  "campaignId",
  "enrollmentId",
  "leadId",
]);

/** `update(db, row)` writes every column of the row with this id, but for those that never change. */
export function updater<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table> & { id: Id }) => void {
  const cells = cellsOf(table).filter(({ name }) => !FIXED.has(name));
  const id = idOf(table);
  const changes = cells.map(({ quoted }) => `${quoted} = ?`).join(", ");
  const sql = `update "${getTableName(table)}" set ${changes} where "id" = ?`;
  const statement = prepared((db) => db.raw.prepare<null, SQLQueryBindings[]>(sql));
  return (db, row) => {
    statement(db).run(...encode(cells, row), id.toDriver(row.id));
  };
}

/** `find(db, id)` whatever the team: for the engine, which follows its own ids. */
export function finder<Table extends SQLiteTable>(
  table: Table,
): (db: Db, id: Id) => Row<Table> | undefined {
  const cells = cellsOf(table);
  const { toDriver } = idOf(table);
  const names = cells.map(({ quoted }) => quoted).join(", ");
  const sql = `select ${names} from "${getTableName(table)}" where "id" = ?`;
  const statement = prepared((db) => db.raw.prepare<unknown, SQLQueryBindings[]>(sql));
  return (db, id) => {
    const values = statement(db).values(toDriver(id))[0];
    return values === undefined ? undefined : decode<Row<Table>>(cells, values);
  };
}

/** `find(db, teamId, id)`: undefined for another team's row as for one that never was. */
export function teamFinder<Table extends SQLiteTable>(
  table: Table,
): (db: Db, teamId: Id, id: Id) => Row<Table> | undefined {
  const find = finder(table);
  return (db, teamId, id) => {
    const row = find(db, id) as (Row<Table> & { teamId: Id }) | undefined;
    return row?.teamId === teamId ? row : undefined;
  };
}

/** `remove(db, id)`. */
export function remover<Table extends SQLiteTable>(table: Table): (db: Db, id: Id) => void {
  const { toDriver } = idOf(table);
  const sql = `delete from "${getTableName(table)}" where "id" = ?`;
  const statement = prepared((db) => db.raw.prepare<null, SQLQueryBindings[]>(sql));
  return (db, id) => {
    statement(db).run(toDriver(id));
  };
}

/** What a prepared `select().from(table)` of the query builder answers before it is mapped. */
interface Selects {
  values(placeholders?: Record<string, unknown>): unknown[][];
}

/** `read(db, parameters)`: the whole rows that a prepared `select().from(table)` finds. */
export function reader<Table extends SQLiteTable>(
  table: Table,
  make: (db: Db) => Selects,
): (db: Db, parameters?: Record<string, unknown>) => Row<Table>[] {
  const cells = cellsOf(table);
  const statement = prepared(make);
  return (db, parameters) =>
    statement(db)
      .values(parameters)
      .map((values) => decode<Row<Table>>(cells, values));
}

/** A column: its name here and in SQL, and how its values cross. */
interface Cell {
  name: string;
  quoted: string;
  toDriver: (value: unknown) => SQLQueryBindings;
  /** Null where the driver's value is ours already. */
  fromDriver: ((value: unknown) => unknown) | null;
}

const AS_IT_IS = Column.prototype.mapFromDriverValue;

function cellsOf(table: SQLiteTable): Cell[] {
  return Object.entries(getTableColumns(table)).map(([name, column]) => cellOf(name, column));
}

function cellOf(name: string, column: Column): Cell {
  const isPlain = column.mapFromDriverValue === AS_IT_IS;
  return {
    name,
    quoted: `"${column.name}"`,
    toDriver: (value) => column.mapToDriverValue(value) as SQLQueryBindings,
    fromDriver: isPlain ? null : (value) => column.mapFromDriverValue(value),
  };
}

function idOf(table: SQLiteTable): Cell {
  const column = getTableColumns(table)["id"];
  if (column === undefined) {
    throw new Error("this table has no id");
  }
  return cellOf("id", column);
}

function encode(cells: readonly Cell[], row: object): SQLQueryBindings[] {
  const values = row as Readonly<Record<string, unknown>>;
  return cells.map(({ name, toDriver }) => toDriver(values[name]));
}

function decode<Result>(cells: readonly Cell[], values: readonly unknown[]): Result {
  const row: Record<string, unknown> = {};
  for (const [index, { name, fromDriver }] of cells.entries()) {
    const value = values[index];
    row[name] = value === null || fromDriver === null ? value : fromDriver(value);
  }
  return row as Result;
}
