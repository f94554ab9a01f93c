/** Views of a team's leads. */

import { and, asc, eq, or } from "drizzle-orm";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { inserter, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type LeadViewRow, leadViews } from "#store/tables/leads.ts";

export const insertLeadView = inserter(leadViews);
/** Writes the whole row: read it in the same transaction. */
export const updateLeadView = updater(leadViews);
export const removeLeadView = remover(leadViews);
export const findLeadView = teamFinder(leadViews);

/** Those that the team shares and the actor's own, in the order of the alphabet. */
export function leadViewsOf(db: Db, teamId: Id, actor: string): LeadViewRow[] {
  const seen = or(eq(leadViews.shared, true), eq(leadViews.author, actor));
  return db.orm
    .select()
    .from(leadViews)
    .where(and(eq(leadViews.teamId, teamId), seen))
    .orderBy(asc(leadViews.id))
    .all()
    .toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}
