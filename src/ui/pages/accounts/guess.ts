/** The servers of a mailbox, guessed from its address. */

import { imapServerOf, providerOfDomain } from "#domain/mailboxes/mail-provider.ts";

export interface Guess {
  smtp: { host: string; port: number };
  imap: { host: string; port: number };
}

const SMTP_HOSTS: Readonly<Record<string, string>> = {
  google: "smtp.gmail.com",
  microsoft: "smtp.office365.com",
  yahoo: "smtp.mail.yahoo.com",
  icloud: "smtp.mail.me.com",
  zoho: "smtp.zoho.com",
};

const SUBMISSION_PORT = 587;
const IMAPS_PORT = 993;

/** Of a provider whose domain says it, its own; else the names that most hosts use. */
export function guessServers(email: string): Guess {
  const domain = email.split("@")[1]?.toLowerCase() || "example.com";
  const provider = providerOfDomain(domain);
  const imap = provider === null ? null : imapServerOf(provider, email);
  return {
    smtp: { host: SMTP_HOSTS[provider ?? ""] ?? `smtp.${domain}`, port: SUBMISSION_PORT },
    imap: { host: imap?.host ?? `imap.${domain}`, port: imap?.port ?? IMAPS_PORT },
  };
}
