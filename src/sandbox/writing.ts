/** What every simulated email is written from, and the headers that all of them share. */

import type { UnixMs } from "#domain/time.ts";
import { type Headers, mailDate, type Part } from "./mime.ts";
import type { Language } from "./phrases.ts";
import type { Host } from "./providers.ts";
import { headerOf, type ReadMail } from "./read-mail.ts";

/** The message that is reacted to. */
export interface Original {
  raw: Uint8Array;
  mail: ReadMail;
  /** With its angle brackets. */
  messageId: string;
  /** The account's address, to which everything comes back. */
  sender: string;
  recipient: string;
  sentAt: UnixMs;
}

export interface Writing {
  /** Distinguishes this email from all others; ASCII letters, digits, dots and dashes. */
  id: string;
  at: UnixMs;
  host: Host;
  language: Language;
  /** 0 to 1: which of the wordings. */
  pick: number;
  /** A person's own words in place of ours. */
  text?: string;
  /** Last day away plus one, `2026-03-16`. */
  returnsOn?: string;
  /** Another address than the recipient's: a colleague replies. */
  from?: string;
}

const REFERENCES_MAX = 50;

/** What every email opens with. `from` is a whole mailbox, `to` an address. */
export function envelopeHeaders(
  writing: Writing,
  from: string,
  to: string,
  domain: string,
): Headers {
  return [
    ["From", from],
    ["To", to],
    ["Date", mailDate(writing.at)],
    ["Message-ID", `<${writing.id}@${domain}>`],
  ];
}

export function threadHeaders(original: Original): Headers {
  const earlier = (headerOf(original.mail, "references") ?? "").match(/<[^<>\s]{1,998}>/g) ?? [];
  const chain = [...earlier.slice(-REFERENCES_MAX), original.messageId];
  return [
    ["In-Reply-To", original.messageId],
    ["References", chain.join(" ")],
  ];
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}

export function plain(content: string): Part {
  return { type: "text/plain; charset=utf-8", content };
}

export function boundaryOf(writing: Writing): string {
  return `=_${writing.id}`;
}
