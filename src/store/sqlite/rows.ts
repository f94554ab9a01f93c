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
import { bytesToId, codecOf, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import type { CachedRow } from "./row-cache.ts";

type Row<Table extends SQLiteTable> = InferSelectModel<Table>;

/** `insert(db, row)` for complete rows. A broken unique index throws SQLite's error. */
export function inserter<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table>) => void {
  const name = getTableName(table);
  const cells = cellsOf(table);
  const statement = prepared((db) =>
    byPosition<null>(db, db.orm.insert(table).values(marks<Table["$inferInsert"]>(cells))),
  );
  return (db, row) => {
    const values = encode(cells, row);
    const run = () => statement(db).run(...values);
    const { id } = row as { id?: unknown };
    if (typeof id === "string") {
      db.rows.write(name, id, { values }, run);
    } else {
      db.rows.writeTables([name], run);
    }
  };
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
 * `update(db, row)` makes the row with this id what `row` says, but for the columns that never change. What
 * the file holds is read first, and only columns that differ are written: each that is written has its
 * indexes written anew.
 */
export function updater<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table> & { id: Id }) => void {
  const name = getTableName(table);
  const cells = cellsOf(table);
  const id = idOf(table);
  const find = stored(table);
  const free = cells.flatMap((cell, place) => (FIXED.has(cell.name) ? [] : [{ ...cell, place }]));
  const write = (db: Db, written: readonly Cell[]) =>
    byPosition<null>(db, db.orm.update(table).set(marks(written)).where(eq(id.column, MARK)));
  const whole = prepared((db) => write(db, free));
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
  return (db, row) => {
    const before = find(db, row.id);
    if (before === undefined) {
      return;
    }
    const { after, changed, mask } = difference(free, before, row);
    if (changed.length === 0) {
      return;
    }
    const statement = narrowOf(db, changed, mask);
    const written =
      statement === undefined ? encode(free, row) : changed.map(({ place }) => after.values[place]);
    db.rows.write(name, row.id, after, () =>
      (statement ?? whole(db)).run(...(written as SQLQueryBindings[]), encodeOne(id, row.id)),
    );
  };
}

/** The row as it is to be, the cells that then differ, and their places as bits of a number. */
function difference(free: readonly PlacedCell[], before: CachedRow, row: object) {
  const given = row as Values;
  const known = before.decoded as Values | undefined;
  const values = before.values.slice();
  const changed: PlacedCell[] = [];
  let mask = 0;
  for (const cell of free) {
    const { name, place } = cell;
    if (known !== undefined && known[name] === given[name]) {
      continue;
    }
    const value = valueIn(row, cell);
    if (!isSame(values[place], value)) {
      values[place] = value;
      changed.push(cell);
      mask += 2 ** place;
    }
  }
  if (known === undefined) {
    return { after: { values }, changed, mask };
  }
  const written = changed.map(({ place }) => values[place]);
  return {
    after: { values, decoded: { ...known, ...decode<object>(changed, written) } },
    changed,
    mask,
  };
}

type Values = Readonly<Record<string, unknown>>;

function isSame(before: unknown, after: unknown): boolean {
  return (
    before === after ||
    (before instanceof Uint8Array && after instanceof Uint8Array && Bun.deepEquals(before, after))
  );
}

/** `find(db, id)` whatever the team: for the engine, which follows its own ids. Of null there is no row. */
export function finder<Table extends SQLiteTable>(
  table: Table,
): (db: Db, id: Id | null) => Row<Table> | undefined {
  const cells = cellsOf(table);
  const find = stored(table);
  return (db, id) => {
    const row = id === null ? undefined : find(db, id);
    if (row !== undefined) {
      row.decoded ??= decode<object>(cells, row.values);
    }
    return row?.decoded as Row<Table> | undefined;
  };
}

/** The values of the row with an id, as SQLite holds them. */
function stored(table: SQLiteTable): (db: Db, id: Id) => CachedRow | undefined {
  const name = getTableName(table);
  const id = idOf(table);
  const statement = selectBy(table, id);
  return (db, value) =>
    db.rows.find(name, value, () => statement(db).values(encodeOne(id, value))[0]);
}

function selectBy(table: SQLiteTable, cell: Cell) {
  return prepared((db) =>
    byPosition<unknown>(db, db.orm.select().from(table).where(eq(cell.column, MARK))),
  );
}

/** `find(db, value)` by a column of its own unique index. */
export function uniqueFinder<Table extends SQLiteTable, Name extends keyof Row<Table> & string>(
  table: Table,
  name: Name,
): (db: Db, value: NonNullable<Row<Table>[Name]>) => Row<Table> | undefined {
  const cells = cellsOf(table);
  const cell = cellNamed(table, name);
  const statement = selectBy(table, cell);
  return (db, value) => {
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
    byPosition<null>(db, db.orm.delete(table).where(eq(cell.column, MARK))),
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

/** As {@link reader}, of a few rows that are asked for over and over: `make` selects their ids alone. */
export function cachedReader<Table extends SQLiteTable>(
  table: Table,
  make: (db: Db) => Selects,
): (db: Db, parameters?: Record<string, unknown>) => Row<Table>[] {
  const find = finder(table);
  const statement = prepared(make);
  return (db, parameters) =>
    statement(db)
      .values(parameters)
      .map(([id]) => find(db, bytesToId(id as Uint8Array)))
      .filter((row) => row !== undefined);
}

/** Stands for a value that comes with each call. */
const MARK = sql.placeholder("value");

/** A mark for each cell, in their order. */
function marks<Values>(cells: readonly Cell[]): Values {
  return Object.fromEntries(cells.map(({ name }) => [name, sql`${MARK}`])) as Values;
}

/** The statement that the query builder would make, to be given its values in order. */
function byPosition<Result>(db: Db, query: { toSQL(): { sql: string } }) {
  return db.raw.prepare<Result, SQLQueryBindings[]>(query.toSQL().sql);
}

/** A column, its name here, and how its values cross. */
interface Cell {
  name: string;
  column: Column;
  /** Null where our value is the driver's already, as is the other way. */
  toDriver: ((value: unknown) => unknown) | null;
  fromDriver: ((value: unknown) => unknown) | null;
}

/** With its place among the columns of its table. */
type PlacedCell = Cell & { place: number };

const cells = new WeakMap<SQLiteTable, Cell[]>();

/** Found out once for all statements of a table. */
function cellsOf(table: SQLiteTable): Cell[] {
  let known = cells.get(table);
  if (known === undefined) {
    known = Object.entries(getTableColumns(table)).map(([name, column]) => cellOf(name, column));
    cells.set(table, known);
  }
  return known;
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
  return cells.map((cell) => valueIn(row, cell));
}

function valueIn(row: object, cell: Cell): SQLQueryBindings {
  return encodeOne(cell, (row as Values)[cell.name] ?? null);
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
