/** Addresses of leads that were merged into others. */

import { eq } from "drizzle-orm";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { type LeadAliasRow, leadAliases } from "#store/tables/leads.ts";

/** Those that a lead is found by beside its own. */
export function aliasesOf(db: Db, leadId: Id): LeadAliasRow[] {
  return db.orm
    .select()
    .from(leadAliases)
    .where(eq(leadAliases.leadId, leadId))
    .orderBy(leadAliases.email)
    .all();
}

export function insertAlias(db: Db, row: LeadAliasRow): void {
  db.orm.insert(leadAliases).values(row).run();
}

export function moveAliases(db: Db, from: Id, to: Id): void {
  db.orm.update(leadAliases).set({ leadId: to }).where(eq(leadAliases.leadId, from)).run();
}
