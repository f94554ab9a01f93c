/** Subscriptions, checkout pages and notices of limits. */

import { and, eq, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Limit } from "#domain/sending/plan.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, updater } from "#store/sqlite/rows.ts";
import {
  type CheckoutRow,
  checkouts,
  limitNotices,
  type SubscriptionRow,
  subscriptions,
} from "#store/tables/billing.ts";

const insertSubscription = inserter(subscriptions);
const updateSubscription = updater(subscriptions);
/** `subscriptionOf(db, teamId)`: undefined where the team has never subscribed, as most have not. */
export const subscriptionOf = finder(subscriptions);

/** The team's subscription becomes `row`. */
export function putSubscription(db: Db, row: SubscriptionRow): void {
  if (subscriptionOf(db, row.id) === undefined) {
    insertSubscription(db, row);
  } else {
    updateSubscription(db, row);
  }
}

/** True when a team other than `teamId` lives on this licence. */
export function isLicenceTaken(db: Db, licenceId: string, teamId: Id): boolean {
  const holders = db.orm
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(eq(subscriptions.licenceId, licenceId))
    .all();
  return holders.some(({ id }) => id !== teamId);
}

export const insertCheckout = inserter(checkouts);
export const updateCheckout = updater(checkouts);
export const checkoutById = finder(checkouts);

/** Pages of the provider's that may still be open, or were paid on unheard. */
export function checkoutsAtProvider(db: Db, teamId: Id): CheckoutRow[] {
  const isOpen = and(isNull(checkouts.usedAt), isNotNull(checkouts.session));
  return db.orm
    .select()
    .from(checkouts)
    .where(and(eq(checkouts.teamId, teamId), isOpen))
    .all();
}

const prune = prepared((db) =>
  db.orm
    .delete(checkouts)
    .where(lt(checkouts.expiresAt, placeholder(checkouts.expiresAt, "before")))
    .prepare(),
);

/** Forgets pages that could not be used any more before `before`. */
export function pruneCheckouts(db: Db, before: UnixMs): void {
  prune(db).run({ before });
}

const note = prepared((db) =>
  db.orm
    .insert(limitNotices)
    .values({
      teamId: placeholder(limitNotices.teamId, "teamId"),
      limit: placeholder(limitNotices.limit, "limit"),
      period: sql.placeholder("period"),
      level: placeholder(limitNotices.level, "level"),
    })
    .onConflictDoNothing()
    .returning({ one: sql`1` })
    .prepare(),
);

/** False when the team has been told before. */
export function recordLimit(
  db: Db,
  notice: { teamId: Id; limit: Limit; period: string; level: "warning" | "reached" },
): boolean {
  return note(db).all({ ...notice }).length > 0;
}
