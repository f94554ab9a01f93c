/**
 * Leads that a rule of their campaign moves on to another one. Everything happens in the transaction of its cause;
 * who has been written to there isn't taken back any more.
 */

import { isOpen, LEFT_COMPANY, shareOf } from "#domain/campaigns/enrollment.ts";
import type { Rule, RuleBar, RuleEvent } from "#domain/campaigns/rule.ts";
import { followUpDueAt } from "#domain/campaigns/schedule.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { sha256 } from "#platform/secrets/crypto.ts";
import { campaignById, updateCampaign } from "#store/campaigns/campaigns.ts";
import {
  enrollmentsMovedFrom,
  enrollmentsOfLead,
  insertEnrollment,
  removeEnrollment,
} from "#store/leads/enrollments.ts";
import { findLeadById } from "#store/leads/leads.ts";
import { hasSuppression } from "#store/leads/suppressions.ts";
import { wakeAccounts } from "#store/mailboxes/accounts.ts";
import { messagesOf } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { countLeads, lessCounts } from "#usecases/campaigns/campaigns.ts";
import { auditEngine, emit } from "#usecases/events/record.ts";

/** The rule of a lead's campaign about `on`. A sequence that gave way to another one has none. */
export function ruleFor(
  env: Environment,
  { campaignId, merged }: EnrollmentRow,
  on: RuleEvent | undefined,
): Rule | undefined {
  const rules = merged > 0 ? [] : (campaignById(env.db, campaignId)?.rules ?? []);
  return rules.find((rule) => rule.on === on);
}

/**
 * Moves a lead on where there is a rule about `on` and nothing bars it; what bars it is in the audit log, and so in the
 * lead's timeline. Its sequence here is left to the caller. Returns the enrollment that it has there.
 */
export function moveByRule(
  env: Environment,
  row: EnrollmentRow,
  on: RuleEvent,
): EnrollmentRow | undefined {
  const rule = ruleFor(env, row, on);
  if (rule === undefined) {
    return undefined;
  }
  const target = campaignById(env.db, rule.campaignId);
  const bar = barOf(env, row, target, enrollmentsOfLead(env.db, row.leadId));
  tell(env, row, { on, to_campaign_id: rule.campaignId, stays: bar });
  return bar === null && target !== undefined ? enroll(env, row, rule, target) : undefined;
}

function tell(env: Environment, row: EnrollmentRow, after: Record<string, unknown>): void {
  const target = `enrollment:${row.id}`;
  auditEngine(env, row.teamId, { action: "campaign_lead.move", target, after });
}

/** Why a lead can't move on to `target`, or null. `all`: its enrollments, in every campaign. */
export function barOf(
  env: Environment,
  row: EnrollmentRow,
  target: CampaignRow | undefined,
  all: readonly EnrollmentRow[],
): RuleBar | null {
  const { db } = env;
  const email = findLeadById(db, row.leadId)?.email ?? "";
  if (target === undefined || target.status === "archived") {
    return target === undefined ? "campaign_gone" : "campaign_archived";
  }
  if ([email, `@${row.domain}`].some((key) => hasSuppression(db, row.teamId, sha256(key)))) {
    return "suppressed";
  }
  if (all.some(isRefusal)) {
    return "refused";
  }
  if (all.some(({ campaignId }) => campaignId === target.id)) {
    return "already_enrolled";
  }
  const isElsewhere = all.some(({ id, status }) => id !== row.id && isOpen(status));
  return isElsewhere ? "in_other_campaign" : null;
}

/** The person wants no more, or the address isn't theirs any more. */
function isRefusal({ status, stopReason, interest }: EnrollmentRow): boolean {
  return (
    ["unsubscribed", "suppressed", "bounced"].includes(status) ||
    stopReason === LEFT_COMPANY ||
    interest === "not_interested"
  );
}

function enroll(
  env: Environment,
  row: EnrollmentRow,
  rule: Rule,
  target: CampaignRow,
): EnrollmentRow {
  const now = env.clock.now();
  const { teamId, leadId } = row;
  const moved = movedRow(row, rule, target, { id: env.ids.next(now), now });
  insertEnrollment(env.db, moved);
  countLeads(env, target, { enrolled: 1, ...shareOf(moved) });
  countMoved(env, row.campaignId, 1);
  emit(env, teamId, "lead.enrolled", { campaign_id: target.id, lead_ids: [leadId] });
  wakeAccounts(env.db, teamId);
  env.wake();
  return moved;
}

/** The enrollment of a lead that `rule` moves from `row` to `target`. */
export function movedRow(
  { id: movedFrom, teamId, leadId, zone, domain }: EnrollmentRow,
  { on, ...wait }: Rule,
  { id: campaignId, sendWindow }: CampaignRow,
  { id, now }: { id: Id; now: UnixMs },
): EnrollmentRow {
  const at = followUpDueAt(sendWindow, zone === "" ? null : zone, now, wait);
  const isLater = wait.waitDays + wait.waitMinutes > 0;
  return {
    ...{
      id,
      teamId,
      campaignId,
      leadId,
      zone,
      domain,
      merged: 0,
      movedFrom,
      movedOn: on,
      riskAccepted: false,
      spread: false,
    },
    ...{ accountId: null, status: "pending", placeId: null, nextPlaceId: null },
    ...{ dueAt: isLater ? at : now, bookedAt: isLater ? at : null, notBefore: null },
    ...{ holdReason: null, holdDetail: null, stopReason: null, interest: null },
    ...{ attempts: 0, firstAttemptAt: null, lastSentAt: null, waitsFrom: null },
    ...{ enrolledAt: now, updatedAt: now },
  };
}

/**
 * Takes leads back that `row` was moved on as, on what `isOver` says, and that nothing was sent to there. Returns
 * whether there were any.
 */
export function withdrawMoves(
  env: Environment,
  row: EnrollmentRow,
  isOver: (on: RuleEvent | null) => boolean,
): boolean {
  const over = enrollmentsMovedFrom(env.db, row.id).filter(
    (moved) => isOver(moved.movedOn) && !isWrittenTo(env, moved),
  );
  for (const moved of over) {
    dropEnrollment(env, moved);
    countMoved(env, row.campaignId, -1);
    tell(env, row, { on: moved.movedOn, to_campaign_id: moved.campaignId, taken_back: true });
  }
  return over.length > 0;
}

function countMoved(env: Environment, campaignId: Id, by: 1 | -1): void {
  const campaign = campaignById(env.db, campaignId);
  if (campaign !== undefined) {
    updateCampaign(env.db, { ...campaign, moved: campaign.moved + by });
  }
}

/** True once an email of the sequence was tried, or a task of it done. */
export function isWrittenTo({ db }: Environment, { id, placeId }: EnrollmentRow): boolean {
  return placeId !== null || messagesOf(db, id).length > 0;
}

/** Gone as if the lead had never been added. */
export function dropEnrollment(env: Environment, row: EnrollmentRow): void {
  removeEnrollment(env.db, row.id);
  const campaign = campaignById(env.db, row.campaignId);
  if (campaign !== undefined) {
    countLeads(env, campaign, lessCounts({}, { enrolled: 1, ...shareOf(row) }));
  }
}
