/**
 * Whole rows in and out, by statements prepared once for each table.
 *
 * Drizzle writes the SQL, once; values go to SQLite by position and are decoded here by the columns' own
 * codecs, because the query builder's mapping at each call costs more than SQLite does
 * (`docs/adr/store.md`, "Rows are bound and decoded by position").
 */

import type { SQLQueryBindings } from "bun:sqlite";
import {
  type Column,
  eq,
  getTableColumns,
  getTableName,
  type InferSelectModel,
  sql,
} from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { codecOf, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import type { KeptRow } from "./kept-rows.ts";

type Row<Table extends SQLiteTable> = InferSelectModel<Table>;

/** `insert(db, row)` for complete rows. A broken unique index throws SQLite's error. */
export function inserter<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table>) => void {
  const cells = cellsOf(table);
  const statement = prepared((db) =>
    byPosition<null>(db, db.orm.insert(table).values(marks<Table["$inferInsert"]>(cells))),
  );
  const name = getTableName(table);
  return (db, row) => {
    const values = encode(cells, row);
    statement(db).run(...values);
    const { kept } = db.raw;
    kept.noteRow(name, row, "new");
    if (isNamed(row)) {
      kept.put(name, row.id, asRead(cells, row, values));
    }
  };
}

function isNamed(row: object): row is { id: Id } {
  return "id" in row && typeof row.id === "string";
}

/** Statements of one table that write some of its columns; what differs in yet other ways is written whole. */
const NARROW_MAX = 64;
/** More columns have no place in a number. */
const COLUMNS_MAX = 52;

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
  "placementTestId",
]);

/**
 * `update(db, row)` makes the row with this id what `row` says, but for the columns that never change.
 * Where the row as it is in the file is kept, or given as `known` because it has just been read in the
 * same transaction, only columns that differ are written.
 */
export function updater<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table> & { id: Id }, known?: Row<Table>) => void {
  const name = getTableName(table);
  const cells = cellsOf(table).filter((cell) => !FIXED.has(cell.name));
  const id = idOf(table);
  const write = (db: Db, written: readonly Cell[]) =>
    byPosition<null>(db, db.orm.update(table).set(marks(written)).where(eq(id.column, MARK)));
  const whole = prepared((db) => write(db, cells));
  const narrow = prepared(() => new Map<number, ReturnType<typeof write>>());
  const narrowOf = (db: Db, changed: readonly Cell[], mask: number) => {
    const made = narrow(db);
    let statement = made.get(mask);
    if (statement === undefined && made.size < NARROW_MAX && cells.length <= COLUMNS_MAX) {
      statement = write(db, changed);
      made.set(mask, statement);
    }
    return statement;
  };
  return (db, row, known) => {
    const { kept } = db.raw;
    const before: KeptRow | undefined = kept.get(name, row.id) ?? known;
    const [changed, mask] = before === undefined ? [cells, -1] : difference(cells, before, row);
    if (changed.length === 0) {
      return;
    }
    kept.noteRow(name, row, changed);
    const values = encode(changed, row);
    const statement = before && narrowOf(db, changed, mask);
    if (before === undefined || statement === undefined) {
      kept.drop(name, row.id);
      whole(db).run(...encode(cells, row), encodeOne(id, row.id));
      return;
    }
    statement.run(...values, encodeOne(id, row.id));
    kept.put(name, row.id, { ...before, ...asRead(changed, row, values) });
  };
}

/** The cells in which two rows differ, and their places as bits of a number. */
function difference(
  cells: readonly Cell[],
  before: KeptRow,
  after: object,
): [changed: Cell[], mask: number] {
  const values = after as KeptRow;
  const changed: Cell[] = [];
  let mask = 0;
  let bit = 1;
  for (const cell of cells) {
    if (values[cell.name] !== before[cell.name]) {
      changed.push(cell);
      mask += bit;
    }
    bit *= 2;
  }
  return [changed, mask];
}

/** What would be read of values that were written: of an object, a copy through its text. */
function asRead(
  cells: readonly Cell[],
  row: object,
  written: readonly SQLQueryBindings[],
): Record<string, unknown> {
  const values = row as KeptRow;
  const read: Record<string, unknown> = {};
  let index = 0;
  for (const { name, fromDriver } of cells) {
    const value = values[name];
    const isObject = typeof value === "object" && value !== null;
    read[name] = isObject && fromDriver !== null ? fromDriver(written[index]) : (value ?? null);
    index += 1;
  }
  return read;
}

/** `find(db, id)` whatever the team: for the engine, which follows its own ids. Of null there is no row. */
export function finder<Table extends SQLiteTable>(
  table: Table,
): (db: Db, id: Id | null) => Row<Table> | undefined {
  const name = getTableName(table);
  const read = finderBy(table, idOf(table)) as (db: Db, id: Id) => Row<Table> | undefined;
  return (db, id) => (id === null ? undefined : db.raw.kept.find(name, id, () => read(db, id)));
}

/** `find(db, value)` by a column of its own unique index. */
export function uniqueFinder<Table extends SQLiteTable, Name extends keyof Row<Table> & string>(
  table: Table,
  name: Name,
): (db: Db, value: NonNullable<Row<Table>[Name]>) => Row<Table> | undefined {
  return finderBy(table, cellNamed(table, name));
}

function finderBy<Table extends SQLiteTable>(table: Table, cell: Cell) {
  const cells = cellsOf(table);
  const statement = prepared((db) =>
    byPosition<unknown>(
      db,
      db.orm
        .select()
        .from(table as SQLiteTable)
        .where(eq(cell.column, MARK)),
    ),
  );
  return (db: Db, value: unknown): Row<Table> | undefined => {
    const values = statement(db).values(encodeOne(cell, value))[0];
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
  const cell = idOf(table);
  const statement = prepared((db) =>
    // Not one of those below: what hangs on a row goes with it.
    db.raw.prepare<null, SQLQueryBindings[]>(
      db.orm.delete(table).where(eq(cell.column, MARK)).toSQL().sql,
    ),
  );
  return (db, id) => {
    statement(db).run(encodeOne(cell, id));
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

/**
 * `list(db, id)`: as {@link reader}, for the rows whose column `by` is `id`; which rows there are is kept
 * too. What chooses and orders them beside that is said in `kept-rows.ts`.
 */
export function lister<Table extends SQLiteTable>(
  table: Table,
  by: "teamId" | "campaignId" | "experimentId",
  make: (db: Db) => Selects,
): (db: Db, id: Id) => Row<Table>[] {
  const name = getTableName(table);
  const find = finder(table);
  const read = reader(table, make) as (db: Db, parameters: object) => (Row<Table> & { id: Id })[];
  return (db, id) => {
    const { kept } = db.raw;
    const known = kept.list(name, id)?.map((one) => find(db, one));
    if (known?.every((row) => row !== undefined)) {
      return known;
    }
    const rows = read(db, { [by]: id });
    kept.putList(
      name,
      id,
      rows.map((row) => row.id),
    );
    for (const row of rows) {
      kept.put(name, row.id, row);
    }
    return rows;
  };
}

/** Stands for a value that comes with each call. */
const MARK = sql.placeholder("value");

/** A mark for each cell, in their order. */
function marks<Values>(cells: readonly Cell[]): Values {
  return Object.fromEntries(cells.map(({ name }) => [name, sql`${MARK}`])) as Values;
}

/** The statement that the query builder would make, to be given its values in order. */
function byPosition<Result>(db: Db, query: { toSQL(): { sql: string } }) {
  return db.raw.prepareOwn<Result, SQLQueryBindings[]>(query.toSQL().sql);
}

/** A column, its name here, and how its values cross. */
interface Cell {
  name: string;
  column: Column;
  /** Null where our value is the driver's already, as is the other way. */
  toDriver: ((value: unknown) => unknown) | null;
  fromDriver: ((value: unknown) => unknown) | null;
}

function cellsOf(table: SQLiteTable): Cell[] {
  return Object.entries(getTableColumns(table)).map(([name, column]) => cellOf(name, column));
}

function cellOf(name: string, column: Column): Cell {
  return { name, column, ...codecOf(column) };
}

function idOf(table: SQLiteTable): Cell {
  return cellNamed(table, "id");
}

function cellNamed(table: SQLiteTable, name: string): Cell {
  const column = getTableColumns(table)[name];
  if (column === undefined) {
    throw new Error(`this table has no ${name}`);
  }
  return cellOf(name, column);
}

function encode(cells: readonly Cell[], row: object): SQLQueryBindings[] {
  const values = row as KeptRow;
  return cells.map((cell) => encodeOne(cell, values[cell.name]));
}

function encodeOne({ toDriver }: Cell, value: unknown): SQLQueryBindings {
  return (toDriver === null ? value : toDriver(value)) as SQLQueryBindings;
}

function decode<Result>(cells: readonly Cell[], values: readonly unknown[]): Result {
  const row: Record<string, unknown> = {};
  let index = 0;
  for (const { name, fromDriver } of cells) {
    const value = values[index];
    row[name] = value === null || fromDriver === null ? value : fromDriver(value);
    index += 1;
  }
  return row as Result;
}
