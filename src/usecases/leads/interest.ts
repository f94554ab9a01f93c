/** What a lead thinks of us, as its replies and people say, and where the rules of its campaign lead it from there. */

import { type Interest, isOpen } from "#domain/campaigns/enrollment.ts";
import { eventOf, MOVED, type RuleEvent, SOURCE_REPLIED } from "#domain/campaigns/rule.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { setThreadInterest } from "#store/inbox/threads.ts";
import { enrollmentById, enrollmentsMovedFrom, standingBeside } from "#store/leads/enrollments.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { type Cause, note } from "#usecases/events/effect-log.ts";
import { emit } from "#usecases/events/record.ts";
import {
  changeEnrollment,
  endEnrollment,
  enrollmentFacts,
  resumeEnrollment,
} from "./enrollments.ts";
import { moveByRule, ruleFor, withdrawMoves } from "./moves.ts";

/** A person's or a rule's judgement of a reply; of one to a sequence that gave way, for the one that stands, too. */
export function setInterest(
  env: Environment,
  row: EnrollmentRow,
  interest: Interest | null,
  cause?: Cause,
): EnrollmentRow {
  const standing = row.merged > 0 ? standingBeside(env.db, row) : undefined;
  if (standing !== undefined) {
    setOwnInterest(env, standing, interest, cause);
  }
  return setOwnInterest(env, row, interest, cause, standing === undefined);
}

/** That of one sequence alone. `tells`: no other one has it, so that an event is due. */
export function setOwnInterest(
  env: Environment,
  row: EnrollmentRow,
  interest: Interest | null,
  cause?: Cause,
  tells = true,
): EnrollmentRow {
  const after = labelInterest(env, row, interest, cause, tells);
  return after === row ? row : followInterest(env, after);
}

/** The label alone: no rule leads the lead anywhere for it. */
export function labelInterest(
  env: Environment,
  row: EnrollmentRow,
  interest: Interest | null,
  cause?: Cause,
  tells = true,
): EnrollmentRow {
  const whose = { teamId: row.teamId, subjectId: row.id };
  note(env, cause, whose, "interest", [row.interest, interest]);
  if (row.interest === interest) {
    return row;
  }
  const after = changeEnrollment(env, row, { interest });
  setThreadInterest(env.db, row.id, interest);
  if (tells && (interest === "interested" || interest === "meeting")) {
    emit(env, row.teamId, "lead.interested", { ...enrollmentFacts(env, row), interest });
  }
  return after;
}

/** Another interest takes back what the one before has done, and does what there is a rule for. */
function followInterest(env: Environment, row: EnrollmentRow): EnrollmentRow {
  const event = eventOf(row.interest);
  const isDecided = row.interest === "not_interested" || ruleFor(env, row, event) !== undefined;
  const isOver = (on: RuleEvent | null) => isDecided || (on !== "replied" && on !== "completed");
  const isBack = withdrawMoves(env, row, isOver);
  if (isDecided) {
    for (const moved of enrollmentsMovedFrom(env.db, row.id).filter(({ status }) =>
      isOpen(status),
    )) {
      endEnrollment(env, moved, "completed", MOVED);
    }
  }
  const after = event === undefined ? row : moveOn(env, row, event);
  return isBack && after === row ? comeBack(env, row) : after;
}

/** By a rule, where there is one: the sequence here is over then. */
function moveOn(
  env: Environment,
  row: EnrollmentRow,
  event: RuleEvent,
  cause?: Cause,
): EnrollmentRow {
  const moved = moveByRule(env, row, event);
  if (moved === undefined) {
    return row;
  }
  note(env, cause, { teamId: row.teamId, subjectId: moved.id }, "moved", [null, event]);
  return endEnrollment(env, row, "completed", MOVED);
}

/** What had ended only because the lead moved on goes on. */
function comeBack(env: Environment, row: EnrollmentRow): EnrollmentRow {
  const current = enrollmentById(env.db, row.id) ?? row;
  return current.status === "completed" && current.stopReason === MOVED
    ? resumeEnrollment(env, current)
    : current;
}

/**
 * A reply came in: it is one to the emails, too, that the lead gets in the campaign it has moved on to, and it may
 * move it on. Its interest was set before.
 */
export function followReply(
  env: Environment,
  { id }: EnrollmentRow,
  { interest, cause }: { interest: Interest | null; cause: Cause },
): void {
  const row = enrollmentById(env.db, id);
  const isRuled = row !== undefined && ruleFor(env, row, eventOf(interest)) !== undefined;
  if (row !== undefined && !isRuled && interest !== "not_interested") {
    moveOn(env, row, "replied", cause);
  }
}

/** Before its interest is set: what was to follow on silence doesn't, and what has begun stops. */
export function stopMoved(env: Environment, row: EnrollmentRow, cause: Cause): void {
  withdrawMoves(env, row, (on) => on === "completed");
  for (const moved of enrollmentsMovedFrom(env.db, row.id)) {
    const stops = campaignById(env.db, moved.campaignId)?.stopOnReply;
    if (moved.lastSentAt !== null && stops) {
      endEnrollment(env, moved, "completed", SOURCE_REPLIED, cause);
    }
  }
}

/** Takes back what one reply has moved on, if nothing was sent yet. */
export function takeBackMove(env: Environment, movedId: Id): void {
  const moved = enrollmentById(env.db, movedId);
  const row = moved?.movedFrom == null ? undefined : enrollmentById(env.db, moved.movedFrom);
  if (row !== undefined && withdrawMoves(env, row, (on) => on === moved?.movedOn)) {
    comeBack(env, row);
  }
}
