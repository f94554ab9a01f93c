/** What belongs to one lead becomes another's. */

import { and, eq, notInArray } from "drizzle-orm";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { exposures } from "#store/tables/experiments.ts";
import { importChanges } from "#store/tables/imports.ts";
import { threads } from "#store/tables/inbox.ts";
import {
  type EnrollmentRow,
  enrollments,
  type LeadAliasRow,
  leadAliases,
  leads,
  tasks,
} from "#store/tables/leads.ts";
import { forwards, inboundMails, messages } from "#store/tables/messages.ts";

const OF_LEAD = [messages, forwards, inboundMails, threads, tasks] as const;

/**
 * Emails, conversations and tasks. Its assignments go along but for those in experiments that the other is part
 * of, too: they stay counted under the lead that is gone. What an import would take back of its record is void.
 */
export function moveHistory(db: Db, from: Id, to: Id): void {
  for (const table of OF_LEAD) {
    db.orm.update(table).set({ leadId: to }).where(eq(table.leadId, from)).run();
  }
  const shared = db.orm
    .select({ id: exposures.experimentId })
    .from(exposures)
    .where(eq(exposures.leadId, to));
  db.orm
    .update(exposures)
    .set({ leadId: to })
    .where(and(eq(exposures.leadId, from), notInArray(exposures.experimentId, shared)))
    .run();
  db.orm.delete(importChanges).where(eq(importChanges.leadId, from)).run();
}

/** An enrollment becomes another lead's. */
export function giveEnrollment(
  db: Db,
  id: Id,
  change: Pick<EnrollmentRow, "leadId" | "merged" | "domain" | "zone" | "updatedAt">,
): void {
  db.orm.update(enrollments).set(change).where(eq(enrollments.id, id)).run();
}

export function removeLead(db: Db, id: Id): void {
  db.orm.delete(leads).where(eq(leads.id, id)).run();
}

export function insertAlias(db: Db, row: LeadAliasRow): void {
  db.orm.insert(leadAliases).values(row).run();
}

export function moveAliases(db: Db, from: Id, to: Id): void {
  db.orm.update(leadAliases).set({ leadId: to }).where(eq(leadAliases.leadId, from)).run();
}
