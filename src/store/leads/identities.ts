/** What tells whose a lead is, of many leads. */

import { and, desc, eq, inArray, sql } from "drizzle-orm";
import type { Identity } from "#domain/leads/duplicates.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { type LeadRow, leads } from "#store/tables/leads.ts";

const { id, teamId, email, firstName, lastName, company, phone, variables } = leads;

const before = prepared((db) =>
  db.orm
    .select({ id, email, firstName, lastName, company, phone, variables })
    .from(leads)
    .where(and(equals(teamId, "teamId"), sql`${id} < ${placeholder(id, "before")}`))
    .orderBy(desc(id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Of a team's leads those before one, the newest first. */
export function identitiesBefore(
  db: Db,
  of: { teamId: Id; before: Id; limit: number },
): (Identity & { id: Id })[] {
  return before(db).all(of);
}

/** The leads with these ids that are there, the oldest first. */
export function leadsWithIds(db: Db, team: Id, ids: readonly Id[]): LeadRow[] {
  return db.orm
    .select()
    .from(leads)
    .where(and(eq(teamId, team), inArray(id, [...ids])))
    .orderBy(id)
    .all();
}
