/** How much of each limit a team has taken. */

import { and, count, eq, gt, gte, isNull, or, type SQL } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Limit } from "#domain/sending/plan.ts";
import type { UnixMs } from "#domain/time.ts";
import { countLeads } from "#store/leads/leads.ts";
import { usageOf } from "#store/sending/usage.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { accounts } from "#store/tables/accounts.ts";
import { campaigns } from "#store/tables/campaigns.ts";
import { experiments } from "#store/tables/experiments.ts";
import { memberships } from "#store/tables/people.ts";
import { placementRuns } from "#store/tables/placement.ts";
import { apiKeys } from "#store/tables/teams.ts";
import { webhooks } from "#store/tables/webhooks.ts";

/** What a count depends on besides the team. */
export interface CountAt {
  /** Keys that have expired by then take no place. */
  now: UnixMs;
  /** The calendar month, `2026-03`, and its first instant. */
  month: string;
  monthFrom: UnixMs;
}

/** The counter of a team's emails in a month; written with each claim. */
export function mailsOfMonth(teamId: Id, month: string) {
  return { owner: teamId, kind: "team_month", bucket: month } as const;
}

/** Where the team stands, for every limit. */
export function countLimit(db: Db, limit: Limit, teamId: Id, at: CountAt): number {
  return COUNTERS[limit](db, teamId, at);
}

const COUNTERS: Readonly<Record<Limit, (db: Db, teamId: Id, at: CountAt) => number>> = {
  accounts: (db, teamId) => rows(db, accounts, eq(accounts.teamId, teamId)),
  leads: countLeads,
  active_campaigns: (db, teamId) =>
    rows(db, campaigns, and(eq(campaigns.teamId, teamId), eq(campaigns.status, "active"))),
  mails: (db, teamId, { month }) => usageOf(db, mailsOfMonth(teamId, month)),
  running_experiments: (db, teamId) =>
    rows(db, experiments, and(eq(experiments.teamId, teamId), eq(experiments.status, "running"))),
  placement_runs: (db, teamId, { monthFrom }) =>
    rows(
      db,
      placementRuns,
      and(eq(placementRuns.teamId, teamId), gte(placementRuns.createdAt, monthFrom)),
    ),
  webhooks: (db, teamId) =>
    rows(db, webhooks, and(eq(webhooks.teamId, teamId), isNull(webhooks.deletedAt))),
  keys: (db, teamId, { now }) =>
    rows(
      db,
      apiKeys,
      and(
        eq(apiKeys.teamId, teamId),
        isNull(apiKeys.revokedAt),
        or(isNull(apiKeys.expiresAt), gt(apiKeys.expiresAt, now)),
      ),
    ),
  members: (db, teamId) => rows(db, memberships, eq(memberships.teamId, teamId)),
};

function rows(db: Db, table: SQLiteTable, wanted: SQL | undefined): number {
  return db.orm.select({ n: count() }).from(table).where(wanted).get()?.n ?? 0;
}
