/**
 * What was deleted and can still be brought back. Rows are moved out of their tables whole and moved back whole, so
 * that nothing else has to know of them: no list, count, worker or forecast can forget to leave them out.
 */

import type { SQLQueryBindings } from "bun:sqlite";
import { and, asc, count, desc, eq, inArray, lte, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { bytesToId, type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { inserter, reader, remover, teamFinder } from "#store/sqlite/rows.ts";
import { type DeletedKind, type DeletedRow, deleted } from "#store/tables/deleted.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";

export const insertDeleted = inserter(deleted);
export const removeDeleted = remover(deleted);
export const findDeleted = teamFinder(deleted);

/** A page of what a team has deleted, the newest first. */
export function listDeleted(
  db: Db,
  teamId: Id,
  kinds: readonly DeletedKind[],
  page: { limit: number; offset: number },
): { rows: DeletedRow[]; total: number } {
  const wanted = and(eq(deleted.teamId, teamId), inArray(deleted.kind, [...kinds]));
  const rows = db.orm
    .select()
    .from(deleted)
    .where(wanted)
    .orderBy(desc(deleted.deletedAt), desc(deleted.id))
    .limit(page.limit)
    .offset(page.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(deleted).where(wanted).get()?.n ?? 0;
  return { rows, total };
}

const oldest = reader(deleted, (db) =>
  db.orm
    .select()
    .from(deleted)
    .where(lte(deleted.deletedAt, sql.placeholder("before")))
    .orderBy(asc(deleted.deletedAt))
    .limit(1)
    .prepare(),
);

/** The one, of whatever team, that has been deleted longest and not after `before`. */
export function deletedBefore(db: Db, before: UnixMs): DeletedRow | undefined {
  return oldest(db, { before })[0];
}

/** Tables of a draft in the order in which they go; they come back the other way round. */
export const CAMPAIGN_TABLES = [
  "tags",
  "left_places",
  "steps",
  "exposures",
  "experiment_tallies",
  "experiment_epochs",
  "experiment_shares",
  "variants",
  "experiments",
  "campaigns",
] as const;

/** The same of an account; what is counted by its id alone stays where it is. */
export const ACCOUNT_TABLES = ["tags", "provider_days", "accounts"] as const;

type Origin = (typeof CAMPAIGN_TABLES)[number] | (typeof ACCOUNT_TABLES)[number] | "enrollments";

const OF_EXPERIMENT = "experiment_id in (select id from experiments where campaign_id = ?1)";

/** Which rows of a table belong to the thing whose id is `?1`. */
const BELONGS: Readonly<Record<Origin, string>> = {
  tags: "target_id = ?1",
  left_places: "campaign_id = ?1",
  steps: "campaign_id = ?1",
  enrollments: "campaign_id = ?1",
  exposures: OF_EXPERIMENT,
  experiment_tallies: OF_EXPERIMENT,
  experiment_epochs: OF_EXPERIMENT,
  experiment_shares: OF_EXPERIMENT,
  variants: OF_EXPERIMENT,
  experiments: "campaign_id = ?1",
  campaigns: "id = ?1",
  provider_days: "account_id = ?1",
  accounts: "id = ?1",
};

/** When a lead was due that waits for a mailbox which was deleted. */
const DUE = "due";

type Cell = string | number | null | Uint8Array;
type Cells = Record<string, Cell>;
/** As a limit of SQLite. */
const ALL = -1;

const insertRow = prepared((db) =>
  db.raw.prepare<null, [Uint8Array, Uint8Array, Uint8Array | null, string, string]>(
    "insert into deleted_rows (team_id, deleted_id, lead_id, origin, cells) values (?, ?, ?, ?, ?)",
  ),
);

/** Moves up to `limit` rows of a table that belong to `id` out of it, and returns them. */
export function setAside(db: Db, id: Id, origin: Origin, limit = ALL): Cells[] {
  const rows = db.raw
    .query<Cells, [Uint8Array, number]>(
      `select rowid as at, * from ${origin} where ${BELONGS[origin]} limit ?2`,
    )
    .all(idToBytes(id), limit);
  const remove = db.raw.query(`delete from ${origin} where rowid = ?`);
  return rows.map(({ at, ...cells }) => {
    const leadId = origin === "enrollments" ? (cells["lead_id"] as Uint8Array) : null;
    const teamId = cells["team_id"] as Uint8Array;
    insertRow(db).run(teamId, idToBytes(id), leadId, origin, write(cells));
    remove.run(at as number);
    return cells;
  });
}

/** The row of an account that was deleted; undefined once it is back. */
export function accountAside(db: Db, id: Id): Cells | undefined {
  const row = db.raw
    .query<{ cells: string }, [Uint8Array]>(
      "select cells from deleted_rows where deleted_id = ? and origin = 'accounts'",
    )
    .get(idToBytes(id));
  return row === null ? undefined : read(row.cells);
}

interface Aside {
  seq: number;
  lead_id: Uint8Array | null;
  origin: string;
  cells: string;
}

const lastAside = prepared((db) =>
  db.raw.prepare<Aside, [Uint8Array, number]>(
    `select seq, lead_id, origin, cells from deleted_rows
     where deleted_id = ?1 and origin <> '${DUE}' order by seq desc limit ?2`,
  ),
);

/** Ids of enrollments that came back, and how many rows of whatever table were looked at. */
export interface PutBack {
  enrollments: Id[];
  looked: number;
}

/** Moves rows back, those that went last first; `change` replaces cells of them. */
export function putBack(
  db: Db,
  id: Id,
  limit: number,
  change: (origin: string) => Cells = () => ({}),
): PutBack {
  const rows = lastAside(db).all(idToBytes(id), limit);
  const tables = new Set(rows.map(({ origin }) => origin));
  const columns = new Map([...tables].map((table) => [table, columnsOf(db, table)]));
  const enrollments = rows.flatMap(({ seq, lead_id, origin, cells }) => {
    const own: Cells = lead_id === null ? {} : { lead_id };
    const row: Cells = { ...read(cells), ...own, ...change(origin) };
    const isIn = insertCells(db, origin, columns.get(origin) ?? new Set(), row);
    forget(db).run(seq);
    return isIn && origin === "enrollments" ? [bytesToId(row["id"] as Uint8Array)] : [];
  });
  return { enrollments, looked: rows.length };
}

const forget = prepared((db) =>
  db.raw.prepare<null, [number]>("delete from deleted_rows where seq = ?"),
);

/** A row may have been set aside by an earlier version, with columns that are no more. */
function columnsOf(db: Db, table: string): ReadonlySet<string> {
  const rows = db.raw.query<{ name: string }, []>(`pragma table_info(${table})`).all();
  return new Set(rows.map(({ name }) => name));
}

/** False where there is one already, as of a lead that was merged into another meanwhile. */
function insertCells(db: Db, table: string, known: ReadonlySet<string>, row: Cells): boolean {
  const given = Object.entries(row).filter(([name]) => known.has(name));
  const names = given.map(([name]) => `"${name}"`).join(", ");
  const marks = given.map(() => "?").join(", ");
  const values = given.map(([, value]) => value) as SQLQueryBindings[];
  const { changes } = db.raw
    .query(`insert into ${table} (${names}) values (${marks}) on conflict do nothing`)
    .run(...values);
  return changes > 0;
}

/** When a lead is due again once its mailbox is back. */
export function rememberDue(
  db: Db,
  id: Id,
  {
    id: enrollmentId,
    teamId,
    leadId,
    dueAt,
  }: Pick<EnrollmentRow, "id" | "teamId" | "leadId" | "dueAt">,
): void {
  const cells = write({ id: idToBytes(enrollmentId), due_at: dueAt });
  insertRow(db).run(idToBytes(teamId), idToBytes(id), idToBytes(leadId), DUE, cells);
}

const dueOf = prepared((db) =>
  db.raw.prepare<{ cells: string }, [Uint8Array, Uint8Array]>(
    `select cells from deleted_rows
     where lead_id = ?1 and deleted_id = ?2 and origin = '${DUE}' order by seq desc`,
  ),
);

/** What {@link rememberDue} was told of an enrollment; undefined where that was nothing. */
export function rememberedDue(
  db: Db,
  id: Id,
  enrollment: Pick<EnrollmentRow, "id" | "leadId">,
): UnixMs | undefined {
  return dueOf(db)
    .all(idToBytes(enrollment.leadId), idToBytes(id))
    .map(({ cells }) => read(cells))
    .filter((cells) => bytesToId(cells["id"] as Uint8Array) === enrollment.id)
    .map((cells) => cells["due_at"] as UnixMs)[0];
}

/** Forgets up to `limit` rows that were set aside. Returns how many it forgot. */
export function dropAside(db: Db, id: Id, limit: number): number {
  return db.raw
    .query<null, [Uint8Array, number]>(
      `delete from deleted_rows
       where seq in (select seq from deleted_rows where deleted_id = ?1 limit ?2)`,
    )
    .run(idToBytes(id), limit).changes;
}

/** A lead that was merged into another is that one in what was set aside, too. */
export function giveAside(db: Db, from: Id, to: Id): void {
  db.raw
    .query<null, [Uint8Array, Uint8Array]>(
      "update deleted_rows set lead_id = ?2 where lead_id = ?1",
    )
    .run(idToBytes(from), idToBytes(to));
}

/** Of no account that was deleted is it known what it sent: the file is a copy of an earlier day. */
export function markAside(db: Db, unconfirmed: { since: UnixMs; until: UnixMs }): void {
  db.raw
    .query<null, [string]>(
      `update deleted_rows set cells = json_set(cells, '$.unconfirmed', ?1)
       where origin = 'accounts'`,
    )
    .run(JSON.stringify(unconfirmed));
}

function write(cells: Cells): string {
  const written = Object.entries(cells).flatMap(([name, value]) => {
    if (value === null) {
      return [];
    }
    return [[name, value instanceof Uint8Array ? { x: value.toHex() } : value]];
  });
  return JSON.stringify(Object.fromEntries(written));
}

function read(text: string): Cells {
  const cells = JSON.parse(text) as Record<string, string | number | { x: string }>;
  return Object.fromEntries(
    Object.entries(cells).map(([name, value]) => [
      name,
      typeof value === "object" ? Uint8Array.fromHex(value.x) : value,
    ]),
  );
}
