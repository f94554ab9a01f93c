/**
 * What a failed SMTP transaction means: whose fault it is, and what is to be done.
 *
 * The stage counts as much as the code: a refusal at MAIL speaks of our mailbox, one at RCPT of the
 * recipient, one after the body of the message. Words and codes that name somebody outweigh the stage:
 * many servers keep what they have against the sender until RCPT, and some look the recipient up after
 * the body. Rate and quota texts speak of the mailbox wherever they come, unless they name the recipient's
 * own. What is said of who sends (authentication, block lists, reputation) says nothing of the lead.
 *
 * Source: RFC 5321 §4.2, RFC 3463, RFC 7372; the provider texts are Gmail's and Exchange Online's published error
 * lists and Postfix's; the consequences are ours.
 */

import { HOUR_MS, MINUTE_MS } from "#domain/time.ts";
import type { MailProvider } from "./mail-provider.ts";
import type { SendOutcome, SendStage } from "./send-outcome.ts";

export type Fault =
  /** This lead again later; `account` when the trouble is the mailbox's too. */
  | { kind: "retry"; account: boolean }
  /**
   * The mailbox rests for `ms`; the lead's attempt does not count. `account` when it was turned away as a
   * sender rather than told to wait: enough of that in a row is an error. Where `by` runs the recipient's
   * servers and not the mailbox's, it is a refusal of the sender there instead.
   */
  | { kind: "backoff"; ms: number; account: boolean; by?: MailProvider }
  /** The recipient's provider refuses who sends, whomever it is for; the lead's attempt does not count. */
  | { kind: "sender" }
  /** The mailbox's credentials are refused; the lead's attempt does not count. */
  | { kind: "auth" }
  /** The address does not exist. */
  | { kind: "bounce" }
  /** The recipient's side cannot take it now (mailbox full): a soft bounce of this message. */
  | { kind: "soft_bounce" }
  /** This message is not wanted; `account` counts it against the mailbox. */
  | { kind: "failed"; account: boolean }
  /** It may have been delivered. */
  | { kind: "unknown" };

type Failure = Exclude<SendOutcome, { kind: "accepted" }>;
type Refusal = Exclude<Failure, { kind: "unreachable" }>;

const MAILBOX_BACKOFF_MS = HOUR_MS;
const AUTH_BUSY_MS = 30 * MINUTE_MS;
const AUTH_TIMEOUT_BACKOFF_MS = 5 * MINUTE_MS;
const RATE_WORDS = /\b(limit|quota|rate|too many|throttl|exceeded|submissionquota)/i;
/** The recipient's own rate: nothing against the mailbox. */
const RECIPIENT_WORDS =
  /receiving (e?mail|too many|messages)|mailbox (is )?receiv(ed|ing)|recipient('s)?( \w+){0,3} (rate|limit)/i;
/** Of what the mailbox, its server or its tenant sends. */
const SENT_TOO_MUCH_WORDS = /unusual sending activity|(tenant|sender) has exceeded/i;
/** What the mailbox's own server says of the sender when it answers RCPT. */
const OWN_SERVER_WORDS =
  /sender address rejected|bad outbound sender|not owned by user|sendasdenied|to send as this sender|relay(ing)?( access)? denied/i;
/** Authentication of the sender's domain (RFC 7372, and Gmail's and Exchange Online's own). */
const SENDER_STATUS = /^[45]\.7\.(9|2[0-7]|29|30|509|51[15]|6\d\d|708)$/;
/** Names of what is held against who sends: a domain's records, an address on a list, its reputation. */
const SENDER_WORDS = new RegExp(
  [
    "unauthenticated|authentication level|\\b(spf|dkim|dmarc|ptr)\\b|sender policy framework|reverse (dns|host)",
    "reputation|(block|black|deny)[ -]?list|blocked using|spamhaus|spamcop|barracuda|proofpoint",
    "banned send|not authorized to send|connections not accepted|all messages from",
    "client host (rejected|blocked|denied)",
  ].join("|"),
  "i",
);
/** What each provider's answers have and no other's: their source's name, a page, a code of their own. */
const SIGNATURES: readonly (readonly [MailProvider, RegExp])[] = [
  ["google", /\bgsmtp\b|\bgmail has detected|google\.com\//i],
  ["yahoo", /\[(IP)?TSS?\d|yahooinc\.com|help\.yahoo\.com/i],
  ["microsoft", /\b(outlook|office|live|microsoft)\.com|\bRP-00\d/i],
  ["icloud", /support\.apple\.com|\bicloud\.com/i],
];
const UNKNOWN_USER_WORDS =
  /user (is )?unknown|unknown user|no such (user|mailbox|recipient)|does not exist|recipient address rejected|mailbox unavailable|invalid recipient/i;
/** The same under a code that says something else. */
const UNKNOWN_RECIPIENT_WORDS =
  /mailbox not found|doesn't have an? \S+ account|not a valid recipient/i;

export function classifyFault(outcome: Failure): Fault {
  if (outcome.kind === "unreachable") {
    return outcome.bodySent ? { kind: "unknown" } : classifyBreak(outcome.stage);
  }
  if (outcome.stage === "auth") {
    return outcome.kind === "refused"
      ? { kind: "auth" }
      : { kind: "backoff", ms: AUTH_BUSY_MS, account: false };
  }
  if (isRecipientsRate(outcome)) {
    return { kind: "retry", account: false };
  }
  if (isQuota(outcome)) {
    const by = slowedBy(outcome);
    const rest = { kind: "backoff", ms: MAILBOX_BACKOFF_MS, account: false } as const;
    return by === undefined ? rest : { ...rest, by };
  }
  return outcome.kind === "deferred" ? classifyDeferral(outcome) : classifyRefusal(outcome);
}

/**
 * The connection broke. Where that was before or during login, which includes a token that could not be
 * obtained, the lead is not at fault.
 */
function classifyBreak(stage: SendStage): Fault {
  return stage === "auth"
    ? { kind: "backoff", ms: AUTH_TIMEOUT_BACKOFF_MS, account: false }
    : { kind: "retry", account: true };
}

/** 4.2.1 and 5.2.1 are also said of a mailbox that is switched off. */
function isRecipientsRate({ enhanced, response, stage }: Refusal): boolean {
  const status = enhanced?.slice(1) ?? "";
  return (
    (stage === "rcpt" || stage === "data") &&
    (status === ".2.1" || status.startsWith(".2.0")) &&
    RECIPIENT_WORDS.test(response)
  );
}

/** The provider that says so, where its answer to an email comes through the mailbox's own server. */
function slowedBy({ code, response, stage }: Refusal): MailProvider | undefined {
  const isAnswer = code === 421 && (stage === "rcpt" || stage === "data");
  return isAnswer ? SIGNATURES.find(([, words]) => words.test(response))?.[0] : undefined;
}

/** Rates and quotas of the mailbox: 421 4.7.x, 450 4.2.1, 454, 550 5.4.5, 554 5.2.0 and 5.7.0. */
function isQuota({ code, enhanced, response }: Refusal): boolean {
  const status = enhanced ?? "";
  return (
    (code === 421 && status.startsWith("4.7.")) ||
    (code === 450 && status === "4.2.1" && RATE_WORDS.test(response)) ||
    code === 454 ||
    (code === 550 && status === "5.4.5") ||
    (code >= 500 && SENT_TOO_MUCH_WORDS.test(response)) ||
    (code === 554 && (status === "5.7.0" || status === "5.2.0") && RATE_WORDS.test(response))
  );
}

function classifyDeferral(refusal: Refusal): Fault {
  const { code, stage } = refusal;
  if (code !== 421 && isAboutSender(refusal)) {
    return { kind: "sender" };
  }
  return { kind: "retry", account: code === 421 || stage === "connect" || stage === "mail" };
}

function classifyRefusal(refusal: Refusal): Fault {
  const { code, stage } = refusal;
  const status = refusal.enhanced ?? "";
  if (stage === "connect") {
    return { kind: "retry", account: true };
  }
  if (status === "5.3.4" || status.startsWith("5.6.")) {
    return { kind: "failed", account: false };
  }
  if (stage === "mail" || isAboutOwnSender(refusal)) {
    return { kind: "backoff", ms: MAILBOX_BACKOFF_MS, account: !RATE_WORDS.test(refusal.response) };
  }
  if (isAboutSender(refusal)) {
    return { kind: "sender" };
  }
  if (isUnknownRecipient(refusal)) {
    return { kind: "bounce" };
  }
  if (isFull(refusal)) {
    return { kind: "soft_bounce" };
  }
  const isContent = stage === "data" && (code === 552 || code === 554);
  return { kind: "failed", account: isContent || status.startsWith("5.7.") };
}

/** True for what the mailbox's own server says of the sender's address. */
export function isAboutOwnSender({ enhanced, response }: Refusal): boolean {
  return enhanced === "5.1.7" || enhanced === "5.1.8" || OWN_SERVER_WORDS.test(response);
}

/** Excludes x.1.x and x.2.x, which speak of the recipient's address or mailbox. */
function isAboutSender({ enhanced, response, stage }: Refusal): boolean {
  const status = enhanced ?? "";
  return (
    (stage === "rcpt" || stage === "data") &&
    !/^[45]\.[12]\./.test(status) &&
    (SENDER_STATUS.test(status) || SENDER_WORDS.test(response))
  );
}

/**
 * By status, an address or mailbox that does not exist; by words, a bare 550, 551 or 553 at RCPT, Exchange
 * Online's 5.4.1, or Yahoo's 552 and 554.
 */
function isUnknownRecipient({ code, enhanced, response, stage }: Refusal): boolean {
  const status = enhanced ?? "";
  if (status.startsWith("5.1.") || (status === "5.2.1" && !RATE_WORDS.test(response))) {
    return true;
  }
  const speaks = status === "" || status === "5.4.1" || status === "5.0.0" || status === "5.5.0";
  return (
    stage === "rcpt" &&
    code >= 550 &&
    code <= 554 &&
    speaks &&
    (code === 552 || code === 554 ? UNKNOWN_RECIPIENT_WORDS : UNKNOWN_USER_WORDS).test(response)
  );
}

/** A mailbox that holds no more, or takes no more just now. */
function isFull({ code, enhanced, stage }: Refusal): boolean {
  const status = enhanced ?? "";
  return (
    status === "5.2.1" ||
    status === "5.2.2" ||
    (stage === "rcpt" && code === 552 && !status.startsWith("5.7."))
  );
}
