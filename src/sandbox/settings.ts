/** How a team's simulated people and servers behave: seed, rates, delays, faults. Source: ours. */

import type { MailProvider } from "#domain/mailboxes/mail-provider.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, type UnixMs } from "#domain/time.ts";
import { findSettings, sandboxSeed } from "#store/sandbox/sandbox.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";

export const REACTION_KINDS = [
  "reply",
  "interested",
  "auto_reply",
  "hard_bounce",
  "soft_bounce",
  "complaint",
  "unsubscribe",
] as const;
/** What can come back for a message. */
export type ReactionKind = (typeof REACTION_KINDS)[number];

/** What nobody sends by themselves, and a person can have played. */
export const PLAYED_ONLY = ["block_bounce", "delay", "left_company", "newsletter"] as const;
export type PlayedKind = ReactionKind | (typeof PLAYED_ONLY)[number];

export const RATE_NAMES = [...REACTION_KINDS, "spam"] as const;
export type RateName = (typeof RATE_NAMES)[number];

export const FAULT_NAMES = ["smtp421", "smtp450", "smtp550", "timeout", "cut", "imap"] as const;
/**
 * `cut`: the connection ends after the body, the message taken or not. `imap`: the mailbox cannot be
 * read. The others are the server's responses to RCPT.
 */
export type FaultName = (typeof FAULT_NAMES)[number];

/** Bounds of a delay; short ones are likelier (log-uniform). */
export interface Delay {
  minSeconds: number;
  maxSeconds: number;
}

export const DELAY_SECONDS_MAX = (366 * DAY_MS) / SECOND_MS;
export const AUTH_FAILURES_MAX = 1000;
/** Seeds are 0 to this. */
export const SEED_MAX = 4_294_967_295;

/** People reply by what a message says: these rates hold for messages that contain a text. */
export interface Effect {
  /** Of subject or text, upper and lower case alike. */
  contains: string;
  rates: Partial<Record<RateName, number>>;
}

export const EFFECTS_MAX = 20;
export const EFFECT_TEXT_MAX = 200;

export const BLOCK_KINDS = ["refuse", "throttle"] as const;

/** A provider that takes nothing from the team's mailboxes for a while, or tells them to slow down. */
export interface ProviderBlock {
  provider: MailProvider;
  kind: (typeof BLOCK_KINDS)[number];
  from: UnixMs;
  until: UnixMs;
}

export const BLOCKS_MAX = 20;

export interface SandboxSettings {
  /** The same seed gives the same people. */
  seed: number;
  /**
   * Shares of messages, 0 to 1, looked at in this order, the first that strikes alone: `hard_bounce` (of
   * people, for good), `soft_bounce`, `spam` (nobody reads it), `auto_reply`, `complaint`, `unsubscribe`,
   * `interested`, `reply`.
   */
  rates: Record<RateName, number>;
  delays: Record<ReactionKind, Delay>;
  /** Shares of attempts, 0 to 1. */
  faults: Record<FaultName, number>;
  /** Accounts whose login is refused. */
  authFailures: readonly Id[];
  /** The first whose text a message contains holds for it. */
  effects: readonly Effect[];
  blocks: readonly ProviderBlock[];
}

const seconds = (minMs: number, maxMs: number): Delay => ({
  minSeconds: minMs / SECOND_MS,
  maxSeconds: maxMs / SECOND_MS,
});

export const SETTINGS_DEFAULTS: Omit<SandboxSettings, "seed"> = {
  rates: {
    reply: 0.04,
    interested: 0.02,
    auto_reply: 0.04,
    hard_bounce: 0.01,
    soft_bounce: 0.01,
    complaint: 0.0002,
    unsubscribe: 0.01,
    spam: 0.02,
  },
  delays: {
    reply: seconds(10 * MINUTE_MS, 3 * DAY_MS),
    interested: seconds(5 * MINUTE_MS, 2 * DAY_MS),
    auto_reply: seconds(2 * SECOND_MS, MINUTE_MS),
    hard_bounce: seconds(2 * SECOND_MS, 5 * MINUTE_MS),
    soft_bounce: seconds(HOUR_MS, 8 * HOUR_MS),
    complaint: seconds(5 * MINUTE_MS, 2 * DAY_MS),
    unsubscribe: seconds(2 * MINUTE_MS, DAY_MS),
  },
  faults: { smtp421: 0, smtp450: 0, smtp550: 0, timeout: 0, cut: 0, imap: 0 },
  authFailures: [],
  effects: [],
  blocks: [],
};

/** What the team has set, over the defaults; the seed's default is the installation's. */
export function settingsOf(db: Db, teamId: Id): SandboxSettings {
  const given = (findSettings(db, teamId) ?? {}) as Partial<SandboxSettings>;
  return {
    seed: given.seed ?? sandboxSeed(db),
    rates: { ...SETTINGS_DEFAULTS.rates, ...given.rates },
    delays: { ...SETTINGS_DEFAULTS.delays, ...given.delays },
    faults: { ...SETTINGS_DEFAULTS.faults, ...given.faults },
    authFailures: given.authFailures ?? [],
    effects: given.effects ?? [],
    blocks: given.blocks ?? [],
  };
}

/** The settings as they hold for a message of this subject and text. */
export function affectedBy(settings: SandboxSettings, content: string): SandboxSettings {
  const said = content.toLowerCase();
  const effect = settings.effects.find(({ contains }) => said.includes(contains.toLowerCase()));
  return effect === undefined
    ? settings
    : { ...settings, rates: { ...settings.rates, ...effect.rates } };
}
