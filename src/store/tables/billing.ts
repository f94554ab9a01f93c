/** What a team has subscribed to, the pages on which it does so, and what it has been told of its limits. */

import { index, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SubscriptionSource } from "#domain/billing/subscription.ts";
import type { Limit, Limits, PaidPlan, Plan } from "#domain/sending/plan.ts";
import { instant, json, uuid } from "#store/sqlite/columns.ts";
import { teams } from "./teams.ts";

export const subscriptions = sqliteTable("subscriptions", {
  /** The team's; it has one subscription at most. */
  id: uuid("team_id")
    .primaryKey()
    .references(() => teams.id),
  plan: text("plan").$type<Plan>().notNull(),
  source: text("source").$type<SubscriptionSource>().notNull(),
  limits: json<Partial<Limits>>("limits"),
  startedAt: instant("started_at").notNull(),
  endsAt: instant("ends_at"),
  /** Where the source is a licence. */
  licenceId: text("licence_id"),
  stripeCustomer: text("stripe_customer"),
  /** The last one that the plan came from, though another source may count now. */
  stripeSubscription: text("stripe_subscription"),
  updatedAt: instant("updated_at").notNull(),
});
export type SubscriptionRow = typeof subscriptions.$inferSelect;

/** One-time pages on which a plan is confirmed or bought. */
export const checkouts = sqliteTable(
  "checkouts",
  {
    id: uuid("id").primaryKey(),
    teamId: uuid("team_id")
      .notNull()
      .references(() => teams.id),
    plan: text("plan").$type<PaidPlan>().notNull(),
    createdAt: instant("created_at").notNull(),
    expiresAt: instant("expires_at").notNull(),
    usedAt: instant("used_at"),
    /** The provider's page for it; null where the page is ours. */
    session: text("session"),
  },
  (table) => [index("checkouts_age").on(table.expiresAt)],
);
export type CheckoutRow = typeof checkouts.$inferSelect;

/** Each team hears of a limit once a period. */
export const limitNotices = sqliteTable(
  "limit_notices",
  {
    teamId: uuid("team_id").notNull(),
    limit: text("limit").$type<Limit>().notNull(),
    /** A month, `2026-03`, or the plan whose standing limit it is. */
    period: text("period").notNull(),
    level: text("level").$type<"warning" | "reached">().notNull(),
  },
  (table) => [primaryKey({ columns: [table.teamId, table.limit, table.period, table.level] })],
);
