/** Campaigns: rows and their counters. */

import { and, asc, count, desc, eq, sql } from "drizzle-orm";
import type { CampaignStatus } from "#domain/campaign.ts";
import { equals, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { finder, inserter, remover, teamFinder, updater } from "./rows.ts";
import { type CampaignRow, campaigns } from "./tables/campaigns.ts";

export const insertCampaign = inserter(campaigns);
/** Writes the whole row: read it in the same transaction, or a counter is lost. */
export const updateCampaign = updater(campaigns);
export const removeCampaign = remover(campaigns);
export const findCampaign = teamFinder(campaigns);
export const campaignById = finder(campaigns);

const page = prepared((db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(equals(campaigns.teamId, "teamId"))
    .orderBy(desc(campaigns.id))
    .limit(sql.placeholder("limit"))
    .offset(sql.placeholder("offset"))
    .prepare(),
);

/** A page of a team's campaigns, newest first, and how many there are. */
export function listCampaigns(
  db: Db,
  teamId: Id,
  range: { limit: number; offset: number; status?: CampaignStatus },
): { rows: CampaignRow[]; total: number } {
  if (range.status !== undefined) {
    const mine = and(eq(campaigns.teamId, teamId), eq(campaigns.status, range.status));
    const rows = db.orm.select().from(campaigns).where(mine).orderBy(desc(campaigns.id));
    const total = db.orm.select({ n: count() }).from(campaigns).where(mine).get()?.n ?? 0;
    return { rows: rows.limit(range.limit).offset(range.offset).all(), total };
  }
  const { limit, offset } = range;
  return {
    rows: page(db).all({ teamId, limit, offset }),
    total: total(db).get({ teamId })?.n ?? 0,
  };
}

const total = prepared((db) =>
  db.orm.select({ n: count() }).from(campaigns).where(equals(campaigns.teamId, "teamId")).prepare(),
);

const active = prepared((db) =>
  db.orm
    .select()
    .from(campaigns)
    .where(and(equals(campaigns.teamId, "teamId"), eq(campaigns.status, "active")))
    .orderBy(asc(campaigns.id))
    .prepare(),
);

/** Active campaigns of a team in id order. */
export function activeCampaigns(db: Db, teamId: Id): CampaignRow[] {
  return active(db).all({ teamId });
}

/** Campaigns of a team, archived ones too, that name an account to send from. */
export function campaignsNaming(db: Db, teamId: Id, accountId: Id): CampaignRow[] {
  return db.orm
    .select()
    .from(campaigns)
    .where(and(eq(campaigns.teamId, teamId), sql`instr(${campaigns.accountIds}, ${accountId}) > 0`))
    .orderBy(asc(campaigns.id))
    .all();
}
