/** A reply by hand once it is claimed: as an email of a sequence, but nothing goes on because of it. */

import type { UnixMs } from "#domain/time.ts";
import { updateMessage } from "#store/sending/messages.ts";
import type { ReplyMessage } from "#store/tables/messages.ts";
import { countSend } from "#usecases/campaigns/harms.ts";
import { tellDeferred, tellFailed, tellSent } from "#usecases/events/email-events.ts";
import type { World } from "#world.ts";
import { giveUp, mayAnswer, mayAnswerFrom } from "./answers.ts";
import { noteBounce } from "./bounces.ts";
import { againAt, type Outgoing } from "./outgoing.ts";

export const REPLY: Outgoing<ReplyMessage> = {
  bar: (world, message, account) => {
    if (!mayAnswerFrom(world, account)) {
      return "account";
    }
    return message.recipient === "" || !mayAnswer(world, message) ? "suppressed" : undefined;
  },

  sent: (world, message, response, sentAt) => {
    const sent = { ...message, status: "sent" as const, sentAt, response };
    updateMessage(world.db, sent);
    tellSent(world, sent);
    countSend(world, sent);
  },

  undelivered: (world, message, { fault, status, words }, now) => {
    const at = againAt(message, fault, now);
    if (at !== null) {
      wait(world, message, at);
      if (fault.kind === "retry") {
        tellDeferred(world, message, at);
      }
    } else if (fault.kind === "bounce" || fault.kind === "soft_bounce") {
      const failed = { ...message, status: "failed" as const };
      updateMessage(world.db, failed);
      const severity = fault.kind === "bounce" ? "hard" : "soft";
      noteBounce(world, failed, { severity, status, words });
    } else {
      giveUp(world, message, words);
    }
  },

  unknown: (world, message) => {
    updateMessage(world.db, { ...message, status: "unknown" });
    tellFailed(world, message, true);
  },

  withdrawn: (world, message, why, now) => {
    if (why === "restart" || why === "storage") {
      wait(world, { ...message, attempts: message.attempts - 1 }, now);
    } else {
      giveUp(world, message, `stopped before sending: ${why}`);
    }
  },
};

function wait(world: World, message: ReplyMessage, dueAt: UnixMs): void {
  updateMessage(world.db, { ...message, status: "deferred", dueAt });
}
