/**
 * Webhooks: when a delivery is tried again, when an endpoint is spared, and when it is turned off.
 *
 * Source: the ten tries are the example schedule of Standard Webhooks 1.0.0; the rest is ours
 * (`docs/adr/events-and-webhooks.md`).
 */

import { hash01 } from "#domain/random.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";

export const DELIVERY_STATUSES = ["pending", "succeeded", "failed"] as const;
/** `pending`: tried at `next_attempt_at`, once its webhook is active. */
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const DISABLED_REASONS = ["gone", "failing"] as const;
/** `gone`: it answered 410. `failing`: five days without a success. A person's own hand has no reason. */
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const ATTEMPT_ERRORS = [
  "dns",
  "address_not_allowed",
  "refused",
  "tls",
  "timeout",
  "closed",
  "protocol",
  "too_large",
  "status",
  "internal",
] as const;
/**
 * Why an attempt failed, coarse enough that nobody maps a network by it. `closed`: the connection broke.
 * `protocol`: what came back is not HTTP. `status`: it answered, and not with 2xx.
 */
export type AttemptError = (typeof ATTEMPT_ERRORS)[number];

/** Waits before each try, the first at once. */
const TRY_AFTER_MS = [
  0,
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
] as const;
export const TRIES_MAX = TRY_AFTER_MS.length;

/** Added to a wait, at most, so that what failed together is not tried together. */
const JITTER = 0.1;
export const RETRY_AFTER_MS_MAX = DAY_MS;

/**
 * When a delivery is tried again after `tries` failed ones, the last at `now`; null when that was the last.
 * A `Retry-After` of the endpoint can only make it later, by a day at most.
 */
export function nextTryAt(
  deliveryId: string,
  tries: number,
  now: UnixMs,
  retryAfterMs: number | null,
): UnixMs | null {
  const wait = TRY_AFTER_MS[tries];
  if (wait === undefined) {
    return null;
  }
  const jittered = wait * (1 + JITTER * hash01(deliveryId, tries));
  const asked = Math.min(retryAfterMs ?? 0, RETRY_AFTER_MS_MAX);
  return plus(now, Math.max(jittered, asked));
}

/** How an endpoint has been doing. */
export interface EndpointHealth {
  /** Failures since the last success. */
  failures: number;
  /** Of the first of them. */
  failingSince: UnixMs | null;
  /** Nothing is sent before; then one, to see. */
  pausedUntil: UnixMs | null;
}

export const WELL: EndpointHealth = { failures: 0, failingSince: null, pausedUntil: null };

/** Failures in a row after which an endpoint is only probed. */
export const FAILURES_MAX = 10;
export const FAILING_MS_MAX = 5 * DAY_MS;
const PROBE_MS_MIN = 5 * SECOND_MS;
const PROBE_MS_MAX = 5 * MINUTE_MS;

/** After another failure at `now`: from the tenth on it rests, for 5 s first and for 5 min at most. */
export function afterFailure(health: EndpointHealth, now: UnixMs): EndpointHealth {
  const failures = health.failures + 1;
  const doublings = Math.min(failures - FAILURES_MAX, Math.log2(PROBE_MS_MAX / PROBE_MS_MIN));
  return {
    failures,
    failingSince: health.failingSince ?? now,
    pausedUntil: doublings < 0 ? null : plus(now, PROBE_MS_MIN * 2 ** doublings),
  };
}

/** True when an endpoint has failed so often and for so long that it is turned off. */
export function isHopeless({ failures, failingSince }: EndpointHealth, now: UnixMs): boolean {
  return failures >= FAILURES_MAX && failingSince !== null && now - failingSince >= FAILING_MS_MAX;
}

/** Requests to one endpoint at a time: two, and one where it is only probed. */
export function requestsMax({ failures }: EndpointHealth): number {
  return failures < FAILURES_MAX ? 2 : 1;
}
