/** The last of the ids that rows of a file have: those of a new process go on from there. */

import { bytesToId, type Id, idToBytes } from "./columns.ts";
import type { Db } from "./database.ts";

interface Table {
  name: string;
}

const TABLES = `select t.name from sqlite_master t join pragma_table_info(t.name) c
  where t.type = 'table' and c.name = 'id' and c.pk = 1 and lower(c.type) = 'blob'`;

/**
 * The largest id that is less than `before`; undefined: there is none. Every table has its ids in order,
 * so that it is one place to look at, however many rows there are.
 */
export function latestId(db: Db, before: Id): Id | undefined {
  const tables = db.raw.query<Table, []>(TABLES).all();
  const each = tables.map(({ name }) => `select max(id) as id from "${name}" where id < ?1`);
  const row = db.raw
    .query<{ id: Uint8Array | null }, [Uint8Array]>(
      `select max(id) as id from (${each.join(" union all ")})`,
    )
    .get(idToBytes(before));
  return row?.id ? bytesToId(row.id) : undefined;
}
