/** By what an email is matched to a message of ours; the look-up itself is the store's. */

import type { Classification } from "./classify.ts";
import type { ParsedMail } from "./mail.ts";

export interface MatchKeys {
  /** Message-IDs with angle brackets, the most telling first. */
  messageIds: readonly string[];
  /** Addresses that we may have written to, where no id is known. */
  senders: readonly string[];
}

const IDS_MAX = 50;
const SENDERS_MAX = 20;

/**
 * Replies name what they reply to: In-Reply-To, then References from the newest. Reports name what they
 * return, and the recipient that failed or complained; who sent the report says nothing.
 */
export function matchKeys(mail: ParsedMail, reading: Classification): MatchKeys {
  const answered = [mail.inReplyTo ?? "", ...mail.references.toReversed()];
  const isReport = ["bounce", "notice", "complaint"].includes(reading.kind);
  const ids = isReport
    ? [...reading.originalMessageIds, ...answered]
    : [...answered, ...reading.originalMessageIds];
  const people = [mail.from?.address ?? "", mail.replyTo?.address ?? "", ...reading.recipients];
  const senders = isReport ? reading.recipients : people;
  return {
    messageIds: unique(ids).slice(0, IDS_MAX),
    senders: unique(senders).slice(0, SENDERS_MAX),
  };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== ""))];
}
