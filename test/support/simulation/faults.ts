/** What goes wrong between two mail servers, by the stage at which it does. */

import type { SendOutcome, SendStage } from "#domain/mailboxes/send-outcome.ts";
import type { Draw } from "./draw.ts";

export type Failure = Exclude<SendOutcome, { kind: "accepted" }>;

const refused = (stage: SendStage, code: number, enhanced: string, words: string): Failure => {
  return { kind: "refused", stage, code, enhanced, response: `${code} ${enhanced} ${words}` };
};
const deferred = (stage: SendStage, code: number, enhanced: string, words: string): Failure => {
  return { kind: "deferred", stage, code, enhanced, response: `${code} ${enhanced} ${words}` };
};
const unreachable = (stage: SendStage, bodySent: boolean): Failure => {
  return { kind: "unreachable", stage, reason: `connection lost at ${stage}`, bodySent };
};

const BEFORE_BODY: readonly Failure[] = [
  unreachable("connect", false),
  unreachable("mail", false),
  unreachable("rcpt", false),
  unreachable("data", false),
  deferred("connect", 421, "4.3.2", "shutting down"),
  refused("connect", 554, "5.7.1", "no service here"),
  deferred("auth", 454, "4.7.0", "authentication is busy"),
  deferred("mail", 451, "4.3.0", "try later"),
  refused("mail", 550, "5.7.1", "sender refused"),
  deferred("rcpt", 450, "4.2.0", "mailbox busy"),
  deferred("rcpt", 451, "4.7.1", "greylisted"),
  deferred("rcpt", 421, "4.7.28", "unusual rate"),
  deferred("rcpt", 450, "4.2.1", "rate limit of this recipient exceeded"),
  refused("rcpt", 550, "5.1.1", "user unknown"),
  refused("rcpt", 550, "5.4.5", "daily quota exceeded"),
  refused("rcpt", 552, "5.2.2", "mailbox full"),
  refused("rcpt", 554, "5.7.1", "not wanted"),
];

const AFTER_BODY: readonly Failure[] = [
  deferred("data", 451, "4.3.0", "try later"),
  deferred("data", 454, "4.7.0", "not now"),
  refused("data", 554, "5.7.1", "content refused"),
  refused("data", 554, "5.7.0", "sending limit reached"),
  refused("data", 552, "5.3.4", "too large"),
  unreachable("data", true),
  unreachable("data", true),
];

export function faultBeforeBody(draw: Draw): Failure {
  return draw.pick(BEFORE_BODY);
}

export function faultAfterBody(draw: Draw): Failure {
  return draw.pick(AFTER_BODY);
}
