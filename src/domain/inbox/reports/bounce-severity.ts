/** How bad a refusal is, from its words and its codes. */

import { fold } from "#domain/inbox/fold.ts";
import { BOUNCE_PHRASES, STATUS_SEVERITY, SUBJECT_SEVERITY } from "./bounce-phrases.ts";
import type { Severity } from "./severity.ts";

export interface Refusal {
  /** The server's own words: Diagnostic-Code, or the line of a text that holds its reply. */
  diagnostic: string;
  /** Enhanced status code, for example `5.1.1`; null where none was given. */
  status: string | null;
  /** What the reporting server wrote for people. */
  text: string;
}

export interface Grade {
  severity: Severity;
  /** A row of the phrase table, `status`, `code` or `unknown`. */
  reason: string;
}

/** Sure whatever the status says: a domain that takes no email will not take any tomorrow. */
const LASTING_REASONS: ReadonlySet<string> = new Set(["no_mail"]);

/**
 * The order matters, for a status alone lies: precise words of the server, then the status, then what
 * the report says around it, then the basic reply code. What nobody explains is soft: it takes three in
 * a row to suppress. A refusal before any recipient was named says nothing about the recipient.
 */
export function gradeRefusal({ diagnostic, status, text }: Refusal): Grade {
  const isTemporary = status?.startsWith("4.") ?? false;
  const grade =
    byPolicyStatus(status) ??
    byWords(diagnostic) ??
    byStatus(status) ??
    byWords(text) ??
    byCode(`${diagnostic} ${text}`);
  if (grade === null) {
    return { severity: "soft", reason: "unknown" };
  }
  if (grade.severity !== "hard" || LASTING_REASONS.has(grade.reason)) {
    return grade;
  }
  if (isTemporary) {
    return { ...grade, severity: "soft" };
  }
  const isSenders =
    SENDER_PHASES.test(fold(`${diagnostic} ${text}`)) ||
    SENDER_BLOCKED.test(fold(diagnostic || text).replace(NAMES, "@"));
  return isSenders ? { ...grade, severity: "block" } : grade;
}

/** Words about the address that sends, whatever else is said: "user unknown or IP blocked". */
const SENDER_BLOCKED =
  /\bip\b.{0,40}(?:block|bann?ed|list|reputation|reject|refus|denied)|(?:block|bann?ed|list|reputation).{0,40}\bip\b|\bblocked (?:using|by)\b|(?<!not )\blisted (?:in|at|on)\b|dns(?:bl|wl)|\brbl\b|(?:black|block|deny)[- ]?list(?!ed\b)|(?:reputation|has been banned)/;

/** The server refused before RCPT: at its greeting, at EHLO, or the sender. */
const SENDER_PHASES =
  /in reply to (?:mail from|[eh]+lo)|after (?:mail from|initial connection|[eh]+lo)|while (?:talking|performing) .{0,40}(?:greeting|[eh]+lo)|did not like our mail from/;

/** A sentence that names the sender's fault inside a report about an unknown user is rare; order wins. */
function byWords(words: string): Grade | null {
  const folded = fold(words).replace(NAMES, "@").replace(REASON_FOLLOWS, "");
  const row =
    folded === "" ? undefined : BOUNCE_PHRASES.find(({ pattern }) => pattern.test(folded));
  return row === undefined ? null : { severity: row.severity, reason: row.reason };
}

/** Addresses and links, whose own words are nobody's verdict. */
const NAMES =
  /[^\s<>:;,"'@\u0080-\uffff]{1,64}@[^\s<>:;,"'@\u0080-\uffff]{1,253}|https?:\/\/[^\s<>"]{1,500}/g;
/** What Postfix and others say before the reason itself. */
const REASON_FOLLOWS =
  /recipient address rejected: (?!access denied|user unknown|undeliverable address)(?=\S)/g;

/** Exchange Online numbers its policies 5.7.100 and up: nothing there is about the address. */
function byPolicyStatus(status: string | null): Grade | null {
  return status !== null && /^5\.7\.\d{3}$/.test(status)
    ? { severity: "block", reason: "status" }
    : null;
}

function byStatus(status: string | null): Grade | null {
  if (status === null) {
    return null;
  }
  const [kind = "", subject = ""] = status.split(".");
  const severity = STATUS_SEVERITY[status.slice(2)] ?? SUBJECT_SEVERITY[subject];
  if (kind === "4") {
    return { severity: severity === "block" ? "block" : "soft", reason: "status" };
  }
  return severity === undefined ? null : { severity, reason: "status" };
}

/** 500 to 504 refuse a command or its form; 55x at DATA refuse what the message holds. */
function byCode(words: string): Grade | null {
  const code = /(?<![\d.])([45]\d\d)(?=[ -])/.exec(words)?.[1];
  if (code === undefined) {
    return null;
  }
  if (/^50[0-4]$/.test(code)) {
    return { severity: "block", reason: "code" };
  }
  const isRefusal = code === "550" || code === "551" || code === "553";
  const isContent = /end of data|after data/i.test(words) || code === "554";
  return { severity: isRefusal ? (isContent ? "block" : "hard") : "soft", reason: "code" };
}

const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/;
/** A status right behind a reply code: the words of the server that refused. */
const STATUS_OF_REPLY = /(?<![\d.])[245]\d\d[ -]['"#(]{0,2}([245]\.\d{1,3}\.\d{1,3})(?!\.?\d)/g;

/**
 * The enhanced status code in `words`; an IP address is none. Where servers quote each other, the
 * innermost, which comes last, is the one that refused.
 */
export function findStatus(words: string): string | null {
  const replies = [...words.matchAll(STATUS_OF_REPLY)].map(([, status = ""]) => status);
  return replies.findLast(isTelling) ?? STATUS.exec(words)?.[1] ?? null;
}

/** Whether a status says more than that something failed. */
export function isTelling(status: string | null): boolean {
  return status !== null && !/^\d\.0\.0$/.test(status);
}
