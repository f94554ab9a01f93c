/** Deliveries: queued with their event, taken in order of when they are due, listed with their tries. */

import { and, asc, count, desc, eq, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import type { EventType } from "#domain/events/event.ts";
import type { DeliveryStatus } from "#domain/events/webhook.ts";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, reader, updater } from "#store/sqlite/rows.ts";
import { type EventRow, events } from "#store/tables/events.ts";
import { type AttemptRow, attempts, type DeliveryRow, deliveries } from "#store/tables/webhooks.ts";

/** Tries kept of one delivery; replays without end must not fill the disk. */
export const ATTEMPTS_KEPT_MAX = 50;

export const insertDelivery = inserter(deliveries);
/** Writes the whole row: read it in the same transaction. */
export const updateDelivery = updater(deliveries);
export const deliveryById = finder(deliveries);
const addAttempt = inserter(attempts);

/** A try. The oldest goes where there are too many. */
export function insertAttempt(db: Db, row: AttemptRow): void {
  addAttempt(db, row);
  if (row.n > ATTEMPTS_KEPT_MAX) {
    db.orm
      .delete(attempts)
      .where(
        and(eq(attempts.deliveryId, row.deliveryId), eq(attempts.n, row.n - ATTEMPTS_KEPT_MAX)),
      )
      .run();
  }
}

/** Those kept of a delivery, the first one first. */
export function attemptsOf(db: Db, deliveryId: Id): AttemptRow[] {
  return db.orm
    .select()
    .from(attempts)
    .where(eq(attempts.deliveryId, deliveryId))
    .orderBy(asc(attempts.n))
    .all();
}

const due = reader(deliveries, (db) =>
  db.orm
    .select()
    .from(deliveries)
    .where(
      and(
        equals(deliveries.webhookId, "webhookId"),
        sql`${deliveries.dueAt} <= ${sql.placeholder("now")}`,
      ),
    )
    .orderBy(asc(deliveries.dueAt), asc(deliveries.eventSeq))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** What a webhook waits for at `now`, the longest due first, then in the order of the events. */
export function deliveriesDue(db: Db, webhookId: Id, now: UnixMs, limit: number): DeliveryRow[] {
  return due(db, { webhookId, now, limit });
}

const first = prepared((db) =>
  db.orm
    .select({ at: deliveries.dueAt })
    .from(deliveries)
    .where(and(equals(deliveries.webhookId, "webhookId"), sql`${deliveries.dueAt} is not null`))
    .orderBy(asc(deliveries.dueAt))
    .limit(1)
    .prepare(),
);

/** When the first of a webhook's deliveries is due. */
export function nextDeliveryAt(db: Db, webhookId: Id): UnixMs | null {
  return first(db).get({ webhookId })?.at ?? null;
}

/** A delivery with the event that it tells of. */
export interface Told {
  delivery: DeliveryRow;
  event: EventRow;
}

/** Undefined for another webhook's. */
export function findTold(db: Db, webhookId: Id, id: Id): Told | undefined {
  const row = db.orm
    .select({ delivery: deliveries, event: events })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .where(and(eq(deliveries.id, id), eq(deliveries.webhookId, webhookId)))
    .get();
  return row;
}

export interface DeliveryFilter {
  statuses: readonly DeliveryStatus[];
  types?: readonly EventType[];
}

/** A page of a webhook's deliveries, the newest event first; with `before`, of older events only. */
export function listDeliveries(
  db: Db,
  webhookId: Id,
  filter: DeliveryFilter,
  range: { limit: number; offset: number; before?: number },
): { rows: Told[]; total: number } {
  const ofType = filter.types === undefined ? undefined : inArray(events.type, [...filter.types]);
  // Each status is read off its own stretch of the index, and their first rows are merged.
  const rows = filter.statuses
    .flatMap((status) => {
      const wanted = and(
        eq(deliveries.webhookId, webhookId),
        eq(deliveries.status, status),
        range.before === undefined ? undefined : lt(deliveries.eventSeq, range.before),
        ofType,
      );
      return toldWhere(db, wanted, range.offset + range.limit);
    })
    .toSorted((a, b) => b.event.seq - a.event.seq)
    .slice(range.offset, range.offset + range.limit);
  return { rows, total: countDeliveries(db, webhookId, filter) };
}

function toldWhere(db: Db, wanted: SQL | undefined, limit: number): Told[] {
  return db.orm
    .select({ delivery: deliveries, event: events })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .where(wanted)
    .orderBy(desc(deliveries.eventSeq))
    .limit(limit)
    .all();
}

function countDeliveries(db: Db, webhookId: Id, { statuses, types }: DeliveryFilter): number {
  const mine = and(eq(deliveries.webhookId, webhookId), inArray(deliveries.status, [...statuses]));
  const from = db.orm.select({ n: count() }).from(deliveries);
  if (types === undefined) {
    return from.where(mine).get()?.n ?? 0;
  }
  return (
    from
      .innerJoin(events, eq(events.seq, deliveries.eventSeq))
      .where(and(mine, inArray(events.type, [...types])))
      .get()?.n ?? 0
  );
}

const ofEvent = reader(deliveries, (db) =>
  db.orm
    .select()
    .from(deliveries)
    .where(
      and(
        sql`${deliveries.eventSeq} = ${sql.placeholder("eventSeq")}`,
        equals(deliveries.webhookId, "webhookId"),
      ),
    )
    .prepare(),
);

/** The delivery of an event to a webhook. */
export function deliveryOf(db: Db, eventSeq: number, webhookId: Id): DeliveryRow | undefined {
  return ofEvent(db, { eventSeq, webhookId })[0];
}

/** Removes some of a webhook's deliveries with their tries. Returns how many there were. */
export function dropDeliveries(db: Db, webhookId: Id, limit: number): number {
  const gone = db.raw
    .query<null, [Uint8Array, number]>(
      "delete from deliveries where id in " +
        "(select id from deliveries where webhook_id = ? order by status, event_seq limit ?)",
    )
    .run(idToBytes(webhookId), limit);
  return gone.changes;
}

/** Deliveries that broke a promise, in a team: what {@link checkDeliveries} of `usecases/` counts. */
export interface DeliveryFaults {
  /** Events that a webhook has subscribed and that were never queued for it. */
  missing: number;
  /** Neither ended nor due. */
  stranded: number;
}

/** What each active webhook wants: kinds, of which campaigns, and since which event. */
export function deliveryFaults(
  db: Db,
  teamId: Id,
  subscriptions: readonly {
    id: Id;
    types: readonly EventType[];
    campaignIds: readonly Id[] | null;
    sinceSeq: number;
  }[],
): DeliveryFaults {
  let missing = 0;
  for (const { id, types, campaignIds, sinceSeq } of subscriptions) {
    const campaign = sql<Id>`json_extract(${events.data}, '$.campaign_id')`;
    const none = sql`not exists (select 1 from ${deliveries} where ${deliveries.eventSeq} = ${events.seq}
      and ${deliveries.webhookId} = ${sql.param(id, deliveries.webhookId)})`;
    missing +=
      db.orm
        .select({ n: count() })
        .from(events)
        .where(
          and(
            eq(events.teamId, teamId),
            inArray(events.type, [...types]),
            campaignIds === null ? undefined : inArray(campaign, [...campaignIds]),
            sql`${events.seq} > ${sinceSeq}`,
            none,
          ),
        )
        .get()?.n ?? 0;
  }
  const pending = eq(deliveries.status, "pending");
  const isStranded = sql`(${pending}) = (${deliveries.dueAt} is null)`;
  const isEnded = sql`(${ne(deliveries.status, "pending")}) = (${deliveries.endedAt} is null)`;
  const stranded =
    db.orm
      .select({ n: count() })
      .from(deliveries)
      .where(and(eq(deliveries.teamId, teamId), sql`(${isStranded} or ${isEnded})`))
      .get()?.n ?? 0;
  return { missing, stranded };
}
