/** Whole tables of a team read out page by page, each page from where the one before ended. */

import { and, asc, eq, getTableColumns, gt, lt } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { currentStepsOf } from "#store/campaigns/steps.ts";
import { tagsOf } from "#store/campaigns/tags.ts";
import {
  type Assigned,
  assignedByEnrollment,
  assignedByMessage,
} from "#store/sending/exposures.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { campaigns, steps } from "#store/tables/campaigns.ts";
import { type EnrollmentRow, enrollments, type LeadRow, leads } from "#store/tables/leads.ts";
import { type MessageRow, messages } from "#store/tables/messages.ts";

/** A lead, and its way through the campaign that was asked for. */
export interface ExportedLead {
  lead: LeadRow;
  tags: string[];
  enrollment: (EnrollmentRow & { currentStep: number; assignments: Assigned[] }) | null;
}

/** Leads of a team after `after`, in the order in which they were made. */
export function leadsAfter(
  db: Db,
  teamId: Id,
  after: Id | undefined,
  limit: number,
): ExportedLead[] {
  return db.orm
    .select()
    .from(leads)
    .where(and(eq(leads.teamId, teamId), after === undefined ? undefined : gt(leads.id, after)))
    .orderBy(asc(leads.id))
    .limit(limit)
    .all()
    .map((lead) => ({ lead, tags: tagsOf(db, lead.id), enrollment: null }));
}

/** Leads of a campaign after the enrollment `after`, in the order of their enrolment. */
export function campaignLeadsAfter(
  db: Db,
  campaignId: Id,
  after: Id | undefined,
  limit: number,
): ExportedLead[] {
  const currentStep = currentStepsOf(db);
  const found = db.orm
    .select({ lead: getTableColumns(leads), enrollment: getTableColumns(enrollments) })
    .from(enrollments)
    .innerJoin(leads, eq(leads.id, enrollments.leadId))
    .where(
      and(
        eq(enrollments.campaignId, campaignId),
        after === undefined ? undefined : gt(enrollments.id, after),
      ),
    )
    .orderBy(asc(enrollments.id))
    .limit(limit)
    .all();
  const assigned = assignedByEnrollment(
    db,
    found.map(({ enrollment }) => enrollment.id),
  );
  return found.map(({ lead, enrollment }) => {
    const assignments = assigned.get(enrollment.id) ?? [];
    const standing = { ...enrollment, currentStep: currentStep(enrollment), assignments };
    return { lead, tags: tagsOf(db, lead.id), enrollment: standing };
  });
}

export interface MessageRange {
  campaignId?: Id;
  from?: UnixMs;
  until?: UnixMs;
}

/** A message, and the variant that it was made from. */
export type ExportedMessage = MessageRow & { assigned: Assigned | undefined };

/** Messages of a team after `after`, in the order in which they were begun. */
export function messagesAfter(
  db: Db,
  teamId: Id,
  { campaignId, from, until }: MessageRange,
  after: Id | undefined,
  limit: number,
): ExportedMessage[] {
  const found = db.orm
    .select()
    .from(messages)
    .where(
      and(
        eq(messages.teamId, teamId),
        campaignId === undefined ? undefined : eq(messages.campaignId, campaignId),
        from === undefined ? undefined : gt(messages.claimedAt, from),
        until === undefined ? undefined : lt(messages.claimedAt, until),
        after === undefined ? undefined : gt(messages.id, after),
      ),
    )
    .orderBy(asc(messages.id))
    .limit(limit)
    .all() as MessageRow[];
  const assigned = assignedByMessage(db, found);
  return found.map((message) => ({ ...message, assigned: assigned.get(message.id) }));
}

const stepColumns = {
  id: steps.id,
  campaignId: campaigns.id,
  campaign: campaigns.name,
  status: campaigns.status,
  position: steps.position,
  type: steps.type,
  subject: steps.subject,
  sent: steps.sent,
  replied: steps.replied,
  bounced: steps.bounced,
  unsubscribed: steps.unsubscribed,
};

/** Steps of a team's campaigns with what they have done, after `after`. */
export function resultsAfter(
  db: Db,
  teamId: Id,
  campaignId: Id | undefined,
  after: Id | undefined,
  limit: number,
) {
  return db.orm
    .select(stepColumns)
    .from(steps)
    .innerJoin(campaigns, eq(campaigns.id, steps.campaignId))
    .where(
      and(
        eq(campaigns.teamId, teamId),
        campaignId === undefined ? undefined : eq(campaigns.id, campaignId),
        after === undefined ? undefined : gt(steps.id, after),
      ),
    )
    .orderBy(asc(steps.id))
    .limit(limit)
    .all();
}
export type ExportedStep = ReturnType<typeof resultsAfter>[number];
