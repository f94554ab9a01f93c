/** Programs that send email, told from people. */

import { fold } from "#domain/inbox/fold.ts";
import { header, type ParsedMail } from "#domain/inbox/mail.ts";

const DAEMON_LOCALS =
  /^(?:mailer-?daemon|mail-?daemon|post_?master|mdaemon|daemon|smtpd|qmail|exim|mail\.?delivery|maildelivery|microsoftexchange[0-9a-f]{20,}|mta|mail-?system|mail-?gateway)(?:[+=-].{0,80})?$/;

/** Servers write from them, and so do people: `mail@` is a usual address of small companies. */
const ROLE_LOCALS =
  /^(?:mail(?:er)?|bounces?|smtp|delivery|mailadmin|admin-?mail|system)(?:[+=-].{0,80})?$/;

const DAEMON_NAMES =
  /mail(?:er)?[- ]?(?:delivery|daemon|administrator)|delivery (?:sub)?system|mail system|postmaster|mail router|internet mail|mail gateway|mail server/;

const ROBOT_LOCALS = /^(?:no-?reply|do-?not-?reply|noreply|donotreply)(?:[+=-].{0,80})?$/;

/** True for the addresses that servers write from, and for an empty return path. */
export function isDaemon(mail: ParsedMail): boolean {
  const from = mail.from;
  return (
    from === null ||
    isDaemonAddress(mail) ||
    DAEMON_NAMES.test(fold(from.name)) ||
    hasNullReturnPath(mail)
  );
}

/** True for an address that no person writes from. */
export function isDaemonAddress(mail: ParsedMail): boolean {
  return DAEMON_LOCALS.test(mail.from?.address.split("@")[0] ?? "");
}

/** True for an address of a role that may be a server's or a person's. */
export function isRole(mail: ParsedMail): boolean {
  return ROLE_LOCALS.test(mail.from?.address.split("@")[0] ?? "");
}

/** True for a sender that says itself that nobody reads replies. */
export function isRobot(mail: ParsedMail): boolean {
  return ROBOT_LOCALS.test(mail.from?.address.split("@")[0] ?? "");
}

/** Source: RFC 5321 §4.5.5. */
export function hasNullReturnPath(mail: ParsedMail): boolean {
  return header(mail, "return-path") === "<>";
}

const LIST_LOCALS =
  /^(?:majordomo|listserv|mailman|sympa|ezmlm|list-?manager)|[-+.](?:admin|owner|request|bounces?|help|ctl)$/;

/** True for the addresses that list software replies from. */
export function isListProgram(mail: ParsedMail): boolean {
  return mail.inReplyTo === null && LIST_LOCALS.test(mail.from?.address.split("@")[0] ?? "");
}
