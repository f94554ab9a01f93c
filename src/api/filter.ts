/**
 * `filter` and `sort` of a list, and the cursor that belongs to both: it names the last row by what the list
 * is sorted by, and is refused where another filter or sort is asked for.
 */

import { type TProperties, Type } from "@sinclair/typebox";
import { TAG_CHARS_MAX } from "#domain/campaigns/tag.ts";
import { FILTER_CHARS_MAX, parseFilter } from "#domain/filter.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { invalid, invalidAll } from "#domain/problem.ts";
import type { Caller, Environment } from "#environment.ts";
import { type FilterList, isPlace, type Place, type Walk, walkList } from "#store/filter/filter.ts";
import { CursorQuery, Shape } from "./schema.ts";

/** Rows that are passed over are found first. */
const OFFSET_MAX = 10_000;

interface Given {
  limit: number;
  offset: number;
  filter?: string;
  sort?: string;
  after?: string;
}

type Listed = Pick<FilterList, "fields" | "sorts">;

/** Selects by one tag. */
export const tagQuery = {
  tag: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: TAG_CHARS_MAX,
      description: "Only records with this tag",
      examples: ["dach"],
    }),
  ),
};

/** The parameters, with the names that the list knows. */
export function filterQuery(
  { fields, sorts }: Listed,
  otherwise = `${defaultOf(sorts)} if left out`,
) {
  const names = Object.keys(fields).map((name) => (name.endsWith(".") ? `${name}<name>` : name));
  return {
    filter: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: FILTER_CHARS_MAX,
        description: `Only records for which all of these hold, such as \`status:active created>2026-10-01\`. Fields: ${names.join(", ")}`,
        examples: ["created>2026-10-01"],
      }),
    ),
    sort: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 50,
        description: `Order: ${Object.keys(sorts).join(" or ")}; with a minus before it, descending. ${otherwise}`,
        examples: [defaultOf(sorts)],
      }),
    ),
  };
}

/** The same with the parameter `tag`, of a list that had it before it had a filter. */
export const taggedQuery = (list: Listed) => ({ ...filterQuery(list), ...tagQuery });

/** The whole query of a large list; its own parameters stand before those that came later. */
export function listQuery<Own extends TProperties>(list: Listed, own: Own) {
  return Shape({ ...CursorQuery.properties, ...own, ...filterQuery(list) });
}

/** True where the list is to be read by {@link readFiltered}. */
export function isFiltered({ filter, sort, after }: Given): boolean {
  return filter !== undefined || sort !== undefined || (after?.includes(".") ?? false);
}

/**
 * A page of the list, or of the part of it that lies `within`. Throws `validation_error` naming `filter`, `sort`,
 * `offset`, `after`, or another parameter that was given beside them.
 */
export async function readFiltered<List extends FilterList>(
  { db }: Environment,
  { teamId }: Caller,
  list: List,
  query: Given,
  within?: Walk["within"],
) {
  const { limit, offset, filter = "", sort, after: cursor, ...others } = query;
  const [other] = Object.entries(others).find(([, value]) => value !== undefined) ?? [];
  if (other !== undefined) {
    const field = other.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    throw invalid(field, "can't be combined with filter or sort; put it into filter");
  }
  if (offset > OFFSET_MAX) {
    throw invalid("offset", `must be at most ${OFFSET_MAX} with a filter or sort; use after`);
  }
  const order = orderOf(list, sort);
  const conditions = parseFilter(filter, list.fields);
  const bound = Bun.hash(`${filter}\n${sort ?? ""}`).toString(36);
  const after = cursor === undefined ? undefined : readPlace(list, order.sort, cursor, bound);
  const walk: Walk = { teamId, within, conditions, ...order, after, offset, limit };
  const { rows, total, next } = await walkList(db, list, walk);
  return {
    rows,
    page: {
      ...{ total, limit, offset, hasMore: next !== null },
      next_cursor: next === null ? null : cursorOf(next, bound),
      total_is_capped: next !== null,
    },
  };
}

const defaultOf = (sorts: Listed["sorts"]) => `-${Object.keys(sorts)[0]}`;

function orderOf({ sorts }: Listed, sort = defaultOf(sorts)): Pick<Walk, "sort" | "isDescending"> {
  const isDescending = sort.startsWith("-");
  const name = isDescending ? sort.slice(1) : sort;
  if (!Object.hasOwn(sorts, name)) {
    const names = Object.keys(sorts);
    const message = `can't sort by "${name}"; there is ${names.join(", ")}, with - for descending`;
    const meant = nearestWord(name, names);
    const didYouMean = meant === undefined ? null : `${isDescending ? "-" : ""}${meant}`;
    throw invalidAll([{ field: "sort", message, didYouMean }]);
  }
  return { sort: name, isDescending };
}

/** The dot tells it from the cursor of a list that is not filtered. */
function cursorOf({ key, id }: Place, bound: string): string {
  return `${bound}.${Buffer.from(JSON.stringify([key, id])).toString("base64url")}`;
}

function readPlace(list: FilterList, sort: string, text: string, bound: string): Place {
  const [mark, place = ""] = text.split(".");
  if (mark !== bound) {
    throw invalid("after", "belongs to a list with another filter or sort; start again without it");
  }
  try {
    const [key, id] = JSON.parse(Buffer.from(place, "base64url").toString()) as unknown[];
    if (typeof key === "string" && typeof id === "string" && isPlace(list, sort, { key, id })) {
      return { key, id };
    }
  } catch {
    // No cursor of ours: said below.
  }
  throw invalid("after", "must be the next_cursor of an earlier page");
}
