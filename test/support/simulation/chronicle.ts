/**
 * What happened in a simulation, as the outside environment saw it: the email that servers took, and what
 * people asked for and were answered. Written by the simulation itself, never read from the product's
 * tables, so that the product can be checked by it.
 *
 * Everything has a `seq`, because at one instant of simulated time many things happen in an order.
 */

import type { SendWindow } from "#domain/campaigns/window.ts";
import type { Placement } from "#domain/placement/placement.ts";
import type { UnixMs } from "#domain/time.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Line, Noted, Stand } from "./lines.ts";

/** An email whose body was handed to a server. */
export interface Handed {
  /** When the product was told to go ahead with the body. */
  seq: number;
  /** When it was claimed, by its own Date header: whole seconds. */
  at: UnixMs;
  /** When the server was given its body. */
  begunAt: UnixMs;
  accountId: Id;
  to: string;
  messageId: string;
  inReplyTo: string | null;
  references: readonly string[];
  subject: string;
  /** Marks out of the body: which campaign and which step this is. */
  campaign: string;
  step: string;
  /** It reached its recipient. */
  delivered: boolean;
}

/** Something after which certain email must not go out, or may again. */
export interface Fact {
  seq: number;
  kind:
    | "suppressed"
    | "stopped"
    | "paused"
    | "resumed"
    | "again"
    | "believed"
    /** A suppression was lifted. */
    | "lifted"
    /** What a received email had done was taken back. */
    | "freed"
    /** The address is a seed mailbox of the team's, or no longer. */
    | "seeded"
    | "unseeded"
    /** The clock was. */
    | "set_back";
  /** Address, `@domain`, `<campaign>:<address>`, a Message-ID, or the id that is paused. */
  about: string;
  /** Message-ID of the received email that it is due to. */
  by?: string;
}

/** What a person has set on an account, in force from `seq`. */
export interface AccountTerms {
  seq: number;
  zone: string;
  dailyLimit: number;
  hourlyLimit: number;
  providerLimits: { google?: number; microsoft?: number };
  atGoogle: boolean;
  startsLeads: boolean;
  minGapMs: number;
  ramp: { start: number; increment: number; from: string } | null;
}

export interface CampaignTerms {
  seq: number;
  window: SendWindow;
  maxNewPerDay: number;
  dailyLimit: number | null;
  maxPerDomainPerDay: number | null;
  spreads: boolean;
  matching: "off" | "prefer" | "only";
  /** Empty: all. */
  accountIds: readonly Id[];
  stopOnReply: boolean;
  stopCompanyOnReply: boolean;
}

/** Where a server put a test email. */
export interface Placed {
  placement: Placement;
  /** From when on it can be found. */
  arrivesAt: UnixMs;
  /** Before a test gives up looking for the first time. */
  isPrompt: boolean;
}

export interface ImportCount {
  input: number;
  imported: number;
  skipped: number;
  errors: number;
}

/** What an erased enrollment had added to counters that keep their sums. */
export interface Erased {
  campaignId: Id;
  status: string;
  replied: boolean;
  autoReplied: boolean;
}

export interface Chronicle {
  handed: Handed[];
  /** Manual replies, apart from the emails of sequences. */
  answers: Handed[];
  /** Test emails, the addresses that they have gone to, and where each was put, by its Message-ID. */
  tests: Handed[];
  seeds: Set<string>;
  placed: Map<string, Placed>;
  /** Emails a month that the team's plan allows, by its id; oldest first. */
  plans: Map<Id, { seq: number; mails: number | null }[]>;
  /** Message-IDs of all that came back. */
  received: Set<string>;
  facts: Fact[];
  /** By account id, campaign mark, and lead address; oldest first. */
  accounts: Map<Id, AccountTerms[]>;
  campaigns: Map<string, CampaignTerms[]>;
  zones: Map<string, { seq: number; zone: string | null }[]>;
  /** Sequences by campaign mark; oldest first. */
  lines: Map<string, Line[]>;
  /** Of leads on their way through them. */
  stands: Stand[];
  noted: Noted;
  imports: ImportCount[];
  /** Addresses that were imported, by campaign mark. */
  people: Map<string, Set<string>>;
  /** Buckets that stay reserved for a try in doubt after a person had it sent again. */
  doubted: { kind: string; owner: Id; bucket: string }[];
  /** `<campaign>:<address>` of those about whom a person decided whether an email in doubt was sent. */
  decided: Set<string>;
  erased: Erased[];
  /** Campaign id by its mark. */
  marks: Map<string, Id>;
  next(): number;
  note(kind: Fact["kind"], about: string, by?: string): void;
  /** A bounce was said to be none: events tell of more than counters count. */
  unbounced: boolean;
  /** The data has gone back to an earlier state. */
  isRewound: boolean;
  /** Message-IDs in Sent folders, and those of emails that went twice and lay in none. */
  filed: Set<string>;
  untold: Set<string>;
}

export function createChronicle(): Chronicle {
  let seq = 0;
  const next = () => {
    seq += 1;
    return seq;
  };
  const facts: Fact[] = [];
  return {
    handed: [],
    answers: [],
    tests: [],
    seeds: new Set(),
    placed: new Map(),
    plans: new Map(),
    received: new Set(),
    facts,
    accounts: new Map(),
    campaigns: new Map(),
    zones: new Map(),
    lines: new Map(),
    stands: [],
    noted: { once: new Set(), finished: new Set() },
    imports: [],
    people: new Map(),
    doubted: [],
    decided: new Set(),
    erased: [],
    marks: new Map(),
    next,
    note: (kind, about, by) => {
      facts.push({ seq: next(), kind, about, ...(by === undefined ? {} : { by }) });
    },
    unbounced: false,
    isRewound: false,
    filed: new Set(),
    untold: new Set(),
  };
}

/** Of a history the entry in force at `seq`: the last that is not later, else the first. */
export function inForce<Entry extends { seq: number }>(
  history: readonly Entry[] | undefined,
  seq: number,
): Entry | undefined {
  return history?.findLast((entry) => entry.seq <= seq) ?? history?.[0];
}

/** Adds `entry` to a history unless it says what the last one says. */
export function amend<Entry extends { seq: number }>(
  histories: Map<string, Entry[]>,
  key: string,
  entry: Entry,
): void {
  const history = histories.get(key) ?? [];
  const last = history.at(-1);
  if (last === undefined || JSON.stringify({ ...last, seq: entry.seq }) !== JSON.stringify(entry)) {
    history.push(entry);
  }
  histories.set(key, history);
}

/** What somebody who was erased is called from then on; the domain stays. */
export function goneName(seq: number, address: string): string {
  return `gone-${seq}-${address}`;
}

export function isGone(address: string): boolean {
  return address.startsWith("gone-");
}
