/**
 * Sending accounts: states, defaults, and what a run of SMTP errors means.
 *
 * Source: the fields are the seed's; states, defaults and probe times are ours.
 */

import type { Security } from "./mailbox.ts";
import { MINUTE_MS, plus, type UnixMs } from "./time.ts";

export const ACCOUNT_STATUSES = ["active", "paused", "error", "disabled"] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const ACCOUNT_STATUS_REASONS = ["manual", "health", "auth", "smtp_errors"] as const;
export type AccountStatusReason = (typeof ACCOUNT_STATUS_REASONS)[number];

export const NOT_READY_REASONS = ["no_credentials", "untested", "failed"] as const;
/** Why a live account cannot send yet; null when it can. */
export type NotReadyReason = (typeof NOT_READY_REASONS)[number];

/** A plan for a new mailbox: `start` messages on its first day, `increment` more on each day after. */
export interface Ramp {
  start: number;
  increment: number;
  /** Local date on which it began, `2026-03-01`. */
  from: string;
}

export interface ServerSettings {
  host: string;
  port: number;
  security: Security;
  username: string;
}

export const ACCOUNT_DEFAULTS = {
  timezone: "UTC",
  healthScore: 100,
  dailyLimit: 30,
  hourlyLimit: 10,
  minGapSeconds: 180,
} as const;

/** Consecutive SMTP errors after which an account rests in `error` and is probed. */
export const SMTP_ERRORS_MAX = 5;

const PROBE_MINUTES = [1, 5, 15, 60] as const;

/** When an account in `error` is tried again after `probes` failed tries; every hour in the end. */
export function probeAt(probes: number, now: UnixMs): UnixMs {
  const minutes = PROBE_MINUTES[Math.min(probes, PROBE_MINUTES.length - 1)] ?? 60;
  return plus(now, minutes * MINUTE_MS);
}
