/** What lies in a mailbox's Sent folder: read by its headers, the folder opened read-only. */

import type { FetchMessageObject, ImapFlow } from "imapflow";
import { header } from "#domain/inbox/mail.ts";
import { DAY_MS, HOUR_MS, plus, toIso, type UnixMs, unixMs } from "#domain/time.ts";
import { parseMail } from "#mail/parse.ts";
import {
  HEADERS_BYTES_MAX,
  type Mailbox,
  SENT_MAILS_MAX,
  type SentMail,
  type SentOutcome,
} from "#platform/ports/mail.ts";
import { filedAt, special } from "./imap.ts";
import type { Imap } from "./imap-session.ts";

/** Messages asked for at once. */
const FETCH_MAX = 200;
/** How much earlier than its own date a server may file an email: what its clock may be behind. */
const EARLY_MS_MAX = HOUR_MS;

export async function sentSince(imap: Imap, mailbox: Mailbox, since: UnixMs): Promise<SentOutcome> {
  const result = await imap.session(mailbox, async (client): Promise<SentOutcome> => {
    const folder = await special(client, "\\Sent");
    if (folder === undefined) {
      return { kind: "uncheckable", reason: "the mailbox has no Sent folder" };
    }
    await client.mailboxOpen(folder, { readOnly: true });
    // Servers compare days, each in a zone of its own.
    const day = toIso(plus(since, -DAY_MS)).slice(0, 10);
    const uids = await client.search({ since: day }, { uid: true });
    if (!Array.isArray(uids)) {
      return { kind: "uncheckable", reason: "the server refused to search" };
    }
    if (uids.length > SENT_MAILS_MAX) {
      return { kind: "uncheckable", reason: `more than ${SENT_MAILS_MAX} messages were sent` };
    }
    const filed = await filedSince(client, uids, plus(since, -EARLY_MS_MAX));
    const mails: SentMail[] = [];
    for (let from = 0; from < filed.length; from += FETCH_MAX) {
      mails.push(...(await read(client, folder, filed.slice(from, from + FETCH_MAX))));
    }
    const recent = mails.filter(({ at }) => at >= since);
    return { kind: "listed", mails: recent.sort((a, b) => a.at - b.at) };
  });
  return result.kind === "done" ? result.value : { kind: "unreachable", reason: result.reason };
}

/** Those that were filed since then, of which alone the headers are worth reading. */
async function filedSince(
  client: ImapFlow,
  uids: readonly number[],
  since: UnixMs,
): Promise<number[]> {
  if (uids.length === 0) {
    return [];
  }
  const query = { uid: true, internalDate: true };
  const all = await Array.fromAsync(client.fetch(uids.join(","), query, { uid: true }));
  return all
    .filter(({ internalDate }) => (filedAt(internalDate) ?? since) >= since)
    .map(({ uid }) => uid);
}

const HEADERS = { start: 0, maxLength: HEADERS_BYTES_MAX };

async function read(
  client: ImapFlow,
  folder: string,
  uids: readonly number[],
): Promise<SentMail[]> {
  const query = { uid: true, internalDate: true, source: HEADERS };
  const messages = await Array.fromAsync(client.fetch(uids.join(","), query, { uid: true }));
  return Promise.all(messages.map((message) => sentMail(folder, message)));
}

async function sentMail(folder: string, message: FetchMessageObject): Promise<SentMail> {
  const mail = await parseMail(Uint8Array.from(message.source ?? []));
  return {
    folder,
    messageId: mail.messageId,
    to: mail.to,
    subject: mail.subject,
    unsubscribe: header(mail, "list-unsubscribe") ?? "",
    at: mail.date ?? filedAt(message.internalDate) ?? unixMs(0),
  };
}
