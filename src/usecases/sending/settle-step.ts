/** An email of a sequence once it is claimed: its lead goes on because of it, waits, or ends. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { retryAt } from "#domain/campaigns/schedule.ts";
import { openStretch } from "#domain/campaigns/window.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { StepMessage } from "#store/tables/messages.ts";
import { emitDeferred, emitFailed } from "#usecases/events/email-events.ts";
import {
  advanceEnrollment,
  changeEnrollment,
  endEnrollment,
  holdEnrollment,
  markSent,
} from "#usecases/leads/enrollments.ts";
import { passStep, resolveStep } from "#usecases/leads/unconfirmed.ts";
import { recordBounce } from "./bounces.ts";
import { barOf, claimStep, isSendable } from "./claim-step.ts";
import type { Outgoing } from "./outgoing.ts";

export const STEP: Outgoing<StepMessage> = {
  claim: claimStep,

  bar: (env, message, account) => {
    const row = enrollmentById(env.db, message.enrollmentId);
    if (row === undefined) {
      return "lead";
    }
    const campaign = campaignById(env.db, message.campaignId);
    if (campaign?.status !== "active") {
      return "campaign";
    }
    if (account === undefined || !isSendable(env, account)) {
      return "account";
    }
    if (!isOpen(row.status) || row.status === "paused" || row.holdReason !== null) {
      return "lead";
    }
    if (barOf(env, row) !== null) {
      return "suppressed";
    }
    if (openStretch(campaign.sendWindow, zoneOf(row), env.clock.now()) === null) {
      return "window";
    }
    return stepById(env.db, message.stepId) === undefined ? "step" : undefined;
  },

  sent: (env, message, response, at) => {
    markSent(env, message, at, response);
    const row = enrollmentById(env.db, message.enrollmentId);
    if (row !== undefined) {
      advanceEnrollment(env, row, "email", at);
    }
  },

  undelivered: (env, message, { fault, status, words }, now) => {
    const row = enrollmentById(env.db, message.enrollmentId);
    switch (fault.kind) {
      case "auth":
      case "backoff":
      case "sender":
        untouched(env, message, row, now);
        return;
      case "retry":
        retry(env, message, row, now);
        return;
      case "bounce":
      case "soft_bounce": {
        const severity = fault.kind === "bounce" ? "hard" : "soft";
        recordBounce(env, toStatus(env, message, "failed"), { severity, status, words });
        if (fault.kind === "soft_bounce" && row !== undefined) {
          endEnrollment(env, row, "failed", "refused");
        }
        return;
      }
      case "failed":
        fail(env, message, row);
        return;
      default:
        fault satisfies never;
    }
  },

  unknown: (env, message) => {
    updateMessage(env.db, { ...message, status: "unknown" });
    emitFailed(env, message, true);
    const row = enrollmentById(env.db, message.enrollmentId);
    if (row !== undefined && isOpen(row.status)) {
      holdEnrollment(env, row, "unknown_send", message.response);
    }
  },

  confirmed: (env, message, response, at) => {
    markSent(env, message, at, response);
    const row = enrollmentById(env.db, message.enrollmentId);
    if (row !== undefined) {
      passStep(env, row, message, at);
    }
  },

  resolve: resolveStep,

  withdrawn: (env, message, why, now) => {
    const row = enrollmentById(env.db, message.enrollmentId);
    if (row !== undefined && isOpen(row.status)) {
      const response = `stopped before sending: ${why}`;
      const status = why === "step" ? "cancelled" : "deferred";
      untouched(env, { ...message, response }, row, now, status);
    } else {
      toStatus(env, message, "cancelled");
    }
  },
};

/** Null: the campaign's. */
function zoneOf({ zone }: EnrollmentRow): string | null {
  return zone === "" ? null : zone;
}

function toStatus(
  env: Environment,
  message: StepMessage,
  status: StepMessage["status"],
): StepMessage {
  const row = { ...message, status };
  updateMessage(env.db, row);
  return row;
}

/**
 * A lead that was never written to goes back to the new ones: any mailbox may take it, and it is counted
 * as started on the day on which its first email really goes out.
 */
function backToQueue(row: EnrollmentRow): Partial<EnrollmentRow> {
  return row.lastSentAt === null ? { accountId: null } : {};
}

/** The mailbox is at fault: the lead keeps its attempt and is due again at once. */
function untouched(
  env: Environment,
  message: StepMessage,
  row: EnrollmentRow | undefined,
  now: UnixMs,
  status: StepMessage["status"] = "deferred",
): void {
  toStatus(env, { ...message, attempts: message.attempts - 1 }, status);
  if (row !== undefined && isOpen(row.status)) {
    changeEnrollment(env, row, {
      ...backToQueue(row),
      ...(row.attempts <= 1 ? { firstAttemptAt: null } : {}),
      attempts: Math.max(0, row.attempts - 1),
      dueAt: row.status === "paused" ? row.dueAt : now,
    });
  }
}

function retry(
  env: Environment,
  message: StepMessage,
  row: EnrollmentRow | undefined,
  now: UnixMs,
): void {
  const campaign = campaignById(env.db, message.campaignId);
  if (row === undefined || campaign === undefined || !isOpen(row.status)) {
    toStatus(env, message, "cancelled");
    return;
  }
  const at = retryAt({
    messageId: message.id,
    attempt: row.attempts,
    firstAttemptAt: row.firstAttemptAt ?? now,
    failedAt: now,
    window: campaign.sendWindow,
    zone: zoneOf(row),
  });
  if (at === null) {
    fail(env, message, row);
    return;
  }
  toStatus(env, message, "deferred");
  if (row.status !== "paused") {
    changeEnrollment(env, row, { ...backToQueue(row), dueAt: at, notBefore: at });
  }
  emitDeferred(env, message, at);
}

function fail(env: Environment, message: StepMessage, row: EnrollmentRow | undefined): void {
  toStatus(env, message, "failed");
  emitFailed(env, message);
  if (row !== undefined) {
    endEnrollment(env, row, "failed", "refused");
  }
}
