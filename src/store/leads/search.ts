/** Full-text search over leads and conversations: its queue, its index, and the condition of a list. */

import { type Column, eq, lte, type SQL, sql } from "drizzle-orm";
import type { LeadVariables } from "#domain/leads/lead.ts";
import type { Phrases } from "#domain/search-phrases.ts";
import { bytesToId, type Id, idToBytes, LAST_ID, placeholder } from "#store/sqlite/columns.ts";
import type { Commit } from "#store/sqlite/commit.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import type { Folder } from "#store/sqlite/fold.ts";
import { type IdPage, idPageOf, type Range, TOTAL_MAX } from "#store/sqlite/total.ts";
import { type SearchKind, searchDue } from "#store/tables/search.ts";

/** What a lead is found by. */
export interface LeadWords {
  /** With those that the lead had before merges, each on a line. */
  email: string;
  firstName: string | null;
  lastName: string | null;
  company: string | null;
  website: string | null;
  phone: string | null;
  variables: LeadVariables;
}

/** What is to be indexed. */
export interface Due {
  seq: number;
  /** Null for a lead. */
  threadId: Id | null;
  /** Null for a thread, and for a lead that is gone. */
  lead: LeadWords | null;
  row: RawDue;
}

interface RawDue extends Omit<LeadWords, "variables"> {
  seq: number;
  kind: SearchKind;
  id: Uint8Array;
  /** Its number in the index; null: it is new. */
  doc: number | null;
  /** Null where the lead is gone, and for a thread. */
  variables: string | null;
  teamId: Uint8Array;
}

const statements = prepared(({ raw }) => ({
  isDue: raw.prepare<{ one: 1 }, []>("select 1 as one from search_due limit 1"),
  due: raw.prepare<RawDue, [number]>(
    `select q.seq, q.kind, q.id, d.doc, l.team_id as teamId, l.variables, concat_ws(char(10), l.email,
         (select group_concat(a.email, char(10)) from lead_aliases a where a.lead_id = l.id)) as email,
       l.first_name as firstName, l.last_name as lastName, l.company, l.website, l.phone
     from search_due q left join leads l on q.kind = 'lead' and l.id = q.id
       left join search_docs d on d.id = q.id order by q.seq limit +?`,
  ),
  /** Without RETURNING, for which SQLite collects rows in a table of its own. */
  number: raw.prepare<null, [Uint8Array, Uint8Array, SearchKind]>(
    "insert or ignore into search_docs (id, team_id, kind) values (?, ?, ?)",
  ),
  write: raw.prepare<null, [number, string]>(
    "insert into search_text (rowid, words) values (?, ?)",
  ),
  writeAnew: raw.prepare<null, [number, string]>(
    "insert or replace into search_text (rowid, words) values (?, ?)",
  ),
}));

export function isSearchDue(db: Db): boolean {
  return statements(db).isDue.get() !== null;
}

/** What is to be indexed, the oldest first, with what leads are found by. */
export function searchesDue(db: Db, limit: number): Due[] {
  return statements(db)
    .due.all(limit)
    .map((row) => {
      const { seq, kind, id, variables } = row;
      const lead = variables === null ? null : { ...row, variables: JSON.parse(variables) };
      return { seq, threadId: kind === "thread" ? bytesToId(id) : null, lead, row };
    });
}

/** Makes `text` what the lead or the thread, of the team `threadTeamId`, is found by. */
export function indexText(db: Db, { row }: Due, text: string, threadTeamId?: Id): void {
  const { number, write, writeAnew } = statements(db);
  const { id, kind, doc } = row;
  if (doc !== null) {
    writeAnew.run(doc, text);
    return;
  }
  const teamId = threadTeamId === undefined ? row.teamId : idToBytes(threadTeamId);
  const { changes, lastInsertRowid } = number.run(id, teamId, kind);
  // What stands in the queue twice was given its number, and all of its words, the first time.
  if (changes > 0) {
    write.run(Number(lastInsertRowid), text);
  }
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

/** What a search lists: of more than can be counted those that were indexed last. Whoever finds more asks too little. */
const MATCHES = `select d.id as id from search_text join search_docs d on d.doc = search_text.rowid
  where search_text match +?1 and d.team_id = +?2 and d.kind = +?3
  order by search_text.rowid desc limit ${TOTAL_MAX + 1}`;

type Asked = [string, Uint8Array, SearchKind];

const found = prepared((db) =>
  db.raw.prepare<{ ids: string; n: number }, Asked>(
    `select json_group_array(hex(id)) as ids, count(*) as n from (${MATCHES})`,
  ),
);

/** Whole words are asked for first: of those alone SQLite reads no more than it lists. */
function askTwice<Answer extends { isCapped: boolean }>(
  { whole, begun }: Phrases,
  ask: (phrases: string) => Answer,
): Answer {
  const answer = ask(whole);
  return answer.isCapped ? answer : ask(begun);
}

/** What a search finds now. */
export interface Matches {
  /** A JSON array in hexadecimal. */
  ids: string;
  isCapped: boolean;
}

export function matchesOf(db: Db, kind: SearchKind, teamId: Id, phrases: Phrases): Matches {
  return askTwice(phrases, (query) => {
    const { ids = "[]", n = 0 } = found(db).get(query, idToBytes(teamId), kind) ?? {};
    return { ids, isCapped: n > TOTAL_MAX };
  });
}

/**
 * The condition that a row with this id is among the matches. Beside it a condition on team or campaign would
 * invite SQLite to walk an index of all their rows: see {@link unindexed}.
 */
export function isAmong(id: Column, { ids }: Matches): SQL {
  return sql`${id} in (select unhex(value) from json_each(${ids}))`;
}

const page = prepared((db) =>
  db.raw.prepare<unknown, [...Asked, Uint8Array, number, number]>(
    `with matches as materialized (${MATCHES})
     select (select count(*) from matches), (select json_group_array(hex(id)) from
       (select id from matches where id < +?4 order by id desc limit +?5 offset +?6))`,
  ),
);

/** A page of what a search finds, for whom nothing else is asked. */
export function pageOfMatches(
  db: Db,
  kind: SearchKind,
  teamId: Id,
  phrases: Phrases,
  { after = LAST_ID, limit, offset }: Range,
): IdPage {
  const whose = [idToBytes(teamId), kind] as const;
  const range = [idToBytes(after), limit, offset] as const;
  return askTwice(phrases, (query) => {
    const [row] = page(db).values(query, ...whose, ...range) as [number, string][];
    return idPageOf(row);
  });
}

/** `column = value` by which no index is chosen. */
export function unindexed(column: Column, value: unknown): SQL {
  return sql`+${eq(column, value)}`;
}

/** Pages of the index that are written in one slice. */
const MERGED_PAGES = 64;
const MERGE = "insert into search_text(search_text, rank) values ('merge', ?)";
/** Pages of a file from which on its index is merged beside this thread: some 100,000 leads. */
const MANY_PAGES = 25_000;

const merge = prepared((db) => ({
  run: db.raw.prepare<null, [number]>(MERGE),
  changes: db.raw.query<{ n: number }, []>("select total_changes() as n"),
  pages: db.raw.query<{ page_count: number }, []>("PRAGMA page_count"),
}));

/** Where merges are made. */
export interface Merging {
  commit: Commit;
  beside: Folder["run"];
}

/**
 * Merges what slices have written one by one, {@link MERGED_PAGES} at most: more than a slice writes, so that they
 * stay few. FTS5 does so by itself no more (`search-schema.ts`). Runs inside a commit, and leaves a large index to
 * {@link mergeLarge}.
 */
export function mergeSmall(db: Db): void {
  if (!isLarge(db)) {
    mergeHere(db, MERGED_PAGES);
  }
}

export async function mergeLarge(db: Db, by: Merging): Promise<void> {
  if (isLarge(db)) {
    await mergePages(db, by, MERGED_PAGES);
  }
}

/**
 * Writes a part of the index anew without the words of what was deleted, which otherwise stay in it until
 * they are many. `isFirst` marks all of it. True: there is no more to write.
 *
 * Source: https://sqlite.org/fts5.html, "The 'merge' Command": a negative number begins, and fewer than
 * two changes are the end.
 */
export async function cleanIndex(db: Db, by: Merging, isFirst: boolean): Promise<boolean> {
  return (await mergePages(db, by, isFirst ? -MERGED_PAGES : MERGED_PAGES)) < 2;
}

/** FTS5 writes all of a word at once, however many pages it has: 0.9 s for one that a million leads share. */
async function mergePages(db: Db, { commit, beside }: Merging, pages: number): Promise<number> {
  const changes = isLarge(db) ? await beside({ sql: MERGE, values: [pages] }) : null;
  return changes ?? (await commit(() => mergeHere(db, pages)));
}

/** The file is so large that what goes through all of it is done beside this thread. */
export function isLarge(db: Db): boolean {
  return (merge(db).pages.get()?.page_count ?? 0) >= MANY_PAGES;
}

function mergeHere(db: Db, pages: number): number {
  const { run, changes } = merge(db);
  const before = changes.get()?.n ?? 0;
  run.run(pages);
  return (changes.get()?.n ?? 0) - before;
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
