/** Receipts of erasures: kept for good, and found by who was erased only where the address is given. */

import { and, count, desc, eq, isNull } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { finder, inserter, teamFinder, updater } from "#store/sqlite/rows.ts";
import { events } from "#store/tables/events.ts";
import { type ErasureReceiptRow, erasureReceipts } from "#store/tables/leads.ts";
import { deliveries } from "#store/tables/webhooks.ts";

export const insertErasureReceipt = inserter(erasureReceipts);
/** Writes the whole row: read it in the same transaction. */
export const updateErasureReceipt = updater(erasureReceipts);
export const erasureReceiptById = finder(erasureReceipts);
export const findErasureReceipt = teamFinder(erasureReceipts);

export interface ReceiptFilter {
  hash?: Uint8Array;
  leadId?: Id;
}

/** A team's receipts, the newest first. */
export function listErasureReceipts(
  db: Db,
  teamId: Id,
  { hash, leadId }: ReceiptFilter,
  { limit, offset }: { limit: number; offset: number },
): { rows: ErasureReceiptRow[]; total: number } {
  const wanted = and(
    eq(erasureReceipts.teamId, teamId),
    hash === undefined ? undefined : eq(erasureReceipts.hash, hash),
    leadId === undefined ? undefined : eq(erasureReceipts.leadId, leadId),
  );
  const rows = db.orm
    .select()
    .from(erasureReceipts)
    .where(wanted)
    .orderBy(desc(erasureReceipts.id))
    .limit(limit)
    .offset(offset)
    .all();
  const counted = db.orm.select({ total: count() }).from(erasureReceipts).where(wanted).get();
  return { rows, total: counted?.total ?? 0 };
}

/** The files hold nothing more of those who were erased. */
export function completeErasures(db: Db, now: UnixMs): void {
  const open = db.orm
    .select({ id: erasureReceipts.id })
    .from(erasureReceipts)
    .where(isNull(erasureReceipts.completedAt))
    .all();
  for (const { id } of open) {
    const row = erasureReceiptById(db, id);
    if (row !== undefined) {
      updateErasureReceipt(db, { ...row, completedAt: now });
    }
  }
}

/** Which webhooks were told of an event, and how that stands. */
export function toldOf(db: Db, eventId: Id) {
  return db.orm
    .select({
      webhookId: deliveries.webhookId,
      status: deliveries.status,
      endedAt: deliveries.endedAt,
    })
    .from(deliveries)
    .innerJoin(events, eq(events.seq, deliveries.eventSeq))
    .where(eq(events.id, eventId))
    .all();
}
