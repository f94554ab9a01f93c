/** The audit log: appending inside the transaction of the change, reading it, forgetting what is past its time. */

import {
  type AnyColumn,
  and,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  lt,
  type SQL,
  sql,
} from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type AuditRow, audit } from "#store/tables/events.ts";

const insertAudit = prepared((db) =>
  db.orm
    .insert(audit)
    .values({
      teamId: placeholder(audit.teamId, "teamId"),
      actor: placeholder(audit.actor, "actor"),
      action: placeholder(audit.action, "action"),
      target: placeholder(audit.target, "target"),
      at: placeholder(audit.at, "at"),
      before: placeholder(audit.before, "before"),
      after: placeholder(audit.after, "after"),
      requestId: placeholder(audit.requestId, "requestId"),
    })
    .prepare(),
);

export function appendAudit(db: Db, entry: Omit<AuditRow, "seq">): void {
  insertAudit(db).run(entry);
}

/** How many entries there have been: those of all teams, and those that are forgotten. */
export function lastAuditSeq(db: Db): number {
  return newestSeq(db).get()?.seq ?? 0;
}

const newestSeq = prepared((db) =>
  db.orm.select({ seq: audit.seq }).from(audit).orderBy(desc(audit.seq)).limit(1).prepare(),
);

/** A reader that has not caught up with more is told of the rest when it asks again. */
const CHANGES_MAX = 500;

const targetsSince = prepared((db) =>
  db.orm
    .select({ seq: audit.seq, target: audit.target })
    .from(audit)
    .where(and(equals(audit.teamId, "teamId"), gt(audit.seq, sql`${sql.placeholder("after")}`)))
    .orderBy(audit.seq)
    .limit(CHANGES_MAX)
    .prepare(),
);

/** What has been changed after entry `after`, each as `<noun>:<id>`, oldest first. */
export function changesAfter(db: Db, teamId: Id, after: number) {
  return targetsSince(db).all({ teamId, after });
}

/** What ends in `*` matches whatever begins so: `campaign.*`, `key:*`. */
export interface AuditFilter {
  actor?: string;
  action?: string;
  target?: string;
  requestId?: string;
  /** From this instant on. */
  since?: UnixMs;
  /** Before this instant. */
  until?: UnixMs;
}

export interface AuditRange {
  limit: number;
  offset: number;
  /** Entries older than the one with this number. */
  before?: number;
}

/** Newest first. `total` counts what the filter lets through, wherever the range begins. */
export function listAudit(
  db: Db,
  teamId: Id,
  filter: AuditFilter,
  { limit, offset, before }: AuditRange,
): { rows: AuditRow[]; total: number } {
  const wanted = conditions(teamId, filter);
  const rows = db.orm
    .select()
    .from(audit)
    .where(and(...wanted, before === undefined ? undefined : lt(audit.seq, before)))
    .orderBy(desc(audit.seq))
    .limit(limit)
    .offset(offset)
    .all();
  const counted = db.orm
    .select({ total: count() })
    .from(audit)
    .where(and(...wanted))
    .get();
  return { rows, total: counted?.total ?? 0 };
}

function conditions(teamId: Id, filter: AuditFilter): (SQL | undefined)[] {
  return [
    eq(audit.teamId, teamId),
    matches(audit.actor, filter.actor),
    matches(audit.action, filter.action),
    matches(audit.target, filter.target),
    matches(audit.requestId, filter.requestId),
    filter.since === undefined ? undefined : gte(audit.at, filter.since),
    filter.until === undefined ? undefined : lt(audit.at, filter.until),
  ];
}

/** The last of all characters: what begins with a prefix lies below the prefix and this. */
const LAST = "\u{10ffff}";

function matches(column: AnyColumn, wanted: string | undefined): SQL | undefined {
  if (wanted === undefined) {
    return undefined;
  }
  if (!wanted.endsWith("*")) {
    return eq(column, wanted);
  }
  const prefix = wanted.slice(0, -1);
  return and(gte(column, prefix), lt(column, prefix + LAST));
}

/** Forgets entries older than `before`, `limit` at most; returns how many. */
export function pruneAudit(db: Db, before: UnixMs, limit: number): number {
  const seqs = db.orm
    .select({ seq: audit.seq })
    .from(audit)
    .where(lt(audit.at, before))
    .limit(limit)
    .all()
    .map(({ seq }) => seq);
  if (seqs.length > 0) {
    db.orm.delete(audit).where(inArray(audit.seq, seqs)).run();
  }
  return seqs.length;
}
