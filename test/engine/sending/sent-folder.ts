/** A Sent folder as a mail port lists it, and a reply to an email in it. */

import { header } from "#domain/inbox/mail.ts";
import type { UnixMs } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import type { Envelope, SendOutcome, SentMail, SentOutcome } from "#platform/ports/mail.ts";

/** `envelopes` as they lie in the folder; those without a date are of `now`. */
export async function listing(envelopes: readonly Envelope[], now: UnixMs): Promise<SentOutcome> {
  const mails = envelopes.map(async ({ raw }): Promise<SentMail> => {
    const mail = await parseMail(raw);
    const unsubscribe = header(mail, "list-unsubscribe") ?? "";
    const { messageId, to, subject, date } = mail;
    return {
      folder: "Sent",
      messageId,
      to,
      subject,
      unsubscribe,
      at: date ?? now,
    };
  });
  return { kind: "listed", mails: await Promise.all(mails) };
}

export const replyTo = (sent: Envelope | undefined) =>
  `From: ${sent?.to}\nTo: ann@sender.example\nSubject: Re: Hi\nMessage-ID: <r@x.example>\nIn-Reply-To: ${sent?.messageId}\n\nHow much?\n`;

/** A server that wants the email later. */
export const LATER: SendOutcome = {
  ...{ kind: "deferred", stage: "rcpt", code: 451, enhanced: null, response: "451 later" },
};
