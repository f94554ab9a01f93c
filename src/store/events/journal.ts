/** Appends to the event log and the audit log, always inside the transaction of what they tell. */

import { and, asc, eq, gt } from "drizzle-orm";
import type { EventType } from "#domain/events/event.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type AuditRow, audit, type EventRow, events } from "#store/tables/journal.ts";

const insertEvent = prepared((db) =>
  db.orm
    .insert(events)
    .values({
      id: placeholder(events.id, "id"),
      teamId: placeholder(events.teamId, "teamId"),
      type: placeholder(events.type, "type"),
      createdAt: placeholder(events.createdAt, "createdAt"),
      data: placeholder(events.data, "data"),
    })
    .prepare(),
);

export interface NewEvent {
  id: Id;
  teamId: Id;
  type: EventType;
  createdAt: UnixMs;
  data: Record<string, unknown>;
}

export function appendEvent(db: Db, event: NewEvent): void {
  insertEvent(db).run({ ...event });
}

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
  insertAudit(db).run({ ...entry });
}

/** Events of a team after `seq`, oldest first. */
export function listEvents(db: Db, teamId: Id, after: number, limit: number): EventRow[] {
  return db.orm
    .select()
    .from(events)
    .where(and(eq(events.teamId, teamId), gt(events.seq, after)))
    .orderBy(asc(events.seq))
    .limit(limit)
    .all();
}
