/** A sequence that is paused: by hand, or until an instant. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { nextOpening } from "#domain/campaigns/window.ts";
import { conflict } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import { type Cause, recordEnrollment } from "#usecases/events/effect-log.ts";
import { changeEnrollment } from "./enrollments.ts";

/** Pauses by hand (`until` null), or until an instant, after which the sequence goes on by itself. */
export function pauseEnrollment(
  env: Environment,
  row: EnrollmentRow,
  until: UnixMs | null,
  stopReason: string,
  cause?: Cause,
): EnrollmentRow {
  if (!isOpen(row.status)) {
    throw conflict(`a lead that is ${row.status} can't be paused`, "status");
  }
  const dueAt = until === null ? null : intoWindow(env, row, until);
  const current = enrollmentById(env.db, row.id) ?? row;
  recordEnrollment(env, cause, current, { status: "paused", stopReason, dueAt });
  const notBefore = dueAt ?? current.notBefore;
  return changeEnrollment(env, row, { status: "paused", dueAt, notBefore, stopReason });
}

function intoWindow(env: Environment, row: EnrollmentRow, at: UnixMs): UnixMs {
  const campaign = campaignById(env.db, row.campaignId);
  const zone = row.zone === "" ? null : row.zone;
  return campaign === undefined ? at : nextOpening(campaign.sendWindow, zone, at).at;
}
