/** Settings of how email and its senders are checked. */

import { parseHostPort, parseZones, readCertificates } from "./values.ts";

export interface MailConfig {
  /** PEM of authorities that mail servers' certificates may come from, besides the public ones. */
  mailCa: string | null;
  /** DNS zones of block lists that the addresses of mailboxes are looked up in; none: they aren't. */
  blockLists: readonly string[];
  /** SpamAssassin's daemon; null: none. */
  spamd: { host: string; port: number } | null;
}

export const MAIL_SETTINGS = {
  block_lists: {
    about:
      "Comma-separated DNS block lists that mailboxes' addresses are looked up in; none to turn it off",
    value: "ZONES",
    fallback: "dnsbl.dronebl.org, bl.spamcop.net",
  },
  spamd: { about: "SpamAssassin (spamd) for spam checks", value: "HOST:PORT", fallback: null },
  mail_ca_file: { about: "PEM file of extra CAs for mail servers", value: "FILE", fallback: null },
} as const;

type Read = <Value>(
  name: keyof typeof MAIL_SETTINGS,
  parse: (text: string, base: string) => Value,
) => Value | null;

export function readMail(read: Read): MailConfig {
  return {
    mailCa: read("mail_ca_file", readCertificates),
    blockLists: read("block_lists", parseZones) ?? [],
    spamd: read("spamd", parseHostPort),
  };
}
