/**
 * A person has one sequence in a campaign. Of those that merged leads bring along, the furthest goes on, and none where
 * one of them has finished it, replied or opted out; the others give way to it for good.
 */

import {
  type EnrollmentStatus,
  GAVE_WAY,
  isOpen,
  LEFT_COMPANY,
} from "#domain/campaigns/enrollment.ts";
import type { Environment } from "#environment.ts";
import { currentStepsOf } from "#store/campaigns/steps.ts";
import { effectsOn, removeEffect } from "#store/inbox/effects.ts";
import { enrollmentById, enrollmentsOfLead } from "#store/leads/enrollments.ts";
import { giveEnrollment } from "#store/leads/merge.ts";
import { dropOpenTasks } from "#store/leads/tasks.ts";
import type { EnrollmentRow, LeadRow } from "#store/tables/leads.ts";
import { type Cause, type EnrollmentEnd, newCause } from "#usecases/events/effect-log.ts";
import { endEnrollment } from "./enrollments.ts";
import { dropEnrollment, isWrittenTo } from "./moves.ts";

/** Makes the enrollments of `others` those of `lead`. Returns how many sequences were ended. */
export function joinSequences(env: Environment, lead: LeadRow, others: readonly LeadRow[]): number {
  const all = [lead, ...others].flatMap(({ id }) => enrollmentsOfLead(env.db, id));
  let stopped = 0;
  for (const rows of Map.groupBy(all, ({ campaignId }) => campaignId).values()) {
    joinIn(env, lead, rows);
    stopped += rows.filter(({ id, status }) => isOpen(status) && !isOpenNow(env, id)).length;
  }
  return stopped;
}

function isOpenNow({ db }: Environment, id: EnrollmentRow["id"]): boolean {
  const row = enrollmentById(db, id);
  return row !== undefined && isOpen(row.status);
}

function joinIn(env: Environment, lead: LeadRow, rows: readonly EnrollmentRow[]): void {
  const standing = standingOf(env, rows);
  const lesser = rows.filter((row) => row !== standing);
  const ends = lesser.filter(({ merged }) => merged === 0).flatMap((row) => endsOf(env, row));
  let last = Math.max(...rows.map(({ merged }) => merged));
  for (const row of lesser) {
    if (!isWrittenTo(env, row)) {
      drop(env, row);
    } else if (row.leadId !== lead.id || row.merged === 0) {
      endEnrollment(env, row, "completed", GAVE_WAY);
      dropOpenTasks(env.db, row.id);
      last += 1;
      give(env, row, lead, last);
    }
  }
  give(env, standing, lead, 0);
  for (const { status, stopReason, cause } of ends) {
    endEnrollment(env, standing, status, stopReason, cause);
  }
}

/** As if it had never been: another one has the campaign's emails for the person. */
function drop(env: Environment, row: EnrollmentRow): void {
  for (const { id } of effectsOn(env.db, "enrollment", row.id)) {
    removeEffect(env.db, id);
  }
  dropEnrollment(env, row);
}

interface End extends Pick<EnrollmentEnd, "status" | "stopReason"> {
  cause: Cause;
}

/**
 * What the person has ended: it ends the sequence that stands, too, with the same causes, so that whatever is taken
 * back of one is taken back of both. What has no cause is never taken back.
 */
function endsOf(env: Environment, row: EnrollmentRow): End[] {
  const ends = effectsOn(env.db, "enrollment", row.id).map(({ after, causeId: cause }) => {
    const { status, stopReason } = after as EnrollmentEnd;
    return { status, stopReason, cause };
  });
  const { status, stopReason } = row;
  if (!ends.some((end) => end.status === status && end.stopReason === stopReason)) {
    ends.push({ status, stopReason: stopReason ?? GAVE_WAY, cause: newCause(env) });
  }
  return ends.filter((end) => weightOf(end) !== -1);
}

function give(env: Environment, { id }: EnrollmentRow, lead: LeadRow, merged: number): void {
  const domain = lead.email.slice(lead.email.lastIndexOf("@") + 1);
  const zone = lead.timezone ?? "";
  const updatedAt = env.clock.now();
  giveEnrollment(env.db, id, { leadId: lead.id, merged, domain, zone, updatedAt });
}

/** Ends after which no other goes on, the weightiest last. The address had no part in them. */
const PERSONAL_ENDS: readonly EnrollmentStatus[] = [
  "completed",
  "suppressed",
  "replied",
  "unsubscribed",
];

/** -1: the sequence goes on, or has ended on account of its address. */
function weightOf({ status, stopReason }: Pick<EnrollmentRow, "status" | "stopReason">): number {
  return stopReason === LEFT_COMPANY ? -1 : PERSONAL_ENDS.indexOf(status);
}

/** Which one stands for the person: what they have ended, else the furthest, else the lead's own. */
function standingOf(env: Environment, rows: readonly EnrollmentRow[]): EnrollmentRow {
  const stepOf = currentStepsOf(env.db);
  const weigh = (row: EnrollmentRow) => [
    Number(row.merged === 0),
    weightOf(row),
    Number(isOpen(row.status)),
    stepOf(row),
    row.lastSentAt ?? 0,
  ];
  const [first, ...rest] = rows;
  if (first === undefined) {
    throw new Error("a campaign without its leads");
  }
  return rest.reduce((best, row) => (isMore(weigh(row), weigh(best)) ? row : best), first);
}

function isMore(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at !== -1 && (a[at] ?? 0) > (b[at] ?? 0);
}
