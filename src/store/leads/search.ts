/** Full-text search over leads and conversations: its queue, its index, and the condition of a list. */

import { asc, type Column, eq, lte, type SQL, sql } from "drizzle-orm";
import { equals, type Id, idToBytes, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type SearchKind, searchDocs, searchDue } from "#store/tables/search.ts";

/** Of one search, those that were indexed last: whoever finds more asks too little. */
export const MATCHES_MAX = 10_000;

export interface Due {
  seq: number;
  id: Id;
  kind: SearchKind;
}

const due = prepared((db) =>
  db.orm
    .select()
    .from(searchDue)
    .orderBy(asc(searchDue.seq))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** What is to be indexed, the oldest first. */
export function searchesDue(db: Db, limit: number): Due[] {
  return due(db).all({ limit });
}

const newlyDue = prepared((db) =>
  db.orm
    .insert(searchDue)
    .values({ id: placeholder(searchDue.id, "id"), kind: sql.placeholder("kind") })
    .prepare(),
);

/** What this lead or thread is found by has to be written, or written anew. */
export function recordSearched(db: Db, kind: SearchKind, id: Id): void {
  newlyDue(db).run({ id, kind });
}

const drop = prepared((db) =>
  db.orm
    .delete(searchDue)
    .where(lte(searchDue.seq, sql.placeholder("seq")))
    .prepare(),
);

/** Takes everything up to `seq` off the queue. */
export function dropDue(db: Db, seq: number): void {
  drop(db).run({ seq });
}

const docOf = prepared((db) =>
  db.orm
    .select({ doc: searchDocs.doc })
    .from(searchDocs)
    .where(equals(searchDocs.id, "id"))
    .prepare(),
);

const newDoc = prepared((db) =>
  db.orm
    .insert(searchDocs)
    .values({
      id: placeholder(searchDocs.id, "id"),
      teamId: placeholder(searchDocs.teamId, "teamId"),
      kind: sql.placeholder("kind"),
    })
    .returning({ doc: searchDocs.doc })
    .prepare(),
);

const write = prepared((db) =>
  db.raw.prepare<null, [number, string]>(
    "insert or replace into search_text (rowid, words) values (?, ?)",
  ),
);

/** Makes `text` what the lead or thread is found by. */
export function indexText(
  db: Db,
  whose: { id: Id; teamId: Id; kind: SearchKind },
  text: string,
): void {
  const { doc } = docOf(db).get({ id: whose.id }) ?? newDoc(db).get({ ...whose }) ?? { doc: 0 };
  write(db).run(doc, text);
}

/** Leads and conversations of a team that was brought here whole are going to be found. */
export function queueTeam(db: Db, teamId: Id): void {
  db.raw
    .query<null, [Uint8Array]>(
      `insert into search_due (id, kind)
         select id, 'lead' from leads where team_id = ?1
         union all select id, 'thread' from threads where team_id = ?1`,
    )
    .run(idToBytes(teamId));
}

const found = prepared((db) =>
  db.raw.prepare<{ ids: string }, [string, Uint8Array, SearchKind]>(
    `select json_group_array(hex(id)) as ids from (
       select d.id from search_text join search_docs d on d.doc = search_text.rowid
       where search_text match +? and d.team_id = +? and d.kind = +?
       order by search_text.rowid desc limit ${MATCHES_MAX})`,
  ),
);

/**
 * The condition that a row with this id is found, of what is found now: a page and the number of all ask
 * the index once. `phrases` is a query of FTS5. Beside it a condition on team or campaign would invite
 * SQLite to walk an index of all their rows: see {@link unindexed}.
 */
export function isFound(db: Db, id: Column, kind: SearchKind, teamId: Id, phrases: string): SQL {
  const { ids = "[]" } = found(db).get(phrases, idToBytes(teamId), kind) ?? {};
  return sql`${id} in (select unhex(value) from json_each(${ids}))`;
}

/** `column = value` by which no index is chosen. */
export function unindexed(column: Column, value: unknown): SQL {
  return sql`+${eq(column, value)}`;
}

/** Pages of the index that are written in one slice. */
const MERGED_PAGES = 64;

const merge = prepared((db) => ({
  run: db.raw.prepare<null, [number]>(
    "insert into search_text(search_text, rank) values ('merge', ?)",
  ),
  changes: db.raw.query<{ n: number }, []>("select total_changes() as n"),
}));

/**
 * Writes a part of the index anew without the words of what was deleted, which otherwise stay in it until
 * they are many. `isFirst` marks all of it. True: there is no more to write. Runs inside a commit.
 *
 * Source: https://sqlite.org/fts5.html, "The 'merge' Command": a negative number begins, and fewer than
 * two changes are the end.
 */
export function cleanIndex(db: Db, isFirst: boolean): boolean {
  const { run, changes } = merge(db);
  const before = changes.get()?.n ?? 0;
  run.run(isFirst ? -MERGED_PAGES : MERGED_PAGES);
  return (changes.get()?.n ?? 0) - before < 2;
}

export interface SearchFaults {
  /** Numbers without a lead or thread of their team, or without words. */
  stray: number;
  /** Leads and threads that are neither found nor going to be. */
  missing: number;
}

/** Contradictions between a team's leads and threads and what search knows. Reads all of them. */
export function searchFaults(db: Db, teamId: Id): SearchFaults {
  const count = (query: string) =>
    db.raw.query<{ n: number }, [Uint8Array]>(query).get(idToBytes(teamId))?.n ?? 0;
  const stray = count(
    `select count(*) as n from search_docs d where d.team_id = ?1 and (
       not exists (select 1 from search_text where rowid = d.doc) or case d.kind
       when 'lead' then not exists (select 1 from leads l where l.id = d.id and l.team_id = d.team_id)
       else not exists (select 1 from threads t where t.id = d.id and t.team_id = d.team_id) end)`,
  );
  const missing = count(
    `select count(*) as n from (
       select id from leads where team_id = ?1 union all select id from threads where team_id = ?1) one
     where not exists (select 1 from search_docs d where d.id = one.id)
       and one.id not in (select id from search_due)`,
  );
  return { stray, missing };
}
