/** A reply by hand once it is claimed: as an email of a sequence, but nothing goes on because of it. */

import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { ReplyMessage } from "#store/tables/messages.ts";
import { countSend } from "#usecases/campaigns/negative-events.ts";
import { tellDeferred, tellFailed, tellSent } from "#usecases/events/email-events.ts";
import { noteBounce } from "./bounces.ts";
import { againAt, type Outgoing } from "./outgoing.ts";
import { giveUp, mayReply, mayReplyFrom } from "./replies.ts";

export const REPLY: Outgoing<ReplyMessage> = {
  bar: (env, message, account) => {
    if (!mayReplyFrom(env, account)) {
      return "account";
    }
    return message.recipient === "" || !mayReply(env, message) ? "suppressed" : undefined;
  },

  sent: (env, message, response, sentAt) => {
    const sent = { ...message, status: "sent" as const, sentAt, response };
    updateMessage(env.db, sent);
    tellSent(env, sent);
    countSend(env, sent);
  },

  undelivered: (env, message, { fault, status, words }, now) => {
    const at = againAt(message, fault, now);
    if (at !== null) {
      wait(env, message, at);
      if (fault.kind === "retry") {
        tellDeferred(env, message, at);
      }
    } else if (fault.kind === "bounce" || fault.kind === "soft_bounce") {
      const failed = { ...message, status: "failed" as const };
      updateMessage(env.db, failed);
      const severity = fault.kind === "bounce" ? "hard" : "soft";
      noteBounce(env, failed, { severity, status, words });
    } else {
      giveUp(env, message, words);
    }
  },

  unknown: (env, message) => {
    updateMessage(env.db, { ...message, status: "unknown" });
    tellFailed(env, message, true);
  },

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
