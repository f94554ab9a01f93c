/** All that happened with one person, whatever the campaign: what was sent, came back, and was changed. */

import type { UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { listAudit } from "#store/events/audit.ts";
import { effectsOf } from "#store/inbox/effects.ts";
import { inboundOfThread } from "#store/inbox/inbound.ts";
import { enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { aliasesOf } from "#store/leads/leads.ts";
import { suppressionByHash } from "#store/leads/suppressions.ts";
import { tasksOf } from "#store/leads/tasks.ts";
import { messagesOf } from "#store/sending/messages.ts";
import { trackingsOf } from "#store/sending/tracking.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { AuditRow } from "#store/tables/events.ts";
import type { EnrollmentRow, LeadRow, SuppressionRow, TaskRow } from "#store/tables/leads.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { TrackingRow } from "#store/tables/tracking.ts";
import { requireLead } from "#usecases/leads/leads.ts";
import { suppressionKey } from "#usecases/leads/suppressions.ts";
import type { MailWithEffects } from "./conversation.ts";

/** Of each kind, and of all together: the newest. */
const MOMENTS_MAX = 500;
const CHANGES_MAX = 100;

export type Moment = { at: UnixMs; campaignId: Id | null } & (
  | { kind: "enrolled"; row: EnrollmentRow }
  | { kind: "written" | "bounced"; message: MessageRow; tracking: TrackingRow | undefined }
  | { kind: "opened" | "clicked"; tracking: TrackingRow }
  | { kind: "received"; found: MailWithEffects }
  | { kind: "task" | "task_done" | "task_skipped"; task: TaskRow }
  | { kind: "suppressed"; row: SuppressionRow }
  | { kind: "changed"; entry: AuditRow }
);

/** Newest first, the newest 500. Throws `not_found` for another team's lead, and for one erased. */
export function readTimeline(env: Environment, caller: Caller, id: Id): Moment[] {
  const lead = requireLead(env, caller, id);
  const enrollments = enrollmentsOfLead(env.db, lead.id);
  const moments = [
    ...enrollments.flatMap((row) => momentsOf(env, row)),
    ...suppressionsOf(env, lead),
    ...[lead.id, ...aliasesOf(env.db, lead.id).map(({ formerId }) => formerId)].flatMap((leadId) =>
      changesOf(env, caller, `lead:${leadId}`),
    ),
    ...enrollments.flatMap((row) => changesOf(env, caller, `enrollment:${row.id}`)),
  ];
  return moments.toSorted((a, b) => b.at - a.at).slice(0, MOMENTS_MAX);
}

function momentsOf(env: Environment, row: EnrollmentRow): Moment[] {
  const { db } = env;
  const { campaignId } = row;
  const messages = messagesOf(db, row.id).slice(-MOMENTS_MAX);
  const ids = messages.map((message) => message.id);
  const trackings = trackingsOf(db, ids);
  return [
    { kind: "enrolled", at: row.enrolledAt, campaignId, row },
    ...messages.flatMap((message) => whatBecameOf(message, trackings.get(message.id))),
    ...inboundOfThread(db, row.id, MOMENTS_MAX).map((mail): Moment => {
      const found = { mail, effects: effectsOf(db, mail.id).toReversed() };
      return { kind: "received", at: mail.receivedAt, campaignId, found };
    }),
    ...tasksOf(db, row.id).flatMap((task): Moment[] => [
      { kind: "task", at: task.createdAt, campaignId, task },
      ...(task.doneAt === null ? [] : [{ kind: endOf(task), at: task.doneAt, campaignId, task }]),
    ]),
  ];
}

function endOf({ skipped }: TaskRow): "task_done" | "task_skipped" {
  return skipped ? "task_skipped" : "task_done";
}

function whatBecameOf(message: MessageRow, tracking: TrackingRow | undefined): Moment[] {
  const { campaignId, bouncedAt } = message;
  const at = message.sentAt ?? message.claimedAt;
  const moments: Moment[] = [{ kind: "written", at, campaignId, message, tracking }];
  if (bouncedAt !== null) {
    moments.push({ kind: "bounced", at: bouncedAt, campaignId, message, tracking });
  }
  const { firstOpenedAt = null, firstClickedAt = null } = tracking ?? {};
  if (tracking !== undefined && firstOpenedAt !== null) {
    moments.push({ kind: "opened", at: firstOpenedAt, campaignId, tracking });
  }
  if (tracking !== undefined && firstClickedAt !== null) {
    moments.push({ kind: "clicked", at: firstClickedAt, campaignId, tracking });
  }
  return moments;
}

/** Of the address, and of its domain. */
function suppressionsOf(env: Environment, { teamId, email }: LeadRow): Moment[] {
  return [email, email.slice(email.lastIndexOf("@"))].flatMap((text) => {
    const row = suppressionByHash(env.db, teamId, suppressionKey(text).hash);
    return row === undefined
      ? []
      : [{ kind: "suppressed" as const, at: row.createdAt, campaignId: null, row }];
  });
}

function changesOf(env: Environment, caller: Caller, target: string): Moment[] {
  const range = { limit: CHANGES_MAX, offset: 0 };
  const { rows } = listAudit(env.db, caller.teamId, { target }, range);
  return rows.map((entry) => ({ kind: "changed", at: entry.at, campaignId: null, entry }));
}

/** A lead in each of its campaigns, the one it came into last first. */
export function campaignsOfLead(env: Environment, caller: Caller, id: Id) {
  const lead = requireLead(env, caller, id);
  return enrollmentsOfLead(env.db, lead.id)
    .toSorted((a, b) => b.enrolledAt - a.enrolledAt)
    .map((row) => ({
      ...row,
      email: lead.email,
      campaignName: campaignById(env.db, row.campaignId)?.name ?? "",
    }));
}
