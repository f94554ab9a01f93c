/** Webhooks: a team's own, and those that the delivery worker has to look at. */

import { and, asc, count, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, reader, remover, updater } from "#store/sqlite/rows.ts";
import { type WebhookRow, webhooks } from "#store/tables/webhooks.ts";

export const insertWebhook = inserter(webhooks);
/** Writes the whole row: read it in the same transaction. */
export const updateWebhook = updater(webhooks);
export const removeWebhook = remover(webhooks);

const byId = finder(webhooks);

/** Undefined for one that is deleted, too. */
export function webhookById(db: Db, id: Id): WebhookRow | undefined {
  const row = byId(db, id);
  return row?.deletedAt === null ? row : undefined;
}

/** Undefined for another team's, too. */
export function findWebhook(db: Db, teamId: Id, id: Id): WebhookRow | undefined {
  const row = webhookById(db, id);
  return row?.teamId === teamId ? row : undefined;
}

const there = isNull(webhooks.deletedAt);

/** A page of a team's webhooks, oldest first. */
export function listWebhooks(
  db: Db,
  teamId: Id,
  page: { limit: number; offset: number },
): { rows: WebhookRow[]; total: number } {
  const rows = db.orm
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.teamId, teamId), there))
    .orderBy(asc(webhooks.id))
    .limit(page.limit)
    .offset(page.offset)
    .all();
  return { rows, total: countWebhooks(db, teamId) };
}

export function countWebhooks(db: Db, teamId: Id): number {
  const mine = and(eq(webhooks.teamId, teamId), there);
  return db.orm.select({ n: count() }).from(webhooks).where(mine).get()?.n ?? 0;
}

const active = prepared((db) =>
  db.orm
    .select({
      id: webhooks.id,
      events: webhooks.events,
      campaignIds: webhooks.campaignIds,
      pausedUntil: webhooks.pausedUntil,
      dueAt: webhooks.dueAt,
    })
    .from(webhooks)
    .where(and(equals(webhooks.teamId, "teamId"), eq(webhooks.active, true), there))
    .prepare(),
);

export type Subscriber = Pick<
  WebhookRow,
  "id" | "events" | "campaignIds" | "pausedUntil" | "dueAt"
>;

/** The team's active webhooks. Asked at every event. */
export function subscribersOf(db: Db, teamId: Id): readonly Subscriber[] {
  return active(db).all({ teamId });
}

const schedule = prepared((db) =>
  db.orm
    .update(webhooks)
    .set({ dueAt: sql`${sql.placeholder("at")}` })
    .where(equals(webhooks.id, "id"))
    .prepare(),
);

/** The delivery worker looks at it at `at`; null: when something new comes. */
export function scheduleWebhook(db: Db, id: Id, at: UnixMs | null): void {
  schedule(db).run({ id, at });
}

const due = reader(webhooks, (db) =>
  db.orm
    .select()
    .from(webhooks)
    .where(
      and(
        isNotNull(webhooks.dueAt),
        sql`${webhooks.dueAt} <= ${sql.placeholder("now")}`,
        eq(webhooks.active, true),
        there,
      ),
    )
    .orderBy(asc(webhooks.dueAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Active webhooks, of whatever team, that the worker has to look at; those that wait longest first. */
export function webhooksDue(db: Db, now: UnixMs, limit: number): WebhookRow[] {
  return due(db, { now, limit });
}

const next = prepared((db) =>
  db.orm
    .select({ at: webhooks.dueAt })
    .from(webhooks)
    .where(
      and(
        isNotNull(webhooks.dueAt),
        sql`${webhooks.dueAt} > ${placeholder(webhooks.createdAt, "now")}`,
        eq(webhooks.active, true),
        there,
      ),
    )
    .orderBy(asc(webhooks.dueAt))
    .limit(1)
    .prepare(),
);

/** The first instant after `now` at which the worker has to look at one. */
export function nextWebhookAt(db: Db, now: UnixMs): UnixMs | undefined {
  return next(db).get({ now })?.at ?? undefined;
}

const purged = reader(webhooks, (db) =>
  db.orm
    .select()
    .from(webhooks)
    .where(
      and(
        isNotNull(webhooks.deletedAt),
        sql`not exists (select 1 from deleted where deleted.id = ${webhooks.id})`,
      ),
    )
    .limit(1)
    .prepare(),
);

/** A webhook of whatever team that nobody can bring back, and whose deliveries are still to go. */
export function purgedWebhook(db: Db): WebhookRow | undefined {
  return purged(db)[0];
}

/** One that is deleted and not swept yet. */
export function deletedWebhook(db: Db, id: Id): WebhookRow | undefined {
  const row = byId(db, id);
  return row === undefined || row.deletedAt === null ? undefined : row;
}
