/** An email as a server takes it: what its headers say, and the marks in its body. */

import { type UnixMs, unixMs } from "#domain/time.ts";
import type { Envelope, Mailbox, SentMail } from "#platform/ports/mail.ts";
import type { Chronicle, Handed } from "./chronicle.ts";

/** In place of a campaign's mark: a test email says a text of its own. */
export const BY_TEST = "test";

const MARK = /\[\[([a-z0-9]+):([a-z0-9]+)\]\]/;

function headersOf(raw: Uint8Array) {
  const text = Buffer.from(raw).toString("latin1");
  const block = text.slice(0, text.indexOf("\r\n\r\n")).replace(/\r\n[ \t]+/g, " ");
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, "im").exec(block)?.[1] ?? null;
  return { text, header };
}

/** As a Sent folder shows it. */
export function sentMailOf({ raw, to, messageId }: Envelope): SentMail {
  const { header } = headersOf(raw);
  return {
    folder: "Sent",
    messageId,
    to: [to.toLowerCase()],
    subject: header("Subject") ?? "",
    unsubscribe: header("List-Unsubscribe") ?? "",
    at: unixMs(Date.parse(header("Date") ?? "")),
  };
}

export function readHanded(
  chronicle: Chronicle,
  mailbox: Mailbox,
  { raw, to, messageId }: Envelope,
  begunAt: UnixMs,
): Handed {
  const { text, header } = headersOf(raw);
  const mark = MARK.exec(text);
  const [campaign, step] = mark?.slice(1) ?? (chronicle.seeds.has(to) ? [BY_TEST, ""] : []);
  if (campaign === undefined || step === undefined) {
    throw new Error("a mail without a mark");
  }
  return {
    seq: chronicle.next(),
    at: unixMs(Date.parse(header("Date") ?? "")),
    begunAt,
    accountId: mailbox.accountId,
    to,
    messageId,
    inReplyTo: header("In-Reply-To"),
    references: header("References")?.split(/\s+/) ?? [],
    subject: header("Subject") ?? "",
    campaign,
    step,
    delivered: false,
  };
}
