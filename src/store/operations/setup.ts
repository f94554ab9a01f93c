/** What a team has made before its first campaign starts. */

import { and, desc, type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { accounts } from "#store/tables/accounts.ts";
import { campaigns, steps } from "#store/tables/campaigns.ts";
import { leads } from "#store/tables/leads.ts";

/** Whether `table` has a row that `where` lets through; `where` takes the team's id. */
const hasAny = (table: SQLiteTable, where: SQL | undefined) =>
  prepared((db) => db.orm.select({ one: sql<1>`1` }).from(table).where(where).limit(1).prepare());

const hasStarted = hasAny(
  campaigns,
  and(equals(campaigns.teamId, "teamId"), sql`${campaigns.startedAt} is not null`),
);
const hasAccount = hasAny(accounts, equals(accounts.teamId, "teamId"));
const hasLead = hasAny(leads, equals(leads.teamId, "teamId"));

const latest = prepared((db) =>
  db.orm
    .select({ id: campaigns.id })
    .from(campaigns)
    .where(equals(campaigns.teamId, "teamId"))
    .orderBy(desc(campaigns.id))
    .limit(1)
    .prepare(),
);
const hasStep = hasAny(steps, equals(steps.campaignId, "campaignId"));

/** Null once a campaign has been started. `sequence` is about the latest campaign. */
export function setupOf(db: Db, teamId: Id) {
  if (hasStarted(db).get({ teamId }) !== undefined) {
    return null;
  }
  const campaign = latest(db).get({ teamId });
  const isWritten =
    campaign !== undefined && hasStep(db).get({ campaignId: campaign.id }) !== undefined;
  return {
    mailbox: hasAccount(db).get({ teamId }) !== undefined,
    leads: hasLead(db).get({ teamId }) !== undefined,
    sequence: isWritten,
    campaign_id: campaign?.id ?? null,
  };
}
