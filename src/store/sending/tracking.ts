/** Tracked messages, and the requests for their pictures and links that wait to be classified. */

import { asc, count, eq, inArray, lte, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { earliest } from "#store/sqlite/earliest.ts";
import { changedRows } from "#store/sqlite/facts.ts";
import { finder, inserter, reader, remover, updater } from "#store/sqlite/rows.ts";
import { messages } from "#store/tables/messages.ts";
import { type TouchRow, type TrackingRow, touches, trackings } from "#store/tables/tracking.ts";

export const insertTracking = inserter(trackings);
/** Writes the whole row: read it in the same transaction. */
export const updateTracking = updater(trackings);
/** By the message's id. */
export const trackingOf = finder(trackings);

export const insertTouch = inserter(touches);
export const removeTouch = remover(touches);

/** Trackings of these messages, by message. */
export function trackingsOf(db: Db, messageIds: readonly Id[]): Map<Id, TrackingRow> {
  const rows = db.orm
    .select()
    .from(trackings)
    .where(inArray(trackings.id, [...messageIds]))
    .all();
  return new Map(rows.map((row) => [row.id, row]));
}

const due = reader(touches, (db) =>
  db.orm
    .select()
    .from(touches)
    .where(lte(touches.dueAt, sql.placeholder("now")))
    .orderBy(asc(touches.dueAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Messages of which something is to be classified at `now`, `limit` touches at most. */
export function touchesDue(db: Db, now: UnixMs, limit: number): TouchRow[] {
  return due(db, { now, limit });
}

export const nextTouchAt = earliest(touches.dueAt);

/** All that waits of a message, in the order in which it came. */
export function touchesOf(db: Db, messageId: Id): TouchRow[] {
  return db.orm
    .select()
    .from(touches)
    .where(eq(touches.messageId, messageId))
    .orderBy(asc(touches.id))
    .all();
}

export function countTouches(db: Db, messageId: Id): number {
  const row = db.orm
    .select({ total: count() })
    .from(touches)
    .where(eq(touches.messageId, messageId))
    .get();
  return row?.total ?? 0;
}

/** What a lead's messages held and who followed it: addresses in links may name the person. */
export function forgetTracking(db: Db, leadId: Id): number {
  const theirs = db.orm
    .select({ id: messages.id })
    .from(messages)
    .where(eq(messages.leadId, leadId));
  db.orm.delete(touches).where(inArray(touches.messageId, theirs)).run();
  const gone = changedRows(db);
  db.orm.delete(trackings).where(inArray(trackings.id, theirs)).run();
  return gone;
}
