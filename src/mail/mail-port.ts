/** The mail port over real servers: SMTP to send, IMAP to read and to file. */

import type { MailPort } from "#runtime/ports/mail.ts";
import { examine } from "./examine.ts";
import { find, poll, saveSent } from "./imap.ts";
import { look } from "./imap-find.ts";
import { sentSince } from "./imap-sent.ts";
import { Imap } from "./imap-session.ts";
import { createTokenStore } from "./oauth.ts";
import { MAIL_LIMITS, type MailOptions } from "./options.ts";
import { Smtp } from "./smtp.ts";

export function createMailPort(options: MailOptions): MailPort {
  const limits = { ...MAIL_LIMITS, ...options.limits };
  const tokens = createTokenStore(options);
  const smtp = new Smtp(options, limits, tokens);
  const imap = new Imap(options, limits, tokens);
  return {
    send: (mailbox, envelope, beforeBody) => smtp.send(mailbox, envelope, beforeBody),
    poll: (mailbox, cursor) => poll(imap, mailbox, cursor, options.clock.now()),
    watch: (mailbox, signal, onNews) => imap.watch(mailbox, signal, onNews),
    find: (mailbox, messageId) => find(imap, mailbox, messageId),
    sentSince: (mailbox, since) => sentSince(imap, mailbox, since),
    look: (mailbox, wanted) => look(imap, mailbox, wanted),
    saveSent: (mailbox, envelope) => saveSent(imap, mailbox, envelope),
    test: async (mailbox) => {
      const [smtpCheck, login] = await Promise.all([
        smtp.test(mailbox),
        imap.session(mailbox, (client) => client.mailboxOpen("INBOX", { readOnly: true })),
      ]);
      const imapCheck =
        login.kind === "done"
          ? { ok: true, error: null }
          : { ok: false, error: login.reason, login: login.login };
      return { smtp: smtpCheck, imap: imapCheck };
    },
    examine: (mailbox, mail) => examine(options, tokens, mailbox, mail),
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
