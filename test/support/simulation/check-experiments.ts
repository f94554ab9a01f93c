/**
 * Invariants of experiments. What a lead counts as is worked out anew from messages, emails that came back
 * and enrollments; none of it uses the product's own sums.
 */

import { HOUR_MS } from "#domain/time.ts";
import type { Scene } from "./scene.ts";
import type { ExposureFacts, Snapshot } from "./snapshot.ts";

/** Judging is done by the hour, and a process may just have been down. */
const JUDGED_WITHIN_MS = 2 * HOUR_MS;

const NAMES = [
  "sent",
  "replies",
  "interested",
  "negativeReplies",
  "bounced",
  "optedOut",
  "successes",
  "failures",
] as const;
type Sums = Record<(typeof NAMES)[number], number>;

/** Variant counters equal the sums over enrollments, whichever way they are summed up. */
export function* checkVariants({ snapshot }: Scene): Iterable<string> {
  const sums = new Map<string, Sums>();
  for (const exposure of snapshot.exposures) {
    const counts = countsOf(snapshot, exposure);
    const buckets = [
      `${exposure.variant} variant `,
      `${exposure.variant} epoch ${exposure.epoch}`,
      `${exposure.variant} stratum ${exposure.account} ${exposure.provider}`,
    ];
    for (const bucket of counts.sent === 0 ? [] : buckets) {
      const sum = sums.get(bucket) ?? zero();
      for (const name of NAMES) {
        sum[name] += counts[name];
      }
      sums.set(bucket, sum);
    }
  }
  for (const { variant, kind, bucket, ...tally } of snapshot.tallies) {
    const key = `${variant} ${kind} ${kind === "stratum" ? plain(bucket) : bucket}`;
    const sum = sums.get(key) ?? zero();
    sums.delete(key);
    for (const name of NAMES) {
      if (tally[name] !== sum[name]) {
        yield `${key} counts ${tally[name]} ${name}, there are ${sum[name]}`;
      }
    }
  }
  for (const key of sums.keys()) {
    yield `${key} is not counted`;
  }
}

function zero(): Sums {
  return {
    ...{ sent: 0, replies: 0, interested: 0, negativeReplies: 0, bounced: 0, optedOut: 0 },
    ...{ successes: 0, failures: 0 },
  };
}

/** `<id> <provider>` as the snapshot writes ids. */
function plain(bucket: string): string {
  const [account = "", provider = ""] = bucket.split(" ");
  return `${account.replaceAll("-", "").toUpperCase()} ${provider}`;
}

function countsOf(snapshot: Snapshot, exposure: ExposureFacts): Sums {
  const { sentAt, metric } = exposure;
  const message = snapshot.messages.find(({ id }) => id === exposure.message);
  if (sentAt === null || message?.status !== "sent") {
    return zero();
  }
  const replies = snapshot.inbound
    .filter(({ kind, enrollment }) => kind === "reply" && enrollment === exposure.enrollment)
    .filter(({ receivedAt, answers }) => receivedAt >= sentAt || answers === exposure.message)
    .map(({ receivedAt }) => Math.max(receivedAt, sentAt));
  const first = replies.length === 0 ? null : Math.min(...replies);
  const enrollment = snapshot.enrollments.find(({ id }) => id === exposure.enrollment);
  const interest = enrollment?.interest ?? null;
  const isInterested = first !== null && (interest === "interested" || interest === "meeting");
  const bounced = message.bouncedAt !== null;
  const inTime = first !== null && (exposure.windowMs === 0 || first <= sentAt + exposure.windowMs);
  const success = {
    reply_rate: inTime,
    interested_rate: inTime && isInterested,
    bounce_rate: !bounced,
  }[metric];
  return {
    sent: 1,
    replies: Number(first !== null),
    interested: Number(isInterested),
    negativeReplies: Number(first !== null && interest === "not_interested"),
    bounced: Number(bounced),
    optedOut: Number(enrollment?.status === "unsubscribed"),
    successes: Number(exposure.judged && success),
    failures: Number(exposure.judged && !success),
  };
}

/** A lead is counted for the variant that it was sent, once its email was sent, and measured in time. */
export function* checkShown({ snapshot }: Scene): Iterable<string> {
  const seen = new Set<string>();
  for (const one of snapshot.exposures) {
    const key = `${one.experiment} ${one.lead}`;
    if (seen.has(key)) {
      yield `${key} is shown two variants`;
    }
    seen.add(key);
    const message = snapshot.messages.find(({ id }) => id === one.message);
    if ((one.sentAt !== null) !== (message?.status === "sent")) {
      yield `${key} is sent at ${one.sentAt}, its message is ${message?.status}`;
    }
    if (one.sentAt !== null && one.words !== null && !one.says) {
      yield `${key} counts for "${one.words}", and was sent something else`;
    }
    const closes = one.sentAt === null ? null : one.sentAt + one.windowMs;
    if (closes !== null && !one.judged && closes + JUDGED_WITHIN_MS < snapshot.now) {
      yield `${key} is not judged, its window closed at ${closes}`;
    }
  }
  for (const { step, n } of snapshot.governed) {
    if (n > 1) {
      yield `step ${step} is governed by ${n} experiments`;
    }
  }
}
