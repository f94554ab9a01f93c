/** Which rows of a table are due, and when the next is: what each worker asks at each of its steps. */

import { and, asc, getTableColumns, isNotNull, lte, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { reader } from "./rows.ts";

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

/** What is passed over: all of some teams, and what is under way, by its id. */
export interface Passed {
  teams: readonly Id[];
  ids: readonly Id[];
}

const NONE_PASSED: Passed = { teams: [], ids: [] };

/** For a condition of {@link isNoneOf}: ids as the name's value. */
export function idsIn(ids: readonly Id[]): string {
  return JSON.stringify(ids.map((id) => id.replaceAll("-", "").toUpperCase()));
}

/** The id in `column` is none of {@link idsIn} `:name`. */
export function isNoneOf(column: SQLiteColumn, name: string): SQL {
  return sql`hex(${column}) not in (select value from json_each(${sql.placeholder(name)}))`;
}

/**
 * `due(db, look)`: the rows whose time in an indexed column has come, the one that has waited longest first, but for
 * those that are passed over. `of`: the column that holds what is under way, if that isn't the row itself.
 */
export function dueRows<Table extends SQLiteTable>(
  table: Table,
  at: SQLiteColumn,
  of?: SQLiteColumn,
) {
  const { id, teamId } = getTableColumns(table) as Record<string, SQLiteColumn>;
  const piece = of ?? id;
  const rowsBut = (...left: (SQL | undefined)[]) =>
    reader(table, (db) =>
      db.orm
        .select()
        .from(table)
        .where(and(isNotNull(at), lte(at, sql.placeholder("now")), ...left))
        .orderBy(asc(at), sql`rowid`)
        .limit(sql.placeholder("limit"))
        .prepare(),
    );
  const all = rowsBut();
  const some = rowsBut(piece && isNoneOf(piece, "ids"), teamId && isNoneOf(teamId, "teams"));
  return (
    db: Db,
    { now, limit, passed = NONE_PASSED }: { now: UnixMs; limit: number; passed?: Passed },
  ): Table["$inferSelect"][] => {
    const { teams, ids } = passed;
    return teams.length + ids.length === 0
      ? all(db, { now, limit })
      : some(db, { now, limit, teams: idsIn(teams), ids: idsIn(ids) });
  };
}
