/**
 * Lists by the filter language: what a list can be filtered and sorted by is declared once, and read in
 * slices. A slice walks a stretch of the index that the sort has, of a bounded number of rows, whatever the
 * filter finds there; so no filter needs an index of its own, and none holds the thread.
 */

import { and, asc, desc, eq, getTableColumns, not, or, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn as Column, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Condition, FieldKind, Test } from "#domain/filter.ts";
import { ownTurn } from "#platform/turns.ts";
import type { Id } from "#store/sqlite/columns.ts";
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
  /** What tells rows apart, where that is not the column `id`. */
  key?: Column;
  /** Which rows of the table the list is about. */
  only?: SQL;
  /** A tag, for one, is a `text` field whose `where` looks it up by the row's id. */
  fields: Readonly<Record<string, Field>>;
  /** What a bare word is looked for in. */
  words: SQL;
  /** Columns that have an index behind the team (or {@link Walk.within}), with the key last; the first is the default. */
  sorts: Readonly<Record<string, Column>>;
  /** Conditions of several fields that have to hold for one and the same related row. */
  together?: { fields: readonly string[]; where: (conditions: SQL) => SQL };
}

/** Where a page ends: the sorted column's value and the key of its last row, as text. */
export interface Place {
  key: string;
  id: string;
}

export interface Walk {
  teamId: Id;
  /** The part of the team's rows that is walked, where it has an index of its own, such as a campaign's. */
  within?: SQL | undefined;
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

/** A page. Each slice has a turn of its own, so what is found is of no single state. */
export async function walkList<List extends FilterList>(
  db: Db,
  list: List,
  walk: Walk,
): Promise<Walked<RowOf<List>>> {
  const { key, id, order, beyond, upTo } = courseOf(list, walk);
  const within = walk.within ?? eq(columnsOf(list)["teamId"] as Column, walk.teamId);
  const wanted = and(list.only, wantedBy(list, walk));
  const most = walk.offset + walk.limit + 1;
  const found: RowOf<List>[] = [];
  let from = walk.after;
  for (let walked = 0; walked < WALKED_MAX; walked += SLICE_ROWS) {
    if (walked > 0) {
      await ownTurn();
    }
    const rest = and(within, beyond(from));
    const [last] = db.orm
      .select({ key, id })
      .from(list.table)
      .where(rest)
      .orderBy(...order)
      .limit(1)
      .offset(SLICE_ROWS - 1)
      .all() as unknown as { key: unknown; id: unknown }[];
    const end = last && { key: String(last.key), id: String(last.id) };
    const rows = db.orm
      .select()
      .from(list.table)
      .where(and(rest, upTo(end), wanted))
      .orderBy(...order)
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
  return { rows, total: found.length, next: hasMore ? placeOf(list, key, shown) : null };
}

const comma = sql`, `;

/** The order of a walk, and what lies beyond a place in it, and up to one; all does where there is no place. */
function courseOf(list: FilterList, { sort, isDescending }: Walk) {
  const [id, key] = [keyOf(list), sortedBy(list, sort)];
  // Named once where it is both: SQLite would sort what the index has in order.
  const columns = key === id ? [id] : [key, id];
  const side = (operator: string) => (place: Place | undefined) => {
    const values = place && [boundTo(key, place.key), boundTo(id, place.id)].slice(-columns.length);
    return (
      values && sql`(${sql.join(columns, comma)}) ${sql.raw(operator)} (${sql.join(values, comma)})`
    );
  };
  const [by, beyond, upTo] = isDescending ? [desc, "<", ">="] : [asc, ">", "<="];
  return { key, id, order: columns.map(by), beyond: side(beyond), upTo: side(upTo) };
}

const columnsOf = ({ table }: FilterList) => getTableColumns(table) as Record<string, Column>;
const keyOf = (list: FilterList) => list.key ?? (columnsOf(list)["id"] as Column);

const sortedBy = (list: FilterList, sort: string) => list.sorts[sort] ?? keyOf(list);

function placeOf(list: FilterList, key: Column, row: Record<string, unknown>): Place {
  const columns = columnsOf(list);
  const of = (column: Column) =>
    String(row[Object.keys(columns).find((name) => columns[name] === column) ?? "id"]);
  return { key: of(key), id: of(keyOf(list)) };
}

/** Whether `place` can be one of the list in the order of `sort`. */
export function isPlace(list: FilterList, sort: string, { key, id }: Place): boolean {
  return isOf(sortedBy(list, sort), key) && isOf(keyOf(list), id);
}

function isOf(column: Column, text: string): boolean {
  switch (column.getSQLType()) {
    case "blob":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
    case "integer":
      return /^\d{1,15}$/.test(text);
    default:
      return true;
  }
}

/** A value of a place, as the column has it. */
function boundTo(column: Column, text: string): SQL {
  const value = column.getSQLType() === "integer" ? Number(text) : text;
  return sql`${sql.param(value, column)}`;
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
