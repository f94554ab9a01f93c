/** A manual reply: claimed and settled as an email of a sequence, but no sequence moves because of it. */

import { conflict } from "#domain/problem.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { ReplyMessage } from "#store/tables/messages.ts";
import { countSend } from "#usecases/campaigns/negative-events.ts";
import { emitDeferred, emitFailed, emitSent } from "#usecases/events/email-events.ts";
import type { Verdict } from "#usecases/leads/unconfirmed.ts";
import { recordBounce } from "./bounces.ts";
import { claimReply, giveUp, mayReplyFrom, mayStillReply } from "./claim-reply.ts";
import { againAt, type Outgoing } from "./outgoing.ts";

export const REPLY: Outgoing<ReplyMessage> = {
  claim: claimReply,

  bar: (env, message, account) => {
    if (!mayReplyFrom(env, account)) {
      return "account";
    }
    return message.recipient === "" || !mayStillReply(env, message) ? "suppressed" : undefined;
  },

  sent: (env, message, response, sentAt) => {
    const sent = { ...message, status: "sent" as const, sentAt, response };
    updateMessage(env.db, sent);
    emitSent(env, sent);
    countSend(env, sent);
  },

  undelivered: (env, message, { fault, status, words }, now) => {
    const at = againAt(message, fault, now);
    if (at !== null) {
      wait(env, message, at);
      if (fault.kind === "retry") {
        emitDeferred(env, message, at);
      }
    } else if (fault.kind === "bounce" || fault.kind === "soft_bounce") {
      const failed = { ...message, status: "failed" as const };
      updateMessage(env.db, failed);
      const severity = fault.kind === "bounce" ? "hard" : "soft";
      recordBounce(env, failed, { severity, status, words });
    } else {
      giveUp(env, message, words);
    }
  },

  unknown: (env, message) => {
    updateMessage(env.db, { ...message, status: "unknown" });
    emitFailed(env, message, true);
  },

  confirmed: (...given) => REPLY.sent(...given),

  resolve,

  withdrawn: (env, message, why, now) => {
    if (why === "restart" || why === "storage") {
      wait(env, { ...message, attempts: message.attempts - 1 }, now);
    } else {
      giveUp(env, message, `stopped before sending: ${why}`);
    }
  },
};

function wait(env: Environment, message: ReplyMessage, dueAt: UnixMs): void {
  updateMessage(env.db, { ...message, status: "deferred", dueAt });
}

/** Sent again it is the same message, with its own Message-ID, from the same mailbox. */
function resolve(env: Environment, message: ReplyMessage, verdict: Verdict): void {
  const now = env.clock.now();
  if (verdict === "treat_as_sent") {
    REPLY.sent(env, message, "treated as sent", message.dataAt ?? now);
    return;
  }
  const account = accountById(env.db, message.accountId);
  if (account === undefined || !mayReplyFrom(env, account)) {
    throw conflict("the mailbox of this message can't send; check its status");
  }
  if (!mayStillReply(env, message)) {
    throw conflict("this address is suppressed, and it hasn't written to you since");
  }
  // It may have been delivered: until it is claimed again, a reply to it still counts.
  updateMessage(env.db, {
    ...message,
    status: "deferred",
    attempts: 0,
    claimedAt: now,
    dueAt: now,
  });
  updateAccount(env.db, { ...account, wakeAt: now });
  env.wake();
}
