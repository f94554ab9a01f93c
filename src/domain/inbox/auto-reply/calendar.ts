/**
 * Invitations and replies to ours: a person pressed a button in a calendar, whatever program wrote the
 * email.
 *
 * Source: RFC 5546 (METHOD, PARTSTAT); calendars mark what they send as auto-generated, responders mark
 * theirs as auto-replied (RFC 3834 §5).
 */

import { header, type ParsedMail } from "#domain/inbox/mail.ts";

export interface CalendarMail {
  /** The writer wants to meet: invites, proposes another time, or accepts. */
  meets: boolean;
  evidence: string;
}

const CONTENT_CHARS_MAX = 20_000;

/** Null for an email without a calendar, for a newsletter's and for a responder's. */
export function findCalendar(mail: ParsedMail): CalendarMail | null {
  const part = mail.parts.find(({ type }) => type === "text/calendar");
  const isReplied = /^\s*auto-replied/i.test(header(mail, "auto-submitted") ?? "");
  if (part === undefined || isReplied || header(mail, "list-unsubscribe") !== null) {
    return null;
  }
  const content = part.content.slice(0, CONTENT_CHARS_MAX);
  const method = METHOD.exec(content)?.[1]?.toLowerCase();
  if (method === undefined) {
    return null;
  }
  const accepts = /PARTSTAT=(?:ACCEPTED|TENTATIVE)/i.test(content);
  const meets = method === "request" || method === "counter" || (method === "reply" && accepts);
  return { meets, evidence: `calendar: ${method}${method === "reply" && accepts ? ", yes" : ""}` };
}

const METHOD = /^METHOD:(REQUEST|REPLY|COUNTER|CANCEL|DECLINECOUNTER)\s*$/im;
