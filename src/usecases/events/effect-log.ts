/**
 * What occurrences change, written down so that a person can take any of them back: an email that was read
 * wrongly, a suppression that was a mistake. Taking back is `undo.ts`.
 */

import type { EnrollmentStatus, HoldReason, Interest } from "#domain/campaigns/enrollment.ts";
import type { RuleEvent } from "#domain/campaigns/rule.ts";
import type { SuppressionReason } from "#domain/leads/suppression.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { insertEffect } from "#store/inbox/effects.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { NegativeKind } from "#store/tables/health.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";

/**
 * The occurrence that changes are put down to: the id of a received email, or one of its own for what
 * happens without an email.
 */
export type Cause = Id;

export function newCause(env: Environment): Cause {
  return env.ids.next(env.clock.now());
}

/** `before` and `after` of each type: how it was, and what the occurrence wanted. */
export interface Effects {
  enrollment: [EnrollmentPlace, EnrollmentEnd];
  interest: [Interest | null, Interest | null];
  /** Null: there was none. */
  suppression: [SuppressionReason | null, SuppressionReason];
  /** The enrollment that a rule has made. */
  moved: [null, RuleEvent];
  message_bounced: [null, UnixMs];
  /** Counts added. */
  soft_bounces: [null, number];
  step_bounced: [null, number];
  step_unsubscribed: [null, number];
  /** Counted for the mailbox's health and the campaign's guards. */
  harm: [null, NegativeKind];
}

/** Where an enrollment stood, as far as it takes to go on from there. */
export interface EnrollmentPlace {
  status: EnrollmentStatus;
  stopReason: string | null;
  dueAt: UnixMs | null;
  holdReason: HoldReason | null;
  holdDetail: string | null;
  /** The last three are absent in what schema version 7 and earlier wrote. */
  waitsFrom?: UnixMs | null;
  bookedAt?: UnixMs | null;
  notBefore?: UnixMs | null;
}

/** What it was to become; an end, or a pause with the time at which it ends. */
export interface EnrollmentEnd {
  status: EnrollmentStatus;
  stopReason: string;
  dueAt: UnixMs | null;
}

export function note<Type extends keyof Effects>(
  env: Environment,
  cause: Cause | undefined,
  whose: { teamId: Id; subjectId: Id },
  type: Type,
  [before, after]: Effects[Type],
): void {
  if (cause !== undefined) {
    const id = env.ids.next(env.clock.now());
    insertEffect(env.db, { id, ...whose, causeId: cause, type, before, after });
  }
}

export function placeOf(row: EnrollmentRow): EnrollmentPlace {
  const { status, stopReason, dueAt, holdReason, holdDetail } = row;
  const { waitsFrom, bookedAt, notBefore } = row;
  return { status, stopReason, dueAt, holdReason, holdDetail, waitsFrom, bookedAt, notBefore };
}

/** Also where nothing changes: another occurrence may be taken back, and then this one counts. */
export function recordEnrollment(
  env: Environment,
  cause: Cause | undefined,
  row: EnrollmentRow,
  wanted: EnrollmentEnd,
): void {
  const whose = { teamId: row.teamId, subjectId: row.id };
  note(env, cause, whose, "enrollment", [placeOf(row), wanted]);
}
