/**
 * Reports of failed delivery.
 *
 * Four kinds of sign, the surest first: fields of a delivery-status part (RFC 3464), the
 * `X-Failed-Recipients` header, the type multipart/report, and a daemon's text. Only the last three need
 * a daemon as sender; a person who forwards a bounce is a person.
 */

import {
  addressOf,
  type FieldGroup,
  field,
  findAddresses,
  parseFields,
} from "#domain/inbox/fields.ts";
import { findPhrase, fold } from "#domain/inbox/fold.ts";
import { header, type ParsedMail } from "#domain/inbox/mail.ts";
import { isReply } from "#domain/inbox/reply-prefix.ts";
import { findStatus, gradeRefusal, isTelling } from "./bounce-severity.ts";
import {
  hasNullReturnPath,
  isDaemon,
  isDaemonAddress,
  isListProgram,
  isRobot,
  isRole,
} from "./daemon.ts";
import { type Original, originalOf } from "./original.ts";
import {
  AGAIN_PHRASES,
  BOUNCE_BODIES,
  BOUNCE_SUBJECTS,
  DELAY_PHRASES,
  LIST_REFUSALS,
  REPORT_TITLES,
  RETURNED_MARKS,
} from "./report-phrases.ts";
import { readSesEvent } from "./ses-event.ts";
import type { Severity } from "./severity.ts";

export interface BounceReport {
  /** `notice`: delayed, delivered, relayed; nothing failed. */
  kind: "bounce" | "notice";
  /** Null for a notice of success. */
  severity: Severity | null;
  status: string | null;
  /** Addresses that failed, as far as the report names them. */
  recipients: readonly string[];
  originalMessageIds: readonly string[];
  confidence: "high" | "medium";
  evidence: string;
}

const TEXT_CHARS_MAX = 8000;

/** Null for an email that reports no delivery. */
export function findBounce(mail: ParsedMail): BounceReport | null {
  return byStatusPart(mail) ?? byEvent(mail) ?? byText(mail);
}

function byEvent(mail: ParsedMail): BounceReport | null {
  const event = readSesEvent(mail);
  if (event === null || event.type === "complaint") {
    return null;
  }
  const { recipients, diagnostic, messageIds: originalMessageIds } = event;
  const base = { recipients, originalMessageIds, confidence: "high" } as const;
  if (event.type === "delivery") {
    return { ...base, kind: "notice", severity: null, status: null, evidence: "ses: delivery" };
  }
  const status = [findStatus(diagnostic), findStatus(event.status)].find(isTelling) ?? null;
  if (event.type === "deliverydelay") {
    return { ...base, kind: "notice", severity: "soft", status, evidence: "ses: delivery delay" };
  }
  const grade = gradeRefusal({ diagnostic, status, text: "" });
  const isUnexplained = grade.reason === "unknown" && event.bounceType === "Permanent";
  return {
    ...base,
    kind: "bounce",
    severity: isUnexplained ? "hard" : grade.severity,
    status,
    evidence: evidenceOf(`ses: ${event.bounceType} bounce`, grade.reason, diagnostic),
  };
}

function byStatusPart(mail: ParsedMail): BounceReport | null {
  const groups = statusGroups(mail);
  if (groups.length === 0) {
    return null;
  }
  const failed = groups.filter((group) => actionOf(group) === "failed");
  const delayed = groups.filter((group) => actionOf(group) === "delayed");
  const decisive = failed[0] ?? delayed[0];
  const original = originalOf(mail);
  if (decisive === undefined) {
    return notice(mail, groups, original);
  }
  const diagnostic = diagnosticOf(decisive);
  const text = reportText(mail);
  const status = statusOf(decisive, diagnostic, text);
  const isBounce = failed.length > 0;
  const grade = gradeRefusal({ diagnostic, status, text });
  return {
    kind: isBounce ? "bounce" : "notice",
    severity: isBounce ? grade.severity : "soft",
    status,
    recipients: recipientsOf(isBounce ? failed : delayed, mail, original),
    originalMessageIds: original.messageIds,
    confidence: "high",
    evidence: evidenceOf(
      `delivery-status ${isBounce ? "failed" : "delayed"}`,
      grade.reason,
      diagnostic,
    ),
  };
}

/** Fields of the status parts; of a daemon whose MIME is broken, those in its text. */
function statusGroups(mail: ParsedMail): FieldGroup[] {
  const parts = mail.parts
    .filter(({ type }) => STATUS_TYPES.has(type))
    .flatMap(({ content }) => parseFields(content))
    .filter((group) => ["action", "final-recipient", "status"].some((name) => group.has(name)));
  if (parts.length > 0 || !isDaemon(mail)) {
    return parts;
  }
  return parseFields(mail.text).filter((group) => group.has("action") && group.has("status"));
}

const STATUS_TYPES: ReadonlySet<string> = new Set([
  "message/delivery-status",
  "message/global-delivery-status",
]);

function notice(mail: ParsedMail, groups: readonly FieldGroup[], original: Original): BounceReport {
  return {
    kind: "notice",
    severity: null,
    status: null,
    recipients: recipientsOf(groups, mail, original),
    originalMessageIds: original.messageIds,
    confidence: "high",
    evidence: `delivery-status ${actionOf(groups[0] ?? new Map())}`,
  };
}

/** A group without an action is checked by its status; what is no success is a failure. */
function actionOf(group: FieldGroup): string {
  const action = (field(group, "action") ?? "").toLowerCase().split(/[\s;(]/)[0] ?? "";
  if (["failed", "delayed", "delivered", "relayed", "expanded"].includes(action)) {
    return action;
  }
  if (action.startsWith("fail")) {
    return "failed";
  }
  const status = field(group, "status") ?? "";
  if (status.startsWith("2.")) {
    return "delivered";
  }
  const isEmpty = status === "" && !group.has("final-recipient") && !group.has("diagnostic-code");
  return isEmpty ? "" : "failed";
}

function diagnosticOf(group: FieldGroup): string {
  const value = field(group, "diagnostic-code") ?? "";
  return value.replace(/^\s*[a-z0-9-]{1,20}\s*;\s*/i, "").trim();
}

/** The words of the server that refused come before what the reporting server made of them. */
function statusOf(group: FieldGroup, diagnostic: string, text: string): string | null {
  const given = findStatus(field(group, "status") ?? "");
  const all = [findStatus(diagnostic), given, findStatus(text)];
  return all.find(isTelling) ?? given ?? null;
}

function recipientsOf(
  groups: readonly FieldGroup[],
  mail: ParsedMail,
  original: Original,
): readonly string[] {
  const named = groups.flatMap((group) =>
    ["original-recipient", "final-recipient", "x-actual-recipient"].map((name) =>
      addressOf(field(group, name) ?? ""),
    ),
  );
  const found = named.filter((address) => address !== "");
  return found.length > 0 ? [...new Set(found)] : otherRecipients(mail, original);
}

function byText(mail: ParsedMail): BounceReport | null {
  const sign = signOf(mail);
  if (sign === null) {
    return null;
  }
  const text = reportText(mail);
  const folded = fold(`${mail.subject}\n${text}`);
  const delay = findPhrase(folded, DELAY_PHRASES);
  const said = saidBy(text);
  const status = findStatus(said) ?? findStatus(text);
  const grade = gradeRefusal({ diagnostic: said, status, text });
  const original = originalOf(mail);
  const isLasting = /permanent|fatal|giving up|given up/.test(folded);
  const isUnsaid = status === null && said === "" && grade.severity === "soft";
  const again = isUnsaid ? findPhrase(folded, AGAIN_PHRASES) : null;
  const isDelay = (delay ?? again) !== null && !isLasting;
  const why = delay === null ? "asks to send again" : "delayed";
  return {
    kind: isDelay ? "notice" : "bounce",
    severity: isDelay ? "soft" : grade.severity,
    status,
    recipients: otherRecipients(mail, original),
    originalMessageIds: original.messageIds,
    confidence: sign.confidence,
    evidence: evidenceOf(isDelay ? `${sign.words}, ${why}` : sign.words, grade.reason, said),
  };
}

interface Sign {
  words: string;
  confidence: "high" | "medium";
}

function signOf(mail: ParsedMail): Sign | null {
  if (header(mail, "x-failed-recipients") !== null) {
    return { words: "x-failed-recipients", confidence: "high" };
  }
  const folded = fold(reportText(mail));
  const refusal = isListProgram(mail) ? findPhrase(folded, LIST_REFUSALS) : null;
  if (refusal !== null) {
    return { words: `list: ${refusal}`, confidence: "medium" };
  }
  const subject = findPhrase(fold(mail.subject), BOUNCE_SUBJECTS);
  const body = findPhrase(folded, BOUNCE_BODIES);
  return isDaemon(mail) ? signOfDaemon(mail, subject, body) : signOfOther(mail, subject, body);
}

function signOfDaemon(mail: ParsedMail, subject: string | null, body: string | null): Sign | null {
  const contentType = (header(mail, "content-type") ?? "").toLowerCase();
  if (/multipart\/report/.test(contentType) && !/disposition-notif|feedback/.test(contentType)) {
    return { words: "multipart/report", confidence: "high" };
  }
  const delay = findPhrase(fold(`${mail.subject}\n${reportText(mail)}`), DELAY_PHRASES);
  const phrase = subject ?? body ?? delay;
  if (phrase !== null && !isPersonsReply(mail)) {
    const isBoth = subject !== null && body !== null;
    return { words: `daemon: ${phrase}`, confidence: isBoth ? "high" : "medium" };
  }
  if (isEnclosing(mail)) {
    return { words: "daemon: encloses a message", confidence: "medium" };
  }
  const [named] = isDaemonAddress(mail) && hasNullReturnPath(mail) ? recipientsIn(mail) : [];
  return named === undefined ? null : { words: `daemon: names ${named}`, confidence: "medium" };
}

/** Somebody who reads a postmaster's email and replies: in the thread, without a server's response. */
function isPersonsReply(mail: ParsedMail): boolean {
  return (
    mail.inReplyTo !== null &&
    isReply(mail.subject) &&
    !hasNullReturnPath(mail) &&
    findPhrase(fold(mail.subject), REPORT_TITLES) === null &&
    !isEnclosing(mail) &&
    saidBy(reportText(mail)) === ""
  );
}

/** A gateway with an ordinary address: title, words and the returned message must all be there. */
function signOfOther(mail: ParsedMail, subject: string | null, body: string | null): Sign | null {
  if (subject === null || body === null || mail.inReplyTo !== null || isReply(mail.subject)) {
    return null;
  }
  const title = findPhrase(fold(mail.subject), REPORT_TITLES);
  const isReturning =
    isRobot(mail) || isRole(mail) || isEnclosing(mail) || RETURNED_MARKS.test(mail.text);
  return isReturning || title !== null ? { words: `text: ${subject}`, confidence: "medium" } : null;
}

function isEnclosing(mail: ParsedMail): boolean {
  return mail.parts.some(({ type }) => type === "message/rfc822");
}

/** What the server wrote itself, without the message that it returns. */
function reportText(mail: ParsedMail): string {
  const text = mail.text.slice(0, TEXT_CHARS_MAX);
  const mark = RETURNED_MARKS.exec(text);
  const own = mark === null || mark.index < 20 ? text : text.slice(0, mark.index);
  return own.trim();
}

/** The lines that repeat a server's reply. */
function saidBy(text: string): string {
  const lines = text.split(/\r?\n/).slice(0, 200);
  const at = lines.findIndex((line) =>
    /\bsaid:|(?:^|[\s<(:'"#])[45]\d\d[ -][^\s]|responded|<<< [45]\d\d|smtp error|[45]\.\d\.\d{1,3}/i.test(
      line,
    ),
  );
  return at === -1
    ? ""
    : lines
        .slice(at, at + 4)
        .join(" ")
        .slice(0, 1000);
}

const SELF = /^(?:mailer-daemon|postmaster|mail-daemon)@/;

/** Where no field names the recipient: the header, else the text and whom the original was for. */
function otherRecipients(mail: ParsedMail, original: Original): readonly string[] {
  const failed = findAddresses(header(mail, "x-failed-recipients") ?? "");
  if (failed.length > 0) {
    return failed;
  }
  const isOther = isOtherThan(mail);
  const returned = [...original.finalRecipients, ...original.recipients].filter(isOther);
  return [...new Set([...recipientsIn(mail), ...returned])];
}

/** Addresses that the report's own words name, besides who writes and to whom. */
function recipientsIn(mail: ParsedMail): readonly string[] {
  const isOther = isOtherThan(mail);
  const text = reportText(mail);
  const listed = [...listedAddresses(text), ...listedNames(text, mail)].filter(isOther);
  return listed.length > 0 ? listed : findAddresses(text).filter(isOther);
}

function isOtherThan(mail: ParsedMail): (address: string) => boolean {
  const own = new Set([...mail.to, ...mail.deliveredTo, mail.from?.address ?? ""]);
  return (address) => !own.has(address) && !SELF.test(address);
}

/** Addresses that stand alone on a line or begin it, as qmail, Exim, Postfix and Yahoo list them. */
function listedAddresses(text: string): string[] {
  const lines = text.split(/\r?\n/).slice(0, 200);
  const alone = lines.filter((line) =>
    /^\s*(?:(?:to|recipient|user|address|for)\s*:?\s*)?["'<]*[^\s<>"'@]{1,64}@[^\s<>"'@:]{3,253}["'>]*\s*(?:[:(-].{0,300})?$/i.test(
      line,
    ),
  );
  return [...new Set(alone.flatMap((line) => findAddresses(line).slice(0, 1)))];
}

/**
 * Names without a host below "…recipients …:", as AOL and local servers list them: people of the host
 * that reports.
 */
function listedNames(text: string, mail: ParsedMail): string[] {
  const host = mail.from?.address.split("@")[1] ?? "";
  const block = LISTED_NAMES.exec(text)?.[1];
  if (block === undefined || !host.includes(".")) {
    return [];
  }
  return block
    .trim()
    .split(/\s+/)
    .slice(0, LISTED_NAMES_MAX)
    .map((name) => `${name.toLowerCase()}@${host}`);
}

const LISTED_NAMES_MAX = 20;
const LISTED_NAMES =
  /(?:recipients?|address(?:es)?|users?)\b[^\r\n:]{0,160}:[ \t]*\r?\n((?:[ \t]+[A-Za-z0-9._-]{1,64}[ \t]*(?:\r?\n|$)){1,20})/;

const EVIDENCE_CHARS_MAX = 300;

function evidenceOf(sign: string, reason: string, words: string): string {
  const said = words === "" ? "" : `: ${words.replace(/\s+/g, " ")}`;
  return `${sign}, ${reason}${said}`.slice(0, EVIDENCE_CHARS_MAX);
}
