/** An email of a sequence once it is claimed: its lead goes on because of it, waits, or ends. */

import { isOpen } from "#domain/campaigns/enrollment.ts";
import { retryAt } from "#domain/campaigns/schedule.ts";
import type { UnixMs } from "#domain/time.ts";
import { campaignById } from "#store/campaigns/campaigns.ts";
import { stepById } from "#store/campaigns/steps.ts";
import { enrollmentById } from "#store/leads/enrollments.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { EnrollmentRow } from "#store/tables/leads.ts";
import type { StepMessage } from "#store/tables/messages.ts";
import { tellDeferred, tellFailed } from "#usecases/events/email-events.ts";
import {
  advanceEnrollment,
  changeEnrollment,
  endEnrollment,
  holdEnrollment,
  noteSent,
} from "#usecases/leads/enrollments.ts";
import type { World } from "#world.ts";
import { noteBounce } from "./bounces.ts";
import { barOf, isSendable } from "./outbox.ts";
import type { Outgoing } from "./outgoing.ts";

export const SEQUENCE: Outgoing<StepMessage> = {
  bar: (world, message, account) => {
    const row = enrollmentById(world.db, message.enrollmentId);
    if (row === undefined) {
      return "lead";
    }
    if (campaignById(world.db, message.campaignId)?.status !== "active") {
      return "campaign";
    }
    if (account === undefined || !isSendable(world, account)) {
      return "account";
    }
    if (!isOpen(row.status) || row.status === "paused" || row.holdReason !== null) {
      return "lead";
    }
    if (barOf(world, row) !== null) {
      return "suppressed";
    }
    return stepById(world.db, message.stepId) === undefined ? "step" : undefined;
  },

  sent: (world, message, response, at) => {
    noteSent(world, message, at, response);
    const row = enrollmentById(world.db, message.enrollmentId);
    if (row !== undefined) {
      advanceEnrollment(world, row, "email", at);
    }
  },

  undelivered: (world, message, { fault, status, words }, now) => {
    const row = enrollmentById(world.db, message.enrollmentId);
    switch (fault.kind) {
      case "auth":
      case "backoff":
      case "sender":
        untouched(world, message, row, now);
        return;
      case "retry":
        retry(world, message, row, now);
        return;
      case "bounce":
      case "soft_bounce": {
        const severity = fault.kind === "bounce" ? "hard" : "soft";
        noteBounce(world, toStatus(world, message, "failed"), { severity, status, words });
        if (fault.kind === "soft_bounce" && row !== undefined) {
          endEnrollment(world, row, "failed", "refused");
        }
        return;
      }
      case "failed":
        fail(world, message, row);
        return;
      default:
        fault satisfies never;
    }
  },

  unknown: (world, message) => {
    updateMessage(world.db, { ...message, status: "unknown" });
    tellFailed(world, message, true);
    const row = enrollmentById(world.db, message.enrollmentId);
    if (row !== undefined && isOpen(row.status)) {
      holdEnrollment(world, row, "unknown_send", message.response);
    }
  },

  withdrawn: (world, message, why, now) => {
    const row = enrollmentById(world.db, message.enrollmentId);
    if (row !== undefined && isOpen(row.status)) {
      const response = `stopped before sending: ${why}`;
      const status = why === "step" ? "cancelled" : "deferred";
      untouched(world, { ...message, response }, row, now, status);
    } else {
      toStatus(world, message, "cancelled");
    }
  },
};

function toStatus(world: World, message: StepMessage, status: StepMessage["status"]): StepMessage {
  const row = { ...message, status };
  updateMessage(world.db, row);
  return row;
}

/**
 * A lead that was never written to goes back to the new ones: any mailbox may take it, and it is counted
 * as started on the day on which its first mail really goes out.
 */
function backToQueue(row: EnrollmentRow): Partial<EnrollmentRow> {
  return row.lastSentAt === null ? { accountId: null } : {};
}

/** The mailbox is at fault: the lead keeps its attempt and is due again at once. */
function untouched(
  world: World,
  message: StepMessage,
  row: EnrollmentRow | undefined,
  now: UnixMs,
  status: StepMessage["status"] = "deferred",
): void {
  toStatus(world, { ...message, attempts: message.attempts - 1 }, status);
  if (row !== undefined && isOpen(row.status)) {
    changeEnrollment(world, row, {
      ...backToQueue(row),
      ...(row.attempts <= 1 ? { firstAttemptAt: null } : {}),
      attempts: Math.max(0, row.attempts - 1),
      dueAt: row.status === "paused" ? row.dueAt : now,
    });
  }
}

function retry(
  world: World,
  message: StepMessage,
  row: EnrollmentRow | undefined,
  now: UnixMs,
): void {
  const campaign = campaignById(world.db, message.campaignId);
  if (row === undefined || campaign === undefined || !isOpen(row.status)) {
    toStatus(world, message, "cancelled");
    return;
  }
  const at = retryAt({
    messageId: message.id,
    attempt: row.attempts,
    firstAttemptAt: row.firstAttemptAt ?? now,
    failedAt: now,
    window: campaign.sendWindow,
    zone: row.zone === "" ? null : row.zone,
  });
  if (at === null) {
    fail(world, message, row);
    return;
  }
  toStatus(world, message, "deferred");
  if (row.status !== "paused") {
    changeEnrollment(world, row, { ...backToQueue(row), dueAt: at, notBefore: at });
  }
  tellDeferred(world, message, at);
}

function fail(world: World, message: StepMessage, row: EnrollmentRow | undefined): void {
  toStatus(world, message, "failed");
  tellFailed(world, message);
  if (row !== undefined) {
    endEnrollment(world, row, "failed", "refused");
  }
}
