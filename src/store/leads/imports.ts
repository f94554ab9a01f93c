/** Imports of files: their rows, the outcomes of their lines, and what undoing them needs. */

import type { SQLQueryBindings } from "bun:sqlite";
import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { OnHold, StatusCounts } from "#domain/campaigns/campaign.ts";
import type { EnrollmentStatus, HoldReason } from "#domain/campaigns/enrollment.ts";
import { parseAddress } from "#domain/email-address.ts";
import type {
  ImportKind,
  ImportStatus,
  LineOutcome,
  LineReason,
} from "#domain/leads/import/import.ts";
import type { AddressCheck } from "#domain/mailboxes/address-check.ts";
import type { UnixMs } from "#domain/time.ts";
import { bytesToId, type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, teamFinder, updater } from "#store/sqlite/rows.ts";
import {
  type ImportChangeRow,
  type ImportLineRow,
  type ImportRow,
  importChanges,
  importLines,
  importSlices,
  imports,
  type LeadBefore,
} from "#store/tables/imports.ts";
import { leads } from "#store/tables/leads.ts";

export const insertImport = inserter(imports);
/** Writes the whole row: read it in the same transaction. */
export const updateImport = updater(imports);
export const findImport = teamFinder(imports);
export const importById = finder(imports);

export interface ImportFilter {
  campaignId?: Id;
  kind?: ImportKind;
  status?: ImportStatus;
}

/** A page of a team's imports, newest first, and how many fit the filter. */
export function listImports(
  db: Db,
  teamId: Id,
  filter: ImportFilter,
  range: { limit: number; offset: number; after?: Id },
): { rows: ImportRow[]; total: number } {
  const { campaignId, kind, status } = filter;
  const wanted = and(
    eq(imports.teamId, teamId),
    campaignId === undefined ? undefined : eq(imports.campaignId, campaignId),
    kind === "leads" ? isNotNull(imports.campaignId) : undefined,
    kind === "suppressions" ? isNull(imports.campaignId) : undefined,
    status === undefined ? undefined : eq(imports.status, status),
  );
  // Ids may be chosen by who asks, so they say nothing of when.
  const { createdAt, id } = imports;
  const last = range.after === undefined ? undefined : sql.param(range.after, id);
  const beyond =
    last && sql`(${createdAt}, ${id}) < (select created_at, id from imports where id = ${last})`;
  const rows = db.orm
    .select()
    .from(imports)
    .where(and(wanted, beyond))
    .orderBy(desc(createdAt), desc(id))
    .limit(range.limit)
    .offset(range.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(imports).where(wanted).get()?.n ?? 0;
  return { rows, total };
}

const underWay = prepared((db) =>
  db.raw.query<{ id: Uint8Array }, []>(
    "select id from imports where status in ('running', 'undoing')",
  ),
);

/** Imports that something is being done about, or was when the program ended. */
export function importsUnderWay(db: Db): Id[] {
  return underWay(db)
    .all()
    .map(({ id }) => bytesToId(id));
}

/** Statements of an import's slices, which are millions of rows: values go by position. */
const slice = prepared(({ raw }) => ({
  line: raw.query<null, SQLQueryBindings[]>(
    "insert into import_lines (import_id, line, outcome, reason, email) values (?, ?, ?, ?, ?)",
  ),
  made: raw.query<null, SQLQueryBindings[]>(
    "insert into import_slices (import_id, first_id, last_id) values (?, ?, ?)",
  ),
  changed: raw.query<null, SQLQueryBindings[]>(
    "insert into import_changes (import_id, lead_id, before, at, after) values (?, ?, ?, ?, ?)",
  ),
  isOwn: raw.query<{ one: 1 }, [Uint8Array, Uint8Array, Uint8Array]>(
    `select 1 as one from enrollments e where e.campaign_id = +? and e.lead_id = +? and e.id <=
       (select last_id from import_slices where import_id = +? and first_id <= e.id
        order by first_id desc limit 1)`,
  ),
}));

export interface NewLine {
  line: number;
  outcome: LineOutcome;
  reason: LineReason | null;
  email: string;
  /** Of the address that is added; not kept. */
  check?: AddressCheck | null;
}

export function insertLine(db: Db, importId: Id, line: NewLine): void {
  slice(db).line.run(idToBytes(importId), line.line, line.outcome, line.reason, line.email);
}

export function insertSlice(db: Db, importId: Id, firstId: Id, lastId: Id): void {
  slice(db).made.run(idToBytes(importId), idToBytes(firstId), idToBytes(lastId));
}

/** `after`: the fingerprint of the record as the import leaves it. */
export function insertChange(
  db: Db,
  importId: Id,
  leadId: Id,
  { before, after, at }: { before: LeadBefore; after: Uint8Array; at: UnixMs },
): void {
  const [own, lead] = [idToBytes(importId), idToBytes(leadId)];
  slice(db).changed.run(own, lead, JSON.stringify(before), at, after);
}

/** Lines of an import after `after`, in the order of the file. */
export function readLines(
  db: Db,
  importId: Id,
  outcomes: readonly LineOutcome[],
  after: number,
  limit: number,
): ImportLineRow[] {
  return db.orm
    .select()
    .from(importLines)
    .where(
      and(
        eq(importLines.importId, importId),
        gt(importLines.seq, after),
        inArray(importLines.outcome, [...outcomes]),
      ),
    )
    .orderBy(asc(importLines.seq))
    .limit(limit)
    .all();
}

/** What an import made, oldest first. */
export function slicesOf(db: Db, importId: Id): { firstId: Id; lastId: Id; seq: number }[] {
  return db.orm
    .select({
      seq: importSlices.seq,
      firstId: importSlices.firstId,
      lastId: importSlices.lastId,
    })
    .from(importSlices)
    .where(eq(importSlices.importId, importId))
    .orderBy(asc(importSlices.firstId))
    .all();
}

export function dropSlice(db: Db, seq: number): void {
  db.orm.delete(importSlices).where(eq(importSlices.seq, seq)).run();
}

/** What a slice made after `lastId` is dealt with. */
export function shortenSlice(db: Db, seq: number, lastId: Id): void {
  db.orm.update(importSlices).set({ lastId }).where(eq(importSlices.seq, seq)).run();
}

/**
 * Changes that an import made to known leads and that are not undone, the last first: the oldest state is
 * what remains. `before`: the number of the last one that was looked at.
 */
export function lastChanges(
  db: Db,
  importId: Id,
  before: number,
  limit: number,
): ImportChangeRow[] {
  return db.orm
    .select()
    .from(importChanges)
    .where(and(eq(importChanges.importId, importId), lt(importChanges.seq, before)))
    .orderBy(desc(importChanges.seq))
    .limit(limit)
    .all();
}

export function countChanges(db: Db, importId: Id): number {
  const wanted = eq(importChanges.importId, importId);
  return db.orm.select({ n: count() }).from(importChanges).where(wanted).get()?.n ?? 0;
}

/** A record that undoing did not put back: its owner, and what it was before the import. */
export interface NotRestored extends LeadBefore {
  seq: number;
  leadId: Id;
  email: string;
}

/** Records that an import changed and that are not undone, after `after`, in the order of the changes. */
export function listNotRestored(db: Db, importId: Id, after: number, limit: number): NotRestored[] {
  return db.orm
    .select({
      seq: importChanges.seq,
      leadId: leads.id,
      email: leads.email,
      before: importChanges.before,
    })
    .from(importChanges)
    .innerJoin(leads, eq(leads.id, importChanges.leadId))
    .where(and(eq(importChanges.importId, importId), gt(importChanges.seq, after)))
    .orderBy(asc(importChanges.seq))
    .limit(limit)
    .all()
    .map(({ before, ...row }) => ({ ...row, ...before }));
}

export function dropChange(db: Db, seq: number): void {
  db.orm.delete(importChanges).where(eq(importChanges.seq, seq)).run();
}

const undoing = prepared(({ raw }) => ({
  written: raw.query<{ one: 1 }, SQLQueryBindings[]>(
    `select 1 as one from messages m where m.campaign_id = +? and m.id >= +? and m.enrollment_id <=
       (select last_id from import_slices where import_id = +? and first_id <= m.enrollment_id
        order by first_id desc limit 1) limit 1`,
  ),
  made: raw.query<{ n: number }, SQLQueryBindings[]>(
    "select count(*) as n from enrollments where id between ? and ? and campaign_id = ?",
  ),
  enrollments: raw.query<{ status: EnrollmentStatus; why: HoldReason | null }, SQLQueryBindings[]>(
    `delete from enrollments where id between ? and ? and campaign_id = ?
       and place_id is null and status in ('pending', 'paused') and account_id is null
       and not exists (select 1 from messages m where m.enrollment_id = enrollments.id)
       and not exists (select 1 from tasks t where t.enrollment_id = enrollments.id)
       and not exists (select 1 from enrollments o where o.lead_id = enrollments.lead_id
         and o.campaign_id = enrollments.campaign_id and o.merged > 0)
     returning status, hold_reason as why`,
  ),
  leads: raw.query<null, SQLQueryBindings[]>(
    `delete from leads where id between ? and ? and team_id = ?
       and not exists (select 1 from enrollments e where e.lead_id = leads.id)
       and not exists (select 1 from messages m where m.lead_id = leads.id)
       and not exists (select 1 from inbound_mails i where i.lead_id = leads.id)
       and not exists (select 1 from lead_aliases a where a.lead_id = leads.id)`,
  ),
}));

interface Range {
  firstId: Id;
  lastId: Id;
}

/** True where a message was made for an enrollment of this import, whose first slice began at `from`. */
export function hasWritten(db: Db, importId: Id, campaignId: Id, from: Id): boolean {
  const found = undoing(db).written.get(
    idToBytes(campaignId),
    idToBytes(from),
    idToBytes(importId),
  );
  return found !== null;
}

/** What has been taken away again, and how many are left of what was made. */
export interface Removed {
  removed: number;
  onHold: OnHold;
  statuses: StatusCounts;
  left: number;
}

/** Takes away untouched enrollments of these ids, all of them open, and the leads that are then nowhere. */
export function removeMade(
  db: Db,
  teamId: Id,
  campaignId: Id,
  { firstId, lastId }: Range,
): Removed {
  const range = [idToBytes(firstId), idToBytes(lastId)] as const;
  const rows = undoing(db).enrollments.all(...range, idToBytes(campaignId));
  undoing(db).leads.run(...range, idToBytes(teamId));
  const left = undoing(db).made.get(...range, idToBytes(campaignId))?.n ?? 0;
  const onHold: Partial<Record<HoldReason, number>> = {};
  const statuses: Partial<Record<EnrollmentStatus, number>> = {};
  for (const { status, why } of rows) {
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (why !== null) {
      onHold[why] = (onHold[why] ?? 0) + 1;
    }
  }
  return { removed: rows.length, onHold, statuses, left };
}

const forgetting = prepared(({ raw }) => ({
  mark: raw.query<null, SQLQueryBindings[]>(
    `update imports set is_forgotten = 1 where created_at < ? and is_forgotten = 0
       and status not in ('running', 'undoing')`,
  ),
  lines: raw.query<null, SQLQueryBindings[]>(
    `delete from import_lines where seq in (select seq from import_lines where import_id in
       (select id from imports where created_at < ? and status not in ('running', 'undoing')) limit ?)`,
  ),
  changes: raw.query<null, SQLQueryBindings[]>(
    `delete from import_changes where seq in (select seq from import_changes where import_id in
       (select id from imports where created_at < ? and status not in ('running', 'undoing')) limit ?)`,
  ),
  slices: raw.query<null, SQLQueryBindings[]>(
    `delete from import_slices where seq in (select seq from import_slices where import_id in
       (select id from imports where created_at < ? and status not in ('running', 'undoing')) limit ?)`,
  ),
}));

/**
 * Forgets what imports older than `before` kept of their lines, and notes that with the first of them.
 * Returns how many rows went.
 */
export function pruneImports(db: Db, before: UnixMs, limit: number): number {
  const { mark, lines, changes, slices } = forgetting(db);
  mark.run(before);
  return (
    lines.run(before, limit).changes +
    changes.run(before, limit).changes +
    slices.run(before, limit).changes
  );
}

const person = prepared(({ raw }) => ({
  lines: raw.query<{ seq: number; email: string }, SQLQueryBindings[]>(
    `select seq, email from import_lines where instr(lower(email), ?) > 0 and import_id in
       (select id from imports where team_id = ?)`,
  ),
  empty: raw.query<null, SQLQueryBindings[]>("update import_lines set email = '' where seq = ?"),
  changes: raw.query<null, SQLQueryBindings[]>("delete from import_changes where lead_id = ?"),
}));

/** Reads all kept lines, which no index finds by address: an erasure is rare. Returns how many named the person. */
export function forgetInImports(db: Db, lead: { id: Id; teamId: Id; email: string }): number {
  const { lines, empty, changes } = person(db);
  const local = lead.email.slice(0, lead.email.lastIndexOf("@"));
  let emptied = 0;
  for (const { seq, email } of lines.all(local, idToBytes(lead.teamId))) {
    if (addressesIn(email).includes(lead.email)) {
      empty.run(seq);
      emptied += 1;
    }
  }
  return emptied + changes.run(idToBytes(lead.id)).changes;
}

/** What a cell holds of addresses, which may be written in any case, in Unicode, or beside a name. */
function addressesIn(cell: string): (string | undefined)[] {
  return [cell, ...cell.split(/[\s<>()[\]"',;:|]+/u)].map((text) => parseAddress(text)?.address);
}

/** True where the enrollment of this lead was made by this very import: the file names it twice. */
export function isOwnEnrollment(db: Db, importId: Id, campaignId: Id, leadId: Id): boolean {
  const { isOwn } = slice(db);
  return isOwn.get(idToBytes(campaignId), idToBytes(leadId), idToBytes(importId)) !== null;
}
