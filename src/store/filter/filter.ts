/**
 * Lists by the filter language: what a list can be filtered and sorted by is declared once, and read in
 * slices. A slice walks a stretch of the index that the sort has, of a bounded number of rows, whatever the
 * filter finds there; so no filter needs an index of its own, and none holds the thread.
 */

import { and, asc, desc, eq, getTableColumns, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn as Column, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Condition, FieldKind, Test } from "#domain/filter.ts";
import { ownTurn } from "#platform/turns.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";

/** Rows of a slice: about two milliseconds of the widest. */
const SLICE_ROWS = 500;
/** Rows that one page may walk through; where it has not filled by then, the next one goes on. */
export const WALKED_MAX = 200_000;

/** A field that a list can be filtered by. */
export type Field = FieldKind &
  (
    | { column: Column | SQL }
    /** What no column of the row has: the whole condition. `part` as in {@link Condition}. */
    | { where: (test: Test, whose: { teamId: Id; part: string | null }) => SQL }
  );

export interface FilterList {
  table: SQLiteTable;
  /** A tag, for one, is a `text` field whose `where` looks it up by the row's id. */
  fields: Readonly<Record<string, Field>>;
  /** What a bare word is looked for in. */
  words: SQL;
  /** Columns that have an index behind the team, with the id last. */
  sorts: Readonly<Record<string, Column>>;
  /** Conditions of several fields that have to hold for one and the same related row. */
  together?: { fields: readonly string[]; where: (conditions: SQL) => SQL };
}

/** Where a page ends: the sorted column's value and the id of its last row. */
export interface Place {
  key: string;
  id: Id;
}

export interface Walk {
  teamId: Id;
  conditions: readonly Condition[];
  sort: string;
  isDescending: boolean;
  after: Place | undefined;
  offset: number;
  limit: number;
}

export interface Walked<Row> {
  rows: Row[];
  /** Those found on the way, and one if there may be more. */
  total: number;
  /** Where the next page goes on; null where there is none. */
  next: Place | null;
}

export type RowOf<List extends FilterList> = List["table"]["$inferSelect"];

type Parts = { id: Column; teamId: Column };

/** A page. Each slice has a turn of its own, so what is found is of no single state. */
export async function walkList<List extends FilterList>(
  db: Db,
  list: List,
  walk: Walk,
): Promise<Walked<RowOf<List>>> {
  const { id, teamId } = getTableColumns(list.table) as unknown as Parts;
  const key = list.sorts[walk.sort] ?? id;
  const wanted = wantedBy(list, walk);
  const [order, beyond, within] = walk.isDescending ? [desc, "<", ">="] : [asc, ">", "<="];
  const most = walk.offset + walk.limit + 1;
  const found: RowOf<List>[] = [];
  const value = (text: string) => (key === id ? idToBytes(text) : text);
  const side = (place: Place, operator: string) =>
    sql`(${key}, ${id}) ${sql.raw(operator)} (${value(place.key)}, ${idToBytes(place.id)})`;
  const placeOf = (row: Record<string, unknown>): Place => {
    const name = Object.entries(getTableColumns(list.table)).find(([, one]) => one === key)?.[0];
    return { key: String(row[name ?? "id"]), id: String(row["id"]) };
  };
  let from = walk.after;
  for (let walked = 0; walked < WALKED_MAX; walked += SLICE_ROWS) {
    if (walked > 0) {
      await ownTurn();
    }
    const rest = and(eq(teamId, walk.teamId), from && side(from, beyond));
    const [last] = db.orm
      .select({ key, id })
      .from(list.table)
      .where(rest)
      .orderBy(order(key), order(id))
      .limit(1)
      .offset(SLICE_ROWS - 1)
      .all() as unknown as { key: unknown; id: Id }[];
    const end = last && { key: String(last.key), id: last.id };
    const rows = db.orm
      .select()
      .from(list.table)
      .where(and(rest, end && side(end, within), wanted))
      .orderBy(order(key), order(id))
      .limit(most - found.length)
      .all() as RowOf<List>[];
    found.push(...rows);
    if (found.length === most || end === undefined) {
      break;
    }
    from = end;
    if (walked + SLICE_ROWS >= WALKED_MAX) {
      return { rows: found.slice(walk.offset), total: found.length + 1, next: end };
    }
  }
  const rows = found.slice(walk.offset, walk.offset + walk.limit);
  const shown = rows.at(-1);
  const hasMore = found.length === most && shown !== undefined;
  return { rows, total: found.length, next: hasMore ? placeOf(shown) : null };
}

function wantedBy(
  list: FilterList,
  { conditions, teamId }: Pick<Walk, "conditions" | "teamId">,
): SQL | undefined {
  const joint = list.together?.fields ?? [];
  const isJoint = ({ field, isNot }: Condition) =>
    field !== null && joint.includes(field) && !isNot;
  const own = conditions.filter((one) => !isJoint(one)).map((one) => holdsFor(list, one, teamId));
  const shared = and(...conditions.filter(isJoint).map((one) => holdsFor(list, one, teamId, true)));
  return and(...own, shared && list.together?.where(shared));
}

function holdsFor(
  list: FilterList,
  { field, part, isNot, tests }: Condition,
  teamId: Id,
  isJoint = false,
): SQL {
  const known = field === null ? undefined : list.fields[field];
  const any = or(
    ...tests.map((test) => {
      if (known === undefined) {
        return testOf(list.words, test);
      }
      return "where" in known ? known.where(test, { teamId, part }) : testOf(known.column, test);
    }),
  );
  const all = sql`coalesce(${any ?? sql`1`}, 0)`;
  const one =
    !isJoint && field !== null && list.together?.fields.includes(field)
      ? list.together.where(all)
      : all;
  return isNot ? not(one) : one;
}

/** The unary plus keeps SQLite from choosing the column's index over the one that is walked. */
export function testOf(column: Column | SQL, test: Test): SQL {
  switch (test.kind) {
    case "contains":
      return sql`instr(lower(${column}), lower(${test.text})) > 0`;
    case "is":
      return sql`lower(${column}) = lower(${test.text})`;
    case "number": {
      const operator = test.operator === ":" ? "=" : test.operator;
      return sql`+${column} ${sql.raw(operator)} ${test.value}`;
    }
    case "between": {
      const from = test.from === null ? undefined : sql`+${column} >= ${test.from}`;
      const to = test.to === null ? undefined : sql`+${column} < ${test.to}`;
      return and(from, to) ?? sql`1`;
    }
  }
}
