/** Tags: which lead, campaign or mailbox has which, found either way. */

import type { SQLQueryBindings } from "bun:sqlite";
import { type SQL, sql } from "drizzle-orm";
import type { TagKind } from "#domain/campaigns/tag.ts";
import { bytesToId, type Id, idToBytes, LAST_ID } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { CAPPED, type IdPage, type Range, TOTAL_MAX } from "#store/sqlite/total.ts";

const statements = prepared(({ raw }) => ({
  of: raw.query<{ name: string }, SQLQueryBindings[]>(
    "select name from tags where target_id = +? order by name",
  ),
  add: raw.query<null, SQLQueryBindings[]>(
    "insert or ignore into tags (team_id, kind, target_id, name) values (?, ?, ?, ?)",
  ),
  remove: raw.query<null, SQLQueryBindings[]>("delete from tags where target_id = ? and name = ?"),
  isKnown: raw.query<{ one: 1 }, SQLQueryBindings[]>(
    "select 1 as one from tags where team_id = +? and kind = +? and name = +? limit 1",
  ),
  // From name to name: a tag of a million leads is one step.
  names: raw.query<{ name: string }, SQLQueryBindings[]>(
    `with recursive found(name) as (
       select min(name) from tags where team_id = ?1 and kind = ?2
       union all
       select (select min(name) from tags where team_id = ?1 and kind = ?2 and name > found.name)
         from found where found.name is not null)
     select name from found where name is not null`,
  ),
}));

/** In the order of the alphabet. */
export function tagsOf(db: Db, targetId: Id): string[] {
  return statements(db)
    .of.all(idToBytes(targetId))
    .map(({ name }) => name);
}

/** False where it has the tag already. */
export function addTag(
  db: Db,
  { teamId, kind, targetId }: { teamId: Id; kind: TagKind; targetId: Id },
  name: string,
): boolean {
  const { add } = statements(db);
  const run = () => add.run(idToBytes(teamId), kind, idToBytes(targetId), name);
  return db.rows.writeTables(["tags"], run).changes > 0;
}

export function removeTag(db: Db, targetId: Id, name: string): void {
  const { remove } = statements(db);
  db.rows.writeTables(["tags"], () => remove.run(idToBytes(targetId), name));
}

export function isTagKnown(db: Db, teamId: Id, kind: TagKind, name: string): boolean {
  return statements(db).isKnown.get(idToBytes(teamId), kind, name) !== null;
}

/** Every tag that one of the team's records of a kind has. */
export function tagNames(db: Db, teamId: Id, kind: TagKind): string[] {
  return statements(db)
    .names.all(idToBytes(teamId), kind)
    .map(({ name }) => name);
}

const page = prepared(({ raw }) => ({
  counted: raw.query<{ n: number }, SQLQueryBindings[]>(
    `select count(*) as n from
       (select 1 from tags where team_id = +? and kind = +? and name = +? limit ${TOTAL_MAX + 1})`,
  ),
  ids: raw.query<{ id: Uint8Array }, SQLQueryBindings[]>(
    `select target_id as id from tags where team_id = +? and kind = +? and name = +? and target_id < +?
       order by target_id desc limit +? offset +?`,
  ),
}));

/** A page of what has a tag, the newest first. */
export function pageOfTag(
  db: Db,
  teamId: Id,
  [kind, name]: [TagKind, string],
  { limit, offset, after = LAST_ID }: Range,
): IdPage {
  const tag = [idToBytes(teamId), kind, name];
  const found = page(db).counted.get(...tag)?.n ?? 0;
  const rows = page(db).ids.all(...tag, idToBytes(after), limit, offset);
  return {
    ...(found > TOTAL_MAX ? CAPPED : { total: found, isCapped: false }),
    ids: rows.map(({ id }) => bytesToId(id)),
  };
}

/** The ids of what has a tag, as `id`. */
export function idsTagged(teamId: Id, kind: TagKind, name: string): SQL {
  return sql`select target_id as id from tags
    where team_id = ${idToBytes(teamId)} and kind = ${kind} and name = ${name}`;
}
