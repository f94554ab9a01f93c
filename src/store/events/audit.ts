/**
 * The audit log: appending inside the transaction of the change, reading it, forgetting what is past its time. A
 * team's entries are a chain of hashes; nothing changes one that is written.
 */

import { type AnyColumn, and, asc, count, desc, eq, gt, gte, lt, type SQL, sql } from "drizzle-orm";
import { type ChainEnd, canonicalJson, chained } from "#domain/events/audit-chain.ts";
import type { UnixMs } from "#domain/time.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type AuditRow, audit, auditAnchors } from "#store/tables/events.ts";

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
      position: placeholder(audit.position, "position"),
      hash: placeholder(audit.hash, "hash"),
    })
    .prepare(),
);

/** Inside a commit: the entry follows the one before it. */
export function appendAudit(db: Db, entry: Omit<AuditRow, "seq" | "position" | "hash">): void {
  const last = auditHead(db, entry.teamId);
  const line = canonicalJson(chained(entry, last));
  insertAudit(db).run({ ...entry, position: (last?.position ?? 0) + 1, hash: sha256(line) });
}

const newestOf = prepared((db) =>
  db.orm
    .select({ position: audit.position, hash: audit.hash, at: audit.at })
    .from(audit)
    .where(equals(audit.teamId, "teamId"))
    .orderBy(desc(audit.seq))
    .limit(1)
    .prepare(),
);

const anchorOf = prepared((db) =>
  db.orm.select().from(auditAnchors).where(equals(auditAnchors.teamId, "teamId")).prepare(),
);

export type AuditHead = ChainEnd & { at: UnixMs };

/** The newest entry of a team's chain; null where nothing was ever chained. */
export function auditHead(db: Db, teamId: Id): AuditHead | null {
  return endIn(newestOf(db).get({ teamId })) ?? auditAnchor(db, teamId);
}

/** The last entry of a team that was forgotten; null where the chain is there from its beginning. */
export function auditAnchor(db: Db, teamId: Id): AuditHead | null {
  return endIn(anchorOf(db).get({ teamId }));
}

function endIn(
  row: Partial<Pick<AuditRow, "position" | "hash" | "at">> | undefined,
): AuditHead | null {
  const { position, hash, at } = row ?? {};
  return position && hash && at ? { position, hash: hash.toHex(), at } : null;
}

/** A team's entries after one of them, oldest first. */
export function auditAfter(db: Db, teamId: Id, after: number, limit: number): AuditRow[] {
  return db.orm
    .select()
    .from(audit)
    .where(and(eq(audit.teamId, teamId), gt(audit.seq, after)))
    .orderBy(asc(audit.seq))
    .limit(limit)
    .all();
}

/** The number of the entry before a team's `count` newest; 0 where it has no more than those. */
export function auditBeforeNewest(db: Db, teamId: Id, count: number): number {
  const row = db.orm
    .select({ seq: audit.seq })
    .from(audit)
    .where(eq(audit.teamId, teamId))
    .orderBy(desc(audit.seq))
    .limit(1)
    .offset(count)
    .get();
  return row?.seq ?? 0;
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

/**
 * Forgets entries older than `before`, `limit` at most; returns how many. Only from the beginning on, so that what
 * is kept is one chain: after a younger one, whose clock was ahead, the rest waits for it.
 */
export function pruneAudit(db: Db, before: UnixMs, limit: number): number {
  const { seq, teamId, at, position, hash } = audit;
  const oldest = db.orm
    .select({ seq, teamId, at, position, hash })
    .from(audit)
    .orderBy(asc(seq))
    .limit(limit)
    .all();
  const end = oldest.findIndex((row) => row.at >= before);
  const gone = end === -1 ? oldest : oldest.slice(0, end);
  const last = gone.at(-1);
  if (last !== undefined) {
    for (const [team, row] of new Map(gone.map((one) => [one.teamId, one]))) {
      const anchor = endIn(row);
      if (anchor !== null) {
        writeAnchor(db, { teamId: team, ...anchor, hash: Uint8Array.fromHex(anchor.hash) });
      }
    }
    db.orm.delete(audit).where(sql`${seq} <= ${last.seq}`).run();
  }
  return gone.length;
}

function writeAnchor(db: Db, anchor: typeof auditAnchors.$inferSelect): void {
  db.orm
    .insert(auditAnchors)
    .values(anchor)
    .onConflictDoUpdate({ target: auditAnchors.teamId, set: anchor })
    .run();
}
