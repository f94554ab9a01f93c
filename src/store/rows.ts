/** Whole rows in and out, by statements prepared once for each table. */

import { getTableColumns, type InferSelectModel, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { equals, type Id, placeholder } from "./columns.ts";
import { type Db, prepared } from "./database.ts";

type Row<Table extends SQLiteTable> = InferSelectModel<Table>;

/** `insert(db, row)` for complete rows. A broken unique index throws SQLite's error. */
export function inserter<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table>) => void {
  const statement = prepared((db) => db.orm.insert(table).values(placeholders(table)).prepare());
  return (db, row) => {
    statement(db).run(row);
  };
}

/** `update(db, row)` writes every column of the row with this id. */
export function updater<Table extends SQLiteTable>(
  table: Table,
): (db: Db, row: Row<Table> & { id: Id }) => void {
  const statement = prepared((db) =>
    db.orm
      .update(table)
      .set(placeholders(table))
      .where(equals(idOf(table), "id"))
      .prepare(),
  );
  return (db, row) => {
    statement(db).run(row);
  };
}

/** `find(db, id)` whatever the team: for the engine, which follows its own ids. */
export function finder<Table extends SQLiteTable>(
  table: Table,
): (db: Db, id: Id) => Row<Table> | undefined {
  const statement = prepared((db) =>
    db.orm
      .select()
      .from(table as SQLiteTable)
      .where(equals(idOf(table), "id"))
      .prepare(),
  );
  return (db, id) => statement(db).get({ id }) as Row<Table> | undefined;
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
  const statement = prepared((db) =>
    db.orm
      .delete(table)
      .where(equals(idOf(table), "id"))
      .prepare(),
  );
  return (db, id) => {
    statement(db).run({ id });
  };
}

function placeholders<Table extends SQLiteTable>(table: Table): Table["$inferInsert"] {
  const entries = Object.entries(getTableColumns(table)).map(([name, column]): [string, SQL] => [
    name,
    placeholder(column, name),
  ]);
  return Object.fromEntries(entries) as unknown as Table["$inferInsert"];
}

function idOf(table: SQLiteTable) {
  const column = getTableColumns(table)["id"];
  if (column === undefined) {
    throw new Error("this table has no id");
  }
  return column;
}
