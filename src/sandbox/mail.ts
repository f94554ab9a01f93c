/**
 * The mail port of the test environment: what is sent is captured, what its recipients make of it is put on
 * its way back in the same transaction. The Sent folder is what was captured.
 *
 * A cursor is `<arrivesAt>.<seq>` of the last email read. Email is only ever put on its way into the
 * present or the future, so nothing can arrive behind a cursor.
 */

import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import { hash01 } from "#domain/random.ts";
import { DAY_MS, earlier, MINUTE_MS, plus, type UnixMs } from "#domain/time.ts";
import type { Clock } from "#platform/clock.ts";
import type { Ids } from "#platform/ids.ts";
import {
  type Envelope,
  type Mailbox,
  type MailPort,
  type PollOutcome,
  SENT_MAILS_MAX,
  type SentMail,
} from "#platform/ports/mail.ts";
import { accountByEmail, accountById, scheduleTurnSooner } from "#store/mailboxes/accounts.ts";
import { seedByEmail } from "#store/placement/placement-seeds.ts";
import {
  countSentTo,
  insertSandboxMail,
  insertSandboxMessage,
  lastMailSeq,
  mailsArrived,
  nextMailAt,
  sandboxMessageByHeader,
  sandboxMessagesSince,
} from "#store/sandbox/sandbox.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Commit } from "#store/sqlite/commit.ts";
import type { Db } from "#store/sqlite/database.ts";
import type { SeedRow } from "#store/tables/placement.ts";
import type { SandboxMailRow, SandboxMessageRow } from "#store/tables/sandbox.ts";
import { callOut } from "./callout.ts";
import { examine } from "./examine.ts";
import { LOGIN_REFUSED, pollFault, sendFault } from "./faults.ts";
import { type Original, type Writing, writeReaction } from "./mail-out.ts";
import { behave, languageOf } from "./people.ts";
import { hostOf } from "./providers.ts";
import { headerOf, readHeaders, readMail } from "./read-mail.ts";
import { deliver, look, placeOf } from "./seeds.ts";
import { affectedBy, type PlayedKind, type SandboxSettings, settingsOf } from "./settings.ts";

/** Emails of one poll. */
export const POLL_MAILS_MAX = 50;
/** Between two looks at a mailbox; those that would find nothing are left out. */
export const POLL_EVERY_MS = 10 * MINUTE_MS;
/** A mailbox is looked at this often all the same. */
const QUIET_MS_MAX = DAY_MS;
export const INBOX = "INBOX";
const SENT = "Sent";
/** Of a captured message: its text, and small files. A sandbox plays thousands of leads. */
const RAW_KEPT_BYTES = 256 * 1024;
const LF = 10;
const UID_VALIDITY = 1;

export interface SandboxMailOptions {
  db: Db;
  commit: Commit;
  clock: Clock;
  ids: Ids;
}

export function createSandboxMail(options: SandboxMailOptions): MailPort {
  const { db, commit, clock } = options;
  const port: MailPort = {
    send: (mailbox, envelope, beforeBody) => send(options, mailbox, envelope, beforeBody),
    poll: async (mailbox, cursor) => poll(options, mailbox, cursor),
    watch: async () => ({ kind: "unsupported", reason: "mail arrives by the sandbox's clock" }),
    find: async (mailbox, messageId) => {
      const row = sandboxMessageByHeader(db, mailbox.accountId, messageId);
      return row === undefined ? { kind: "absent" } : { kind: "found", folder: SENT };
    },
    sentSince: async (mailbox, since) => {
      const rows = sandboxMessagesSince(db, mailbox.accountId, since, SENT_MAILS_MAX);
      return { kind: "listed", mails: rows.map(sentMail) };
    },
    look: async (mailbox, wanted) => look(db, mailbox.accountId, wanted, clock.now()),
    saveSent: (mailbox, envelope) =>
      commit(() => {
        if (sandboxMessageByHeader(db, mailbox.accountId, envelope.messageId) !== undefined) {
          return { kind: "present" };
        }
        const team = accountById(db, mailbox.accountId)?.teamId;
        if (team === undefined) {
          return { kind: "failed", reason: NO_MAILBOX };
        }
        keep(options, team, mailbox, { ...envelope, raw: kept(envelope.raw) }, "copy");
        return { kind: "saved" };
      }),
    test: async (mailbox) => {
      const account = accountById(db, mailbox.accountId);
      const error =
        account !== undefined && loginRefused(db, account.teamId, account.id, clock.now());
      const check = error
        ? { ok: false, error: LOGIN_REFUSED, login: true }
        : { ok: true, error: null };
      return { smtp: { ...check }, imap: { ...check } };
    },
    examine: (mailbox, mail) => examine(port, mailbox, mail),
    callout: async (callout, next) =>
      callOut(settingsOf(db, callout.teamId), callout, clock.now(), next),
    forget: () => undefined,
    close: () => Promise.resolve(),
  };
  return port;
}

function sentMail(row: SandboxMessageRow): SentMail {
  const headers = readHeaders(row.raw);
  return {
    folder: SENT,
    messageId: row.messageId,
    to: [row.recipient],
    subject: row.subject,
    unsubscribe: headerOf(headers, "list-unsubscribe") ?? "",
    at: row.sentAt,
  };
}

const NO_MAILBOX = "the sandbox has no such mailbox";

async function send(
  options: SandboxMailOptions,
  mailbox: Mailbox,
  envelope: Envelope,
  beforeBody: () => Promise<void>,
): Promise<SendOutcome> {
  const { db, commit, clock } = options;
  const { accountId } = mailbox;
  const team = accountById(db, accountId)?.teamId;
  if (team === undefined) {
    return { kind: "unreachable", stage: "connect", reason: NO_MAILBOX, bodySent: false };
  }
  const settings = settingsOf(db, team);
  const recipient = envelope.to.toLowerCase();
  const fault = sendFault(settings, { accountId, recipient, at: clock.now() });
  if (fault?.kind === "before") {
    return fault.outcome;
  }
  try {
    await beforeBody();
  } catch (error) {
    const reason = `dropped before the message: ${String(error)}`;
    return { kind: "unreachable", stage: "data", reason, bodySent: false };
  }
  if (fault?.kind !== "cut" || fault.kept) {
    const captured = { ...envelope, to: recipient, raw: kept(envelope.raw) };
    await commit(() => capture(options, team, mailbox, captured, settings));
  }
  return fault === undefined
    ? { kind: "accepted", response: `250 2.0.0 Ok: captured ${envelope.messageId}` }
    : {
        kind: "unreachable",
        stage: "data",
        reason: "the connection was cut (sandbox)",
        bodySent: true,
      };
}

/** The whole, or its lines up to {@link RAW_KEPT_BYTES}. */
function kept(raw: Uint8Array): Uint8Array {
  return raw.byteLength <= RAW_KEPT_BYTES
    ? raw
    : raw.slice(0, raw.lastIndexOf(LF, RAW_KEPT_BYTES - 1) + 1);
}

/** In one transaction: the message, and everything that will come back because of it. */
function capture(
  options: SandboxMailOptions,
  team: Id,
  mailbox: Mailbox,
  envelope: Envelope,
  settings: SandboxSettings,
): void {
  const { db } = options;
  if (accountById(db, mailbox.accountId) === undefined) {
    return;
  }
  const recipient = envelope.to;
  const seed = seedByEmail(db, team, recipient);
  if (seed !== undefined) {
    captureForSeed(options, seed, mailbox, envelope, settings);
    return;
  }
  const colleague = accountByEmail(db, team, recipient);
  if (colleague !== undefined) {
    const row = keep(options, team, mailbox, envelope, "delivered");
    const mail = { teamId: team, accountId: colleague.id, folder: INBOX };
    dispatch(db, { ...mail, raw: row.raw, arrivesAt: row.sentAt });
    return;
  }
  const ordinal = countSentTo(db, team, recipient);
  const { verdict, reactions } = behave(heard(settings, envelope.raw), recipient, ordinal);
  const row = keep(options, team, mailbox, envelope, verdict);
  for (const { kind, after } of reactions) {
    const draw = { ordinal, at: plus(row.sentAt, after), id: `${kind}.${row.id}` };
    play(db, row, settings, kind, draw);
  }
}

/** Nobody replies from a seed mailbox: the message is put where its provider wants it. */
function captureForSeed(
  options: SandboxMailOptions,
  seed: SeedRow,
  mailbox: Mailbox,
  envelope: Envelope,
  settings: SandboxSettings,
): void {
  const { accountId } = mailbox;
  const { raw, messageId } = envelope;
  const at = options.clock.now();
  const placing = placeOf(options.db, seed, { accountId, raw, messageId, at }, settings);
  const isRead = placing.placement === "inbox" || placing.placement === "promotions";
  const verdict = isRead ? "delivered" : "spam";
  const row = keep(options, seed.teamId, mailbox, envelope, verdict);
  deliver(options.db, seed, row, placing);
}

/** As people behave towards what the message says. */
function heard(settings: SandboxSettings, raw: Uint8Array): SandboxSettings {
  if (settings.effects.length === 0) {
    return settings;
  }
  const mail = readMail(raw);
  return affectedBy(settings, `${headerOf(mail, "subject") ?? ""}\n${mail.text}`);
}

/** Writes a reaction and puts it on its way into the mailbox that sent the message. */
export function play(
  db: Db,
  row: SandboxMessageRow,
  settings: SandboxSettings,
  kind: PlayedKind,
  draw: { ordinal: number; at: UnixMs; id: string } & Pick<Writing, "text" | "returnsOn" | "from">,
): void {
  const { ordinal, ...rest } = draw;
  const { recipient, sender, messageId, sentAt, raw } = row;
  const { seed } = settings;
  const original: Original = { raw, mail: readMail(raw), messageId, sender, recipient, sentAt };
  const writing: Writing = {
    ...rest,
    host: hostOf(seed, recipient.slice(recipient.lastIndexOf("@") + 1)),
    language: languageOf(seed, recipient),
    pick: hash01(seed, "words", kind, recipient, ordinal),
  };
  dispatch(db, {
    teamId: row.teamId,
    accountId: row.accountId,
    folder: INBOX,
    raw: writeReaction(kind, original, writing),
    arrivesAt: draw.at,
  });
}

/** Puts an email on its way to an account, whose mailbox is looked at once it is there. */
export function dispatch(db: Db, mail: Omit<SandboxMailRow, "seq">): void {
  insertSandboxMail(db, mail);
  scheduleTurnSooner(db, mail.accountId, mail.arrivesAt, POLL_EVERY_MS);
}

function keep(
  { db, ids, clock }: SandboxMailOptions,
  teamId: Id,
  mailbox: Mailbox,
  envelope: Envelope,
  verdict: string,
): SandboxMessageRow {
  const now = clock.now();
  const row: SandboxMessageRow = {
    id: ids.next(now),
    teamId,
    accountId: mailbox.accountId,
    messageId: envelope.messageId,
    sender: envelope.from,
    recipient: envelope.to.toLowerCase(),
    subject: headerOf(readHeaders(envelope.raw), "subject") ?? "",
    raw: envelope.raw,
    sentAt: now,
    verdict,
  };
  insertSandboxMessage(db, row);
  return row;
}

function poll({ db, clock }: SandboxMailOptions, mailbox: Mailbox, cursor: string): PollOutcome {
  const now = clock.now();
  const account = accountById(db, mailbox.accountId);
  if (account === undefined) {
    return { kind: "unreachable", reason: NO_MAILBOX, login: false };
  }
  const { id, teamId } = account;
  const fault = pollFault(settingsOf(db, teamId), id, now);
  if (fault !== undefined) {
    return { kind: "unreachable", ...fault };
  }
  // Asked once what was read is recorded: what has come at this very instant meanwhile is read next.
  const quietFrom = (end: string) => () => {
    const from = readCursor(end);
    const isNew = from !== undefined && mailsArrived(db, id, { ...from, now, limit: 1 }).length > 0;
    return isNew ? now : quiet(db, teamId, id, now);
  };
  const from = readCursor(cursor);
  if (from === undefined) {
    const end = `${now}.${lastMailSeq(db)}`;
    return { kind: "read", mails: [], cursor: end, more: false, quietUntil: quietFrom(end) };
  }
  const rows = mailsArrived(db, id, { ...from, now, limit: POLL_MAILS_MAX + 1 });
  const read = rows.slice(0, POLL_MAILS_MAX);
  const last = read.at(-1);
  const end = last === undefined ? cursor : `${last.arrivesAt}.${last.seq}`;
  return {
    kind: "read",
    mails: read.map(({ folder, seq, arrivesAt, raw }) => {
      return { folder, uid: `${UID_VALIDITY}.${seq}`, receivedAt: arrivesAt, raw };
    }),
    cursor: end,
    more: rows.length > read.length,
    quietUntil: quietFrom(end),
  };
}

/** Until when looking finds nothing new, neither email nor a fault that comes and goes. */
function quiet(db: Db, teamId: Id, accountId: Id, now: UnixMs): UnixMs {
  if (settingsOf(db, teamId).faults.imap > 0) {
    return now;
  }
  const latest = plus(now, QUIET_MS_MAX);
  return earlier(nextMailAt(db, accountId, now), latest) ?? latest;
}

/** Undefined for an empty cursor and one of another port's making: both read from now on. */
function readCursor(cursor: string): { at: number; seq: number } | undefined {
  const match = /^(\d{1,16})\.(\d{1,16})$/.exec(cursor);
  return match === null ? undefined : { at: Number(match[1]), seq: Number(match[2]) };
}

function loginRefused(db: Db, teamId: Id, accountId: Id, now: UnixMs): boolean {
  return pollFault(settingsOf(db, teamId), accountId, now)?.login === true;
}
