/** What a campaign has come to in a rehearsal: when it wrote, from which mailboxes, and where its leads stand. */

import { sql } from "drizzle-orm";
import type { EnrollmentStatus } from "#domain/campaigns/enrollment.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { enrollments } from "#store/tables/leads.ts";
import { messages } from "#store/tables/messages.ts";

export interface PlayedMailbox {
  accountId: Id;
  sent: number;
  bounced: number;
  firstAt: UnixMs | null;
  lastAt: UnixMs | null;
}

export function playedMailboxes(db: Db, campaignId: Id): PlayedMailbox[] {
  const { sentAt, bouncedAt, accountId } = messages;
  return db.orm
    .select({
      accountId,
      sent: sql<number>`count(${sentAt})`,
      bounced: sql<number>`count(${bouncedAt})`,
      firstAt: sql<UnixMs | null>`min(${sentAt})`,
      lastAt: sql<UnixMs | null>`max(${sentAt})`,
    })
    .from(messages)
    .where(sql`${messages.campaignId} = ${idToBytes(campaignId)} and ${messages.kind} = 'step'`)
    .groupBy(accountId)
    .all();
}

export function playedLeads(db: Db, campaignId: Id): { status: EnrollmentStatus; leads: number }[] {
  return db.orm
    .select({ status: enrollments.status, leads: sql<number>`count(*)` })
    .from(enrollments)
    .where(sql`${enrollments.campaignId} = ${idToBytes(campaignId)}`)
    .groupBy(enrollments.status)
    .all();
}
