/**
 * The interface of what goes out of a mailbox. Three implement it: an email of a sequence
 * (`settle-step.ts`), a manual reply (`settle-reply.ts`), and a placement test's email
 * (`placement/settle-test.ts`). What they share is in `delivery/`.
 */

import { retryAt } from "#domain/campaigns/schedule.ts";
import { type SendWindow, WEEKDAYS } from "#domain/campaigns/window.ts";
import type { Fault } from "#domain/mailboxes/smtp-fault.ts";
import { plus, type UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import type { MessageRow } from "#store/tables/messages.ts";
import type { Verdict } from "#usecases/leads/unconfirmed.ts";

/** An email that a mailbox is to send now. */
export interface Claimed {
  message: MessageRow;
  /** Of the files that it carries. */
  bytes: number;
}

/** What a mailbox does next. */
export type Claim =
  | ({ kind: "send"; account: AccountRow } & Claimed)
  /** Nothing before `until`; undefined: only a change can bring work. */
  | { kind: "wait"; until: UnixMs | undefined };

/** Why a claimed email must not be sent after all; after the last two it may be tried again at once. */
export type Withdrawal =
  | "campaign"
  | "lead"
  | "suppressed"
  | "account"
  | "run"
  /** The window has closed since the claim. */
  | "window"
  /** Its step was deleted since the claim. */
  | "step"
  /** The recipient's provider refuses the mailbox, which was not known to be its own at the claim. */
  | "receiver"
  /** The recipient's domain takes no email, which was not known at the claim. */
  | "address"
  /** The program ended before the body was begun. */
  | "restart"
  /** The store could not be written when it was to begin. */
  | "storage";

/** Certainly not delivered. */
export interface Undelivered {
  fault: Exclude<Fault, { kind: "unknown" }>;
  /** Enhanced status code, where the server gave one. */
  status: string | null;
  words: string;
}

/** Runs inside a commit. What was not delivered has given back already what its claim reserved. */
export interface Outgoing<Message extends MessageRow> {
  /** Claims the next email of this kind that is due from a mailbox. */
  claim(env: Environment, account: AccountRow, now: UnixMs): Claim;
  /** What has come between the claim and the body. */
  bar(env: Environment, message: Message, account: AccountRow | undefined): Withdrawal | undefined;
  sent(env: Environment, message: Message, response: string, at: UnixMs): void;
  undelivered(env: Environment, message: Message, why: Undelivered, now: UnixMs): void;
  /** It may have been delivered: it counts against the caps. */
  unknown(env: Environment, message: Message): void;
  /** An unconfirmed email was sent: one that came back names it. */
  confirmed(env: Environment, message: Message, response: string, at: UnixMs): void;
  /** A person decides about an unconfirmed email. Throws `conflict` where it cannot be sent again. */
  resolve(env: Environment, message: Message, verdict: Verdict): void;
  /** Stopped before its body. */
  withdrawn(env: Environment, message: Message, why: Withdrawal, now: UnixMs): void;
}

const ALWAYS: SendWindow = {
  timezone: "UTC",
  days: WEEKDAYS,
  startHour: 0,
  endHour: 24,
  skipHolidays: [],
};

/** When what waits for no window is tried again; null: never. */
export function againAt(
  { id: messageId, attempts: attempt, claimedAt: firstAttemptAt }: MessageRow,
  fault: Undelivered["fault"],
  now: UnixMs,
): UnixMs | null {
  switch (fault.kind) {
    case "auth":
      return now;
    case "backoff":
      return plus(now, fault.ms);
    case "retry": {
      const times = { messageId, attempt, firstAttemptAt, failedAt: now };
      return retryAt({ ...times, window: ALWAYS, zone: null });
    }
    default:
      return null;
  }
}
