/** A sandbox of one team with two accounts, in memory, on a clock that the test moves. */

import { NO_WORDS } from "#domain/inbox/interest.ts";
import { ACCOUNT_DEFAULTS } from "#domain/mailboxes/account.ts";
import { HEALTHY } from "#domain/mailboxes/health.ts";
import { plus, type UnixMs, unixMs } from "#domain/time.ts";
import { seededDice } from "#platform/dice.ts";
import { createIds } from "#platform/ids.ts";
import type { Envelope, Mailbox, PollOutcome, ReceivedMail } from "#platform/ports/mail.ts";
import { createSandboxMail } from "#sandbox/mail.ts";
import { type SandboxSettings, settingsOf } from "#sandbox/settings.ts";
import { insertAccount } from "#store/mailboxes/accounts.ts";
import { putSettings } from "#store/sandbox/sandbox.ts";
import { createCommitter } from "#store/sqlite/commit.ts";
import { type Db, openDatabase } from "#store/sqlite/database.ts";
import { migrate } from "#store/sqlite/migrate.ts";
import type { AccountRow } from "#store/tables/accounts.ts";
import { insertTeam } from "#store/team/teams.ts";

export const START = unixMs(Date.UTC(2026, 2, 2, 15));
export const TEAM = "019cae10-0000-7000-8000-000000000001";
const ANN = "019cae10-0000-7000-8000-0000000000a1";
const BEN = "019cae10-0000-7000-8000-0000000000b1";

/** Nobody reacts and nothing fails, but for what a test sets. */
export const NOTHING = {
  reply: 0,
  interested: 0,
  auto_reply: 0,
  hard_bounce: 0,
  soft_bounce: 0,
  complaint: 0,
  unsubscribe: 0,
  spam: 0,
} as const;

export function openMemory(): Db {
  const db = openDatabase(":memory:");
  migrate(db);
  return db;
}

/** A clock that stands where the test puts it. */
export function handClock(start: UnixMs = START) {
  let now = start;
  return {
    now: () => now,
    move: (ms: number) => {
      now = plus(now, ms);
    },
  };
}

export interface SandboxOptions {
  seed?: number;
  rates?: Partial<SandboxSettings["rates"]>;
  faults?: Partial<SandboxSettings["faults"]>;
  authFailures?: readonly string[];
}

export function createSandbox(options: SandboxOptions = {}) {
  const db = openMemory();
  const { commit } = createCommitter(db);
  const clock = handClock();
  const ids = createIds(seededDice(options.seed ?? 1));
  insertTeam(db, {
    id: TEAM,
    name: "Acme",
    postalAddress: null,
    trackingHost: null,
    interestWords: NO_WORDS,
    footer: true,
    unsubscribeText: null,
    language: "en",
    createdAt: START,
    updatedAt: START,
  });
  insertAccount(db, account(ANN, "ann@acme.test"));
  insertAccount(db, account(BEN, "ben@acme.test"));
  const defaults = settingsOf(db, TEAM);
  const set = (change: SandboxOptions) =>
    putSettings(db, TEAM, {
      ...defaults,
      seed: change.seed ?? 1,
      rates: { ...NOTHING, ...change.rates },
      faults: { ...defaults.faults, ...change.faults },
      authFailures: change.authFailures ?? [],
    });
  set(options);
  const port = createSandboxMail({ db, commit, clock, ids });
  return {
    db,
    clock,
    port,
    set,
    ann: mailbox(ANN, "ann@acme.test"),
    ben: mailbox(BEN, "ben@acme.test"),
    settings: () => settingsOf(db, TEAM),
    send: (envelope: Envelope, from = mailbox(ANN, "ann@acme.test")) =>
      port.send(from, envelope, () => Promise.resolve()),
  };
}

export function mailbox(accountId: string, address: string): Mailbox {
  const teamId = "team-1";
  return { teamId, accountId, address, provider: "sandbox", smtp: null, imap: null, oauth: null };
}

let serial = 0;

export interface MessageFields {
  from?: string;
  subject?: string;
  body?: string;
  messageId?: string;
  headers?: readonly string[];
}

export function message(to: string, fields: MessageFields = {}): Envelope {
  serial += 1;
  const from = fields.from ?? "ann@acme.test";
  const messageId = fields.messageId ?? `<m${serial}@acme.test>`;
  const lines = [
    `From: "Ann" <${from}>`,
    `To: <${to}>`,
    `Subject: ${fields.subject ?? "Your roof"}`,
    "Date: Mon, 02 Mar 2026 15:00:00 +0000",
    `Message-ID: ${messageId}`,
    ...(fields.headers ?? []),
    "Content-Type: text/plain; charset=utf-8",
    "",
    fields.body ?? "Hello,\r\nmay I ask you something?",
  ];
  return { from, to, messageId, raw: Buffer.from(`${lines.join("\r\n")}\r\n`) };
}

/** The emails of a poll that worked. */
export function mailsOf(outcome: PollOutcome): readonly ReceivedMail[] {
  if (outcome.kind !== "read") {
    throw new Error(`not read: ${outcome.reason}`);
  }
  return outcome.mails;
}

export function cursorOf(outcome: PollOutcome): string {
  if (outcome.kind !== "read") {
    throw new Error(`not read: ${outcome.reason}`);
  }
  return outcome.cursor;
}

function account(id: string, email: string): AccountRow {
  return {
    ...ACCOUNT_DEFAULTS,
    id,
    teamId: TEAM,
    email,
    displayName: null,
    signature: null,
    calloutAt: null,
    calloutTroubles: null,
    provider: "sandbox",
    status: "active",
    statusReason: null,
    notReadyReason: null,
    health: HEALTHY,
    healthAt: null,
    maxGapSeconds: null,
    ramp: null,
    smtp: null,
    imap: null,
    saveSent: false,
    secrets: null,
    workspaceId: null,
    dkim: null,
    dkimDueAt: null,
    consecutiveSmtpErrors: 0,
    lastError: null,
    backoffUntil: null,
    refusals: null,
    probeAt: null,
    probes: 0,
    wakeAt: null,
    lastClaimAt: null,
    lastCampaignId: null,
    lastOtherCampaignId: null,
    pollCursor: "",
    pollAt: null,
    pollErrors: 0,
    unconfirmed: null,
    createdAt: START,
    updatedAt: START,
  };
}
