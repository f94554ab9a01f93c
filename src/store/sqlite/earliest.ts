/** Which row of a table is due next, and when: what each worker asks at each of its steps. */

import { and, asc, getTableColumns, isNotNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";

/** `next(db)`: the least instant of an indexed column; undefined where it is null in all rows. */
export function earliest(at: SQLiteColumn): (db: Db) => UnixMs | undefined {
  const { table } = at;
  const statement = prepared((db) =>
    db.orm.select({ at }).from(table).where(isNotNull(at)).orderBy(asc(at)).limit(1).prepare(),
  );
  return (db) => statement(db).get()?.at as UnixMs | undefined;
}

/** `next(db, id)`: of the rows whose column `of` is `id` the one whose `at` is least, the oldest of several. */
export function firstOf(of: SQLiteColumn, at: SQLiteColumn): (db: Db, id: Id) => Id | undefined {
  const { table } = at;
  const { id } = getTableColumns(table) as { id: SQLiteColumn };
  const statement = prepared((db) =>
    db.orm
      .select({ id })
      .from(table)
      .where(and(equals(of, "of"), isNotNull(at)))
      // By the number that every index ends with, so nothing is sorted.
      .orderBy(asc(at), sql`rowid`)
      .limit(1)
      .prepare(),
  );
  return (db, owner) => statement(db).get({ of: owner })?.id as Id | undefined;
}
