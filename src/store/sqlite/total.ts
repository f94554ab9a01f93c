/** How many rows a list finds: counted no further than people ask, for to count a million takes long. */

import { type SQL, sql } from "drizzle-orm";
import { bytesToId, type Id, idToBytes, LAST_ID } from "./columns.ts";
import type { Db } from "./database.ts";

export const TOTAL_MAX = 10_000;

export interface Total {
  total: number;
  /** There may be more than `total`. */
  isCapped: boolean;
}

/** More than are counted. */
export const CAPPED: Total = { total: TOTAL_MAX, isCapped: true };

export interface Range {
  limit: number;
  offset: number;
  after?: Id;
}

/** A page of ids, the largest first, and how many they are on all pages. */
export interface IdPage extends Total {
  ids: Id[];
}

/** A row of two columns: how many, no further than to one more than are told, and ids in hexadecimal as JSON. */
export function idPageOf(row: readonly [number, string] | undefined): IdPage {
  const [found, ids] = row ?? [0, "[]"];
  const hexes = JSON.parse(ids) as string[];
  return {
    ...(found > TOTAL_MAX ? CAPPED : { total: found, isCapped: false }),
    ids: hexes.map((hex) => bytesToId(Uint8Array.fromHex(hex))),
  };
}

/**
 * A page of the ids that `wanted` selects, by the name `id`, in one walk: for conditions that no index has in
 * that order, and that find no more than {@link TOTAL_MAX} and one.
 */
export function pageOfIds(db: Db, wanted: SQL, { limit, offset, after = LAST_ID }: Range): IdPage {
  const [row] = db.orm.values<[number, string]>(
    sql`with wanted as materialized (${wanted})
      select (select count(*) from wanted), (select json_group_array(hex(id)) from
        (select id from wanted where id < ${idToBytes(after)} order by id desc limit ${limit} offset ${offset}))`,
  );
  return idPageOf(row);
}
