/** The mail port over real servers: SMTP to send, IMAP to read and to file. */

import { find, poll, saveSent } from "#mail/imap/imap.ts";
import { failedImap } from "#mail/imap/imap-connect.ts";
import { look } from "#mail/imap/imap-find.ts";
import { sentSince } from "#mail/imap/imap-sent.ts";
import { Imap } from "#mail/imap/imap-session.ts";
import { createTokenStore } from "#mail/oauth/oauth.ts";
import { callOut } from "#mail/smtp/callout.ts";
import { Smtp } from "#mail/smtp/smtp.ts";
import type { Mailbox, MailPort, TestOutcome } from "#platform/ports/mail.ts";
import { discreet } from "./discreet.ts";
import { examine } from "./examine.ts";
import { MAIL_LIMITS, type MailOptions } from "./options.ts";

export function createMailPort(options: MailOptions): MailPort {
  const limits = { ...MAIL_LIMITS, ...options.limits };
  const tokens = createTokenStore(options);
  const smtp = new Smtp(options, limits, tokens);
  const imap = new Imap(options, limits, tokens);
  const by = async <Outcome>(mailbox: Mailbox, outcome: Promise<Outcome>) =>
    discreet(mailbox, await outcome);
  return {
    send: (mailbox, envelope, beforeBody) => by(mailbox, smtp.send(mailbox, envelope, beforeBody)),
    poll: (mailbox, cursor) => by(mailbox, poll(imap, mailbox, cursor, options.clock.now())),
    watch: (mailbox, signal, onNews) => by(mailbox, imap.watch(mailbox, signal, onNews)),
    find: (mailbox, messageId) => by(mailbox, find(imap, mailbox, messageId)),
    sentSince: (mailbox, since) => by(mailbox, sentSince(imap, mailbox, since)),
    look: (mailbox, wanted) => by(mailbox, look(imap, mailbox, wanted)),
    saveSent: (mailbox, envelope) => by(mailbox, saveSent(imap, mailbox, envelope)),
    test: (mailbox) => by(mailbox, tryBoth(smtp, imap, mailbox)),
    examine: (mailbox, mail) => by(mailbox, examine(options, tokens, mailbox, mail)),
    callout: (callout, next) => callOut(options, limits, callout, next),
    forget: (accountId) => {
      tokens.forget(accountId);
      smtp.forget(accountId);
      imap.forget(accountId);
    },
    close: async () => {
      await Promise.all([imap.close(), smtp.close()]);
    },
  };
}

async function tryBoth(smtp: Smtp, imap: Imap, mailbox: Mailbox): Promise<TestOutcome> {
  const [smtpCheck, login] = await Promise.all([
    smtp.test(mailbox),
    imap.session(mailbox, (client) => client.mailboxOpen("INBOX", { readOnly: true })),
  ]);
  const imapCheck = login.kind === "done" ? { ok: true, error: null } : failedImap(login);
  return { smtp: smtpCheck, imap: imapCheck };
}
