/** What became of an answer by hand: as for a sequence's mail, but nothing goes on because of it. */

import { retryAt } from "#domain/campaigns/schedule.ts";
import { type SendWindow, WEEKDAYS } from "#domain/campaigns/window.ts";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { judgeFault } from "#domain/mailboxes/smtp-fault.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import { countSend } from "#usecases/campaigns/harms.ts";
import { tellDeferred, tellFailed, tellSent } from "#usecases/events/email-events.ts";
import { noteSmtpOk } from "#usecases/mailboxes/accounts.ts";
import type { World } from "#world.ts";
import { giveUp } from "./answers.ts";
import { noteBounce } from "./bounces.ts";
import { release } from "./outbox.ts";

/** Never closed: an answer waits for no window. */
const ALWAYS: SendWindow = { timezone: "UTC", days: WEEKDAYS, startHour: 0, endHour: 24 };

export function settleAnswer(
  world: World,
  sending: MessageRow,
  outcome: SendOutcome,
  now: UnixMs,
): void {
  if (outcome.kind === "accepted") {
    noteAnswered(world, sending, outcome.response, now);
    return;
  }
  const words = outcome.kind === "unreachable" ? outcome.reason : outcome.response;
  const code = outcome.kind === "unreachable" ? null : outcome.code;
  const message = { ...sending, response: words, code };
  const fault = judgeFault(outcome);
  if (fault.kind === "unknown") {
    updateMessage(world.db, { ...message, status: "unknown" });
    tellFailed(world, message, true);
    return;
  }
  release(world, message);
  const unsent = { ...message, reserved: [], dataAt: null };
  switch (fault.kind) {
    case "auth":
      wait(world, unsent, now);
      return;
    case "backoff":
      wait(world, unsent, plus(now, fault.ms));
      return;
    case "retry":
      retry(world, unsent, now);
      return;
    case "bounce":
    case "soft_bounce": {
      const failed = { ...unsent, status: "failed" as const };
      updateMessage(world.db, failed);
      const severity = fault.kind === "bounce" ? "hard" : "soft";
      const status = outcome.kind === "unreachable" ? null : outcome.enhanced;
      noteBounce(world, failed, { severity, status, words });
      return;
    }
    case "failed":
    case "sender":
      giveUp(world, unsent, words);
      return;
    default:
      fault satisfies never;
  }
}

export function noteAnswered(
  world: World,
  message: MessageRow,
  response: string,
  sentAt: UnixMs,
): void {
  const sent = { ...message, status: "sent" as const, sentAt, response };
  updateMessage(world.db, sent);
  tellSent(world, sent);
  countSend(world, sent);
  noteSmtpOk(world, message.accountId);
}

/** The mail was stopped before its body. `again`: because the program ended, not for a reason. */
export function withdrawAnswer(
  world: World,
  message: MessageRow,
  { why, again, now }: { why: string; again: boolean; now: UnixMs },
): void {
  release(world, message);
  const unsent = { ...message, reserved: [], dataAt: null };
  if (again) {
    wait(world, { ...unsent, attempts: message.attempts - 1 }, now);
  } else {
    giveUp(world, unsent, `stopped before sending: ${why}`);
  }
}

function wait(world: World, message: MessageRow, dueAt: UnixMs): void {
  updateMessage(world.db, { ...message, status: "deferred", dueAt });
}

function retry(world: World, message: MessageRow, now: UnixMs): void {
  const at = retryAt({
    messageId: message.id,
    attempt: message.attempts,
    firstAttemptAt: message.claimedAt,
    failedAt: now,
    window: ALWAYS,
    zone: null,
  });
  if (at === null) {
    giveUp(world, message, message.response ?? "");
    return;
  }
  wait(world, message, at);
  tellDeferred(world, message, at);
}
