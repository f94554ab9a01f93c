/** Steps of campaigns. */

import { asc } from "drizzle-orm";
import { equals, type Id } from "./columns.ts";
import type { Db } from "./database.ts";
import { finder, inserter, lister, remover, teamFinder, updater } from "./rows.ts";
import { type StepRow, steps } from "./tables/campaigns.ts";

export const insertStep = inserter(steps);
/** Writes the whole row: read it in the same transaction, or a counter is lost. */
export const updateStep = updater(steps);
export const removeStep = remover(steps);
export const findStep = teamFinder(steps);
export const stepById = finder(steps);

const ofCampaign = lister(steps, "campaignId", (db) =>
  db.orm
    .select()
    .from(steps)
    .where(equals(steps.campaignId, "campaignId"))
    .orderBy(asc(steps.position))
    .prepare(),
);

/** All steps of a campaign in the order of their positions. */
export function stepsOf(db: Db, campaignId: Id): StepRow[] {
  return ofCampaign(db, campaignId);
}
