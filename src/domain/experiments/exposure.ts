/**
 * What a lead that was shown a variant counts as. Counters of experiments are sums of this over leads,
 * so a reply that is relabelled or a lead that is erased changes them all alike.
 *
 * - All but successes and failures are counted as they come.
 * - A lead is measured when its attribution window closes, never before: counting replies at once and
 *   silence later would favour the variant that was mailed last. A window of no days is open for ever,
 *   and its leads are measured at once by what has come so far.
 */

import type { Interest } from "#domain/campaigns/enrollment.ts";
import { type UnixMs, unixMs } from "#domain/time.ts";
import type { PrimaryMetric } from "./experiment.ts";

export interface Exposure {
  sentAt: UnixMs | null;
  repliedAt: UnixMs | null;
  interested: boolean;
  /** Classified as not interested, by a rule or a person. */
  declined: boolean;
  bounced: boolean;
  /** Opted out or complained after the email. */
  optedOut: boolean;
  judged: boolean;
  /** 0: open for ever. */
  windowMs: number;
  metric: PrimaryMetric;
}

export const COUNT_NAMES = [
  "sent",
  "replies",
  "interested",
  "negativeReplies",
  "bounced",
  "optedOut",
  "successes",
  "failures",
] as const;
export type Counts = Record<(typeof COUNT_NAMES)[number], number>;

export const NO_COUNTS: Readonly<Counts> = {
  sent: 0,
  replies: 0,
  interested: 0,
  negativeReplies: 0,
  bounced: 0,
  optedOut: 0,
  successes: 0,
  failures: 0,
};

/** Of no exposure, and of one that was not sent, nothing. */
export function countsOf(exposure: Exposure | undefined): Counts {
  if (exposure === undefined || exposure.sentAt === null) {
    return { ...NO_COUNTS };
  }
  const replied = exposure.repliedAt !== null;
  const success = Number(isSuccess(exposure, exposure.sentAt));
  const judged = Number(exposure.judged);
  return {
    sent: 1,
    replies: Number(replied),
    interested: Number(replied && exposure.interested),
    negativeReplies: Number(replied && exposure.declined),
    bounced: Number(exposure.bounced),
    optedOut: Number(exposure.optedOut),
    successes: judged * success,
    failures: judged * (1 - success),
  };
}

function isSuccess(exposure: Exposure, sentAt: UnixMs): boolean {
  const { repliedAt, windowMs, metric } = exposure;
  if (metric === "bounce_rate") {
    return !exposure.bounced;
  }
  const inTime = repliedAt !== null && (windowMs === 0 || repliedAt <= sentAt + windowMs);
  return inTime && (metric === "reply_rate" || exposure.interested);
}

/** `sent` leads that are neither success nor failure yet. */
export function pendingOf({ sent, successes, failures }: Counts): number {
  return sent - successes - failures;
}

/** `a` + `b` for every count, or what `sum` makes of the two. */
export function addCounts(a: Counts, b: Counts, sum = (x: number, y: number) => x + y): Counts {
  const counts = { ...NO_COUNTS };
  for (const name of COUNT_NAMES) {
    counts[name] = sum(a[name], b[name]);
  }
  return counts;
}

/** What an email that came in tells of when a lead replied. */
export interface Received {
  kind: string;
  receivedAt: UnixMs;
  /** The message of ours that it answers. */
  repliesTo: string | null;
}

/**
 * The first reply that came after the variant's email or answers it: the clock may have been set back. An earlier one is
 * no reply to the variant. Null without one, and before the email is sent.
 */
export function firstReply(
  mails: readonly Received[],
  messageId: string,
  sentAt: UnixMs | null,
): UnixMs | null {
  if (sentAt === null) {
    return null;
  }
  const times = mails
    .filter(({ kind, receivedAt, repliesTo }) => {
      return kind === "reply" && (receivedAt >= sentAt || repliesTo === messageId);
    })
    .map(({ receivedAt }) => Math.max(receivedAt, sentAt));
  return times.length === 0 ? null : unixMs(Math.min(...times));
}

/** What the label of a lead's replies makes of it. */
export function interestOf(interest: Interest | null): Pick<Exposure, "interested" | "declined"> {
  return {
    interested: interest === "interested" || interest === "meeting",
    declined: interest === "not_interested",
  };
}
