/**
 * What the engine knows of mail: a few verbs, and every way each can end.
 *
 * Two implementations stand behind this file and pass one suite, `test/mail/conformance.ts`:
 * `mail/` over SMTP and IMAP, and `sandbox/`, a simulated environment of recipients who answer, bounce or
 * are on holiday as a seeded script says. The engine cannot tell which it was given.
 */

import type { CalloutReply, CalloutSession } from "#domain/mailboxes/callout.ts";
import type { ConnectionStep } from "#domain/mailboxes/connection-step.ts";
import type { Provider, Security } from "#domain/mailboxes/mailbox.ts";
import type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";
import type { Place, Tab } from "#domain/placement/placement.ts";
import type { UnixMs } from "#domain/time.ts";
import type { AccessToken, OauthClient, WorkspaceGrant } from "./oauth.ts";

export type { SendOutcome } from "#domain/mailboxes/send-outcome.ts";

export interface ServerLogin {
  host: string;
  port: number;
  security: Security;
  username: string;
  /** Decrypted, never logged. Null where `oauth` logs in. */
  password: string | null;
}

/** A mailbox we may send from and read. */
export interface Mailbox {
  teamId: string;
  accountId: string;
  address: string;
  provider: Provider;
  smtp: ServerLogin | null;
  imap: ServerLogin | null;
  /** Decrypted, never logged. Null where a password logs in. */
  oauth: MailboxGrant | WorkspaceGrant | null;
}

/**
 * What the mailbox's owner has agreed to. `access` is a token that came with the grant. `onRotated` is notified
 * of a refresh token that the server gave in place of this one, where the mailbox is not an account's yet.
 */
export interface MailboxGrant extends OauthClient {
  refreshToken: string;
  access?: AccessToken;
  onRotated?: (refreshToken: string) => void;
}

export interface Envelope {
  from: string;
  to: string;
  /** Who gets a copy, named in `raw` or not. The email is sent where `to` is taken, whatever becomes of these. */
  copies?: readonly string[];
  /** A complete RFC 5322 message with CRLF line ends. */
  raw: Uint8Array;
  /** The Message-ID in `raw`, with its angle brackets. */
  messageId: string;
}

export interface ReceivedMail {
  /** IMAP folder in which it was found. */
  folder: string;
  /** Stable for the same email in the same folder: `<uidvalidity>.<uid>`. */
  uid: string;
  receivedAt: UnixMs;
  /** The message; of one above {@link RAW_BYTES_MAX} its headers and what it has of text. */
  raw: Uint8Array;
  /** Bytes of the whole message where `raw` is only part of it; absent: it is all there. */
  sizeBytes?: number;
}

/** Bytes of an email that is fetched whole. */
export const RAW_BYTES_MAX = 1_048_576;

export type PollOutcome =
  /**
   * `cursor` is opaque and replaces the one handed in; `more` says that a batch was left over.
   * `quietUntil` tells until when nothing new will come, where that is known, as in a sandbox; asked in
   * the transaction in which the poll is recorded.
   */
  | {
      kind: "read";
      mails: ReceivedMail[];
      cursor: string;
      more: boolean;
      quietUntil?: () => UnixMs;
    }
  /** `login` is true where the server refused the credentials themselves (not mere throttling). */
  | { kind: "unreachable"; reason: string; login: boolean };

/** How watching a mailbox ended. */
export type WatchEnd =
  /** It was watched, until the connection ended as all do: closed, cut, its token run out. */
  | { kind: "ended"; reason: string }
  /** `login` is true where the server refused the credentials themselves (not mere throttling). */
  | { kind: "unreachable"; reason: string; login: boolean }
  /** Nothing here tells of new mail: it is seen by polling alone. */
  | { kind: "unsupported"; reason: string }
  /** We ended it: by its signal, by `forget` or by `close`. */
  | { kind: "stopped" };

export type FindOutcome =
  | { kind: "found"; folder: string }
  | { kind: "absent" }
  /** No IMAP settings, no Sent folder, or no connection: nothing can be said. */
  | { kind: "uncheckable"; reason: string };

/** A message in the Sent folder, as far as its headers say. */
export interface SentMail {
  folder: string;
  /** With its angle brackets; null where there is none. */
  messageId: string | null;
  /** Addresses of To and Cc, lower case. */
  to: readonly string[];
  subject: string;
  /** The List-Unsubscribe header; empty where there is none. */
  unsubscribe: string;
  /** When it was made, by its Date header, or else when it was filed. */
  at: UnixMs;
}

/** Messages of one listing. */
export const SENT_MAILS_MAX = 5_000;

export type SentOutcome =
  /** Oldest first; all of them. */
  | { kind: "listed"; mails: SentMail[] }
  /** No connection: it may be asked later. */
  | { kind: "unreachable"; reason: string }
  /** No IMAP settings, no Sent folder, or too many: nothing can be said. */
  | { kind: "uncheckable"; reason: string };

/** A message that is looked for wherever it may have been put. */
export interface Wanted {
  /** With its angle brackets. */
  messageId: string;
  /** A word of its List-Unsubscribe header, by which it is known where a server renamed it. */
  token: string;
}

export interface SeenMail {
  /** As it was asked for. */
  messageId: string;
  folder: string;
  place: Place;
  /** Of Gmail's inbox; null where the mailbox has no categories or does not use them. */
  tab: Tab | null;
  /** The mailbox's own date of its arrival, in whole seconds; null where it gives none. */
  receivedAt: UnixMs | null;
  /** Its headers, or their first {@link HEADERS_BYTES_MAX} bytes. */
  headers: Uint8Array;
}

export const HEADERS_BYTES_MAX = 65_536;
/** Messages of one look. */
export const LOOK_MESSAGES_MAX = 50;

export type LookOutcome =
  | {
      kind: "looked";
      /** Those of the messages that are there. */
      found: SeenMail[];
      /** The folder that is its spam; null: it has none. */
      junkFolder: string | null;
      /** Whether Gmail sorts its inbox into categories; null: not Gmail, or no email tells. */
      tabs: boolean | null;
    }
  /** `login` is true where the server refused the credentials themselves (not mere throttling). */
  | { kind: "unreachable"; reason: string; login: boolean };

export type CopyOutcome =
  | { kind: "saved" }
  | { kind: "present" }
  | { kind: "failed"; reason: string };

export interface ConnectionCheck {
  ok: boolean;
  /** What happened, in the server's words or ours; null when ok. */
  error: string | null;
  /** True where the server refused the credentials themselves (not mere throttling). */
  login?: boolean;
  /** True where the server took the login and refused afterwards. */
  signedIn?: boolean;
}

export interface TestOutcome {
  smtp: ConnectionCheck;
  imap: ConnectionCheck;
}

/** An email from a mailbox to itself. */
export interface TestMail {
  envelope: Envelope;
  /** A copy is to be filed in the Sent folder: the provider does not by itself. */
  saves: boolean;
}

/** What trying a mailbox step by step found, and what a plain test of each side would say. */
export interface Examination extends TestOutcome {
  steps: ConnectionStep[];
}

/** Whose servers are asked whether they would take email, and how whoever asks calls itself. */
export interface Callout {
  teamId: string;
  domain: string;
  /** Mail exchanges of the domain, best first. */
  hosts: readonly string[];
  /** Name of this machine, as the greeting says it. */
  name: string;
  /** The mailbox that would send. */
  from: string;
}

export interface MailPort {
  /**
   * Resolves within `SEND_MS_MAX`. Never retries: when to try again is the engine's decision.
   * `beforeBody` is awaited, once at most, when the server has said 354, before the first byte of
   * the message; when it rejects, the connection is dropped, nothing of the body was sent, and the
   * outcome is unreachable at `data`.
   */
  send(mailbox: Mailbox, envelope: Envelope, beforeBody: () => Promise<void>): Promise<SendOutcome>;
  /**
   * Email that arrived after `cursor`, oldest first, `POLL_MAILS_MAX` at most, from INBOX, the
   * junk folder, and, in Gmail, what was filed past both. An empty cursor means from now on. The same
   * cursor twice gives the same emails, so a crash between reading and storing loses nothing. Nothing in
   * the mailbox is moved, deleted or flagged.
   */
  poll(mailbox: Mailbox, cursor: string): Promise<PollOutcome>;
  /**
   * Keeps a connection on INBOX until `signal` or something else ends it. Calls `onNews` when email may
   * have come, the first time as soon as it watches. A poll of the mailbox uses the connection. Never
   * rejects, and never tries again: that is the engine's decision.
   */
  watch(mailbox: Mailbox, signal: AbortSignal, onNews: () => void): Promise<WatchEnd>;
  /** Looks in the Sent folder for a message with this Message-ID. */
  find(mailbox: Mailbox, messageId: string): Promise<FindOutcome>;
  /** What lies in the Sent folder since an instant, whoever put it there. */
  sentSince(mailbox: Mailbox, since: UnixMs): Promise<SentOutcome>;
  /**
   * Looks for up to {@link LOOK_MESSAGES_MAX} messages in INBOX, the junk folder, and then everywhere;
   * for none of them, whether it can look at all. Nothing in the mailbox is moved, deleted or flagged.
   */
  look(mailbox: Mailbox, wanted: readonly Wanted[]): Promise<LookOutcome>;
  /** Puts a copy of what was sent into the Sent folder, unless one with its Message-ID is there. */
  saveSent(mailbox: Mailbox, envelope: Envelope): Promise<CopyOutcome>;
  /**
   * Connects both ways, logs in, and asks whether the address may send; sends nothing. A missing side is an
   * error that says so.
   */
  test(mailbox: Mailbox): Promise<TestOutcome>;
  /**
   * Tries both sides step by step, in less than a minute; sends `mail` unless it is null. A copy in the
   * Sent folder is the one thing that is written.
   */
  examine(mailbox: Mailbox, mail: TestMail | null): Promise<Examination>;
  /**
   * Asks a domain's own server for one address after the other, as `next` says by what was said so far, until it
   * says null; sends nothing. Resolves within `calloutMs`, and never rejects.
   */
  callout(
    callout: Callout,
    next: (replies: readonly CalloutReply[]) => string | null,
  ): Promise<CalloutSession>;
  /** Drops any connection kept for this account: its credentials changed, or it is gone. */
  forget(accountId: string): void;
  /** Ends all connections. */
  close(): Promise<void>;
}
