/** Which row of a table is due next, and when: what each lane asks at each of its steps. */

import { and, asc, getTableColumns, getTableName, isNotNull } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";

/** `next(db)`: the least instant of an indexed column; undefined where it is null in all rows. */
export function earliest(at: SQLiteColumn): (db: Db) => UnixMs | undefined {
  const { table } = at;
  const name = getTableName(table);
  const columns = [nameOf(at)];
  const statement = prepared((db) =>
    db.orm.select({ at }).from(table).where(isNotNull(at)).orderBy(asc(at)).limit(1).prepare(),
  );
  const read = (db: Db) => statement(db).get()?.at as UnixMs | undefined;
  return (db) => db.raw.kept.first(name, columns, "", () => read(db));
}

/** `next(db, id)`: of the rows whose column `of` is `id` the one whose `at` is least. */
export function firstOf(of: SQLiteColumn, at: SQLiteColumn): (db: Db, id: Id) => Id | undefined {
  const { table } = at;
  const name = getTableName(table);
  const columns = [nameOf(at), nameOf(of)];
  const { id } = getTableColumns(table) as { id: SQLiteColumn };
  const statement = prepared((db) =>
    db.orm
      .select({ id })
      .from(table)
      .where(and(equals(of, "of"), isNotNull(at)))
      .orderBy(asc(at), asc(id))
      .limit(1)
      .prepare(),
  );
  return (db, owner) =>
    db.raw.kept.first(
      name,
      columns,
      owner,
      () => statement(db).get({ of: owner })?.id as Id | undefined,
    );
}

/** As rows call it. */
function nameOf(column: SQLiteColumn): string {
  const named = Object.entries(getTableColumns(column.table)).find(([, one]) => one === column);
  if (named === undefined) {
    throw new Error(`column ${column.name} is in no table`);
  }
  return named[0];
}
