/**
 * Sending accounts: states, defaults, and what a run of SMTP errors means.
 *
 * Source: the fields are the seed's; states, defaults and probe times are ours.
 */

import { MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Provider, Security } from "./mailbox.ts";

export const ACCOUNT_STATUSES = ["active", "paused", "error", "disabled"] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export const ACCOUNT_STATUS_REASONS = ["manual", "health", "auth", "smtp_errors"] as const;
export type AccountStatusReason = (typeof ACCOUNT_STATUS_REASONS)[number];

export const NOT_READY_REASONS = ["no_credentials", "untested", "failed", "workspace"] as const;
/** Why a live account cannot send yet; null when it can. */
export type NotReadyReason = (typeof NOT_READY_REASONS)[number];

/** False while a live account has no proven way to send; in test every provider is simulated. */
export function isReady(
  { notReadyReason }: { notReadyReason: NotReadyReason | null },
  env: "live" | "test",
): boolean {
  return env === "test" || notReadyReason === null;
}

/** A plan for a new mailbox: `start` messages on its first day, `increment` more on each day after. */
export interface Ramp {
  start: number;
  increment: number;
  /** Local date on which it began, `2026-03-01`. */
  from: string;
}

/**
 * A stretch of time of which it is not known what a mailbox sent, because its data was put back to the
 * state of `since`; from `until` on it has sent nothing.
 */
export interface UnconfirmedSends {
  since: UnixMs;
  until: UnixMs;
}

export interface ServerSettings {
  host: string;
  port: number;
  security: Security;
  username: string;
}

/** The key that our own signature of an account's email is made with. */
export interface DkimSettings {
  /** The account's own domain, as receivers want it of the address in From. */
  domain: string;
  selector: string;
  /** SubjectPublicKeyInfo in base64. */
  publicKey: string;
  createdAt: UnixMs;
  /** Since when the key has been seen in DNS: email is signed from then on. Null: it never was. */
  activeAt: UnixMs | null;
}

/** A further address of a mailbox: email to it arrives there, and the mailbox may send as it. */
export interface Alias {
  email: string;
  /** Null: the mailbox's own display name. */
  name: string | null;
}

export const ALIASES_MAX = 50;

interface Addressed {
  email: string;
  displayName: string | null;
  aliases: readonly Alias[];
  /** The address that new conversations are begun from; null: the mailbox's own. */
  sendAs: string | null;
}

/** Every address whose email arrives in the mailbox, its own first. */
export function ownAddresses({ email, aliases }: Pick<Addressed, "email" | "aliases">): string[] {
  return [email, ...aliases.map((alias) => alias.email)];
}

/** The mailbox as it writes from `address`: with that address and name as its own. Null is its own already. */
export function asSender<Row extends Addressed>(row: Row, address = row.sendAs): Row {
  const email = address ?? row.email;
  const name = row.aliases.find((alias) => alias.email === email)?.name;
  return { ...row, email, displayName: name ?? row.displayName, sendAs: null };
}

export const ACCOUNT_DEFAULTS = {
  timezone: "UTC",
  healthScore: 100,
  dailyLimit: 30,
  hourlyLimit: 10,
  providerLimits: {},
  minGapSeconds: 180,
  maxGapSeconds: null,
  displayName: null,
  signature: null,
  aliases: [] as readonly Alias[],
  sendAs: null,
  ramp: null,
  verifyAddresses: false,
} as const;

/** Bounds of what a person may set. */
export const DAILY_LIMIT_MAX = 2000;
export const HOURLY_LIMIT_MAX = 500;
export const GAP_SECONDS_MAX = 86_400;
export const RAMP_MAX = 2000;
export const SIGNATURE_MAX = 10_000;

/** Accounts of one team: what a list answers at once. */
export const ACCOUNTS_MAX = 5000;

/** Characters of a server's words that are kept in `last_error`. */
export const LAST_ERROR_MAX = 500;

/** The servers of the large providers, so that an address and a secret are enough. */
const PRESETS: Partial<
  Record<Provider, Record<"smtp" | "imap", Omit<ServerSettings, "username">>>
> = {
  google: {
    smtp: { host: "smtp.gmail.com", port: 465, security: "tls" },
    imap: { host: "imap.gmail.com", port: 993, security: "tls" },
  },
  microsoft: {
    smtp: { host: "smtp.office365.com", port: 587, security: "starttls" },
    imap: { host: "outlook.office365.com", port: 993, security: "tls" },
  },
};

/** What is odd about the limits of an account, though they can be kept; null where nothing is. */
export function limitsWarning(limits: { dailyLimit: number; hourlyLimit: number }): string | null {
  const { dailyLimit, hourlyLimit } = limits;
  return dailyLimit > 0 && hourlyLimit > dailyLimit
    ? `hourly_limit (${hourlyLimit}) is above daily_limit (${dailyLimit}), so it has no effect: the account sends at most ${dailyLimit} emails a day`
    : null;
}

/** The provider's server for `email`; null where only its owner knows it. */
export function presetServer(
  provider: Provider,
  protocol: "smtp" | "imap",
  email: string,
): ServerSettings | null {
  const preset = PRESETS[provider]?.[protocol];
  return preset === undefined ? null : { ...preset, username: email };
}

/** True where we have to file what was sent: google and microsoft keep a copy by themselves. */
export function savesSent(provider: Provider): boolean {
  return provider === "smtp" || provider === "sandbox";
}

const PORTS = {
  smtp: { tls: 465, starttls: 587, none: 25 },
  imap: { tls: 993, starttls: 143, none: 143 },
} as const;

/** Port and security where one or both are left out: the usual port says how it is secured. */
export function fillConnection(
  protocol: "smtp" | "imap",
  given: { port?: number; security?: Security },
): { port: number; security: Security } {
  const usual = PORTS[protocol];
  const byDefault = protocol === "imap" ? "tls" : "starttls";
  const byPort =
    given.port === undefined ? byDefault : given.port === usual.tls ? "tls" : "starttls";
  const security = given.security ?? byPort;
  return { port: given.port ?? usual[security], security };
}

/** Consecutive SMTP errors after which an account rests in `error` and is probed. */
export const SMTP_ERRORS_MAX = 5;

const PROBE_MINUTES = [1, 5, 15, 60] as const;

/** Credentials that never worked are tried by themselves this often, lest a server locks the mailbox. */
export const FIRST_PROBES_MAX = PROBE_MINUTES.length;

/** When an account in `error` is tried again after `probes` failed tries; every hour in the end. */
export function probeAt(probes: number, now: UnixMs): UnixMs {
  const minutes = PROBE_MINUTES[Math.min(probes, PROBE_MINUTES.length - 1)] ?? 60;
  return plus(now, minutes * MINUTE_MS);
}
