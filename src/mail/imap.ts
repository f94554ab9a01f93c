/**
 * Reading and filing mail over IMAP. Folders are opened read-only and bodies are peeked at, so
 * nothing in the mailbox is moved, deleted or flagged; the one thing written is our own Sent copy.
 */

import type { FetchMessageObject, ImapFlow } from "imapflow";
import { DAY_MS, plus, toIso, type UnixMs, unixMs } from "#domain/time.ts";
import {
  type CopyOutcome,
  type Envelope,
  type FindOutcome,
  type Mailbox,
  type PollOutcome,
  RAW_BYTES_MAX,
  type ReceivedMail,
} from "#runtime/ports/mail.ts";
import { type FolderPosition, readCursor, writeCursor } from "./imap-cursor.ts";
import type { Imap } from "./imap-session.ts";

/** Mails of one poll. */
export const POLL_MAILS_MAX = 50;
/** Bytes of one poll; a single larger mail still comes, alone. */
export const POLL_BYTES_MAX = 8_388_608;
/** How far back a folder is read whose UIDs have lost their meaning, or that is new to us. */
export const RESCAN_DAYS = 14;
/** Folders looked through for the special ones. */
const LIST_MAX = 2_000;

interface Found {
  folder: string;
  uidValidity: string;
  message: FetchMessageObject;
}

export async function poll(
  imap: Imap,
  mailbox: Mailbox,
  cursor: string,
  now: UnixMs,
): Promise<PollOutcome> {
  const result = await imap.session(mailbox, async (client): Promise<PollOutcome> => {
    const known = readCursor(cursor);
    const next = new Map(known);
    const mails: ReceivedMail[] = [];
    let room = { mails: POLL_MAILS_MAX, bytes: POLL_BYTES_MAX };
    let more = false;
    for (const folder of await inboxAndJunk(client)) {
      const start = { position: known.get(folder), isFirst: known.size === 0, now };
      const read = await readFolder(client, folder, start, room).catch((error: unknown) => {
        // A junk folder that cannot be read must not keep the inbox from being read.
        if (folder === "INBOX" || !client.usable) {
          throw error;
        }
      });
      if (read === undefined) {
        continue;
      }
      next.set(folder, read.position);
      mails.push(...read.mails);
      more ||= read.more;
      room = { mails: room.mails - read.mails.length, bytes: room.bytes - read.bytes };
    }
    mails.sort((a, b) => a.receivedAt - b.receivedAt);
    return { kind: "read", mails, cursor: writeCursor(next), more };
  });
  return result.kind === "done" ? result.value : result;
}

/** Looks for the Message-ID in the Sent folder. */
export async function find(imap: Imap, mailbox: Mailbox, messageId: string): Promise<FindOutcome> {
  const result = await imap.session(mailbox, async (client): Promise<FindOutcome> => {
    const folder = await special(client, "\\Sent");
    if (folder === undefined) {
      return { kind: "uncheckable", reason: "the mailbox has no Sent folder" };
    }
    return (await holds(client, folder, messageId))
      ? { kind: "found", folder }
      : { kind: "absent" };
  });
  return result.kind === "done" ? result.value : { kind: "uncheckable", reason: result.reason };
}

/** Appends the message to the Sent folder, read, unless one with its Message-ID is there. */
export async function saveSent(
  imap: Imap,
  mailbox: Mailbox,
  envelope: Envelope,
): Promise<CopyOutcome> {
  const result = await imap.session(mailbox, async (client): Promise<CopyOutcome> => {
    const folder = await special(client, "\\Sent");
    if (folder === undefined) {
      return { kind: "failed", reason: "the mailbox has no Sent folder" };
    }
    if (await holds(client, folder, envelope.messageId)) {
      return { kind: "present" };
    }
    await client.append(folder, envelope.raw, ["\\Seen"]);
    return { kind: "saved" };
  });
  return result.kind === "done" ? result.value : { kind: "failed", reason: result.reason };
}

interface Start {
  position: FolderPosition | undefined;
  /** The mailbox was never read: what is in it now is not ours to look at. */
  isFirst: boolean;
  now: UnixMs;
}

async function readFolder(
  client: ImapFlow,
  folder: string,
  start: Start,
  room: { mails: number; bytes: number },
): Promise<{ position: FolderPosition; mails: ReceivedMail[]; bytes: number; more: boolean }> {
  const opened = await client.mailboxOpen(folder, { readOnly: true });
  const uidValidity = String(opened.uidValidity);
  const last = await lastUid(client, uidValidity, start);
  const position = (uid: number) => ({ uidValidity, uid });
  if (opened.exists === 0 || (opened.uidNext > 0 && opened.uidNext <= last + 1)) {
    return { position: position(last), mails: [], bytes: 0, more: false };
  }
  // The range n:* always holds the last message, even one below n (RFC 3501 §6.4.8).
  const uids = (await search(client, { uid: `${last + 1}:*` })).filter((uid) => uid > last);
  if (uids.length === 0 || room.mails <= 0 || room.bytes <= 0) {
    return { position: position(last), mails: [], bytes: 0, more: uids.length > 0 };
  }
  const { chosen, bytes } = await fitting(client, uids.slice(0, room.mails), room.bytes);
  const mails: ReceivedMail[] = [];
  const query = { uid: true, internalDate: true, source: { start: 0, maxLength: RAW_BYTES_MAX } };
  for await (const message of client.fetch(chosen.join(","), query, { uid: true })) {
    if (chosen.includes(message.uid) && message.source !== undefined) {
      mails.push(received({ folder, uidValidity, message }, start.now));
    }
  }
  const read = chosen.at(-1) ?? last;
  return { position: position(read), mails, bytes, more: read < (uids.at(-1) ?? read) };
}

/** The UID after which to read. */
async function lastUid(client: ImapFlow, uidValidity: string, start: Start): Promise<number> {
  if (start.position?.uidValidity === uidValidity) {
    return start.position.uid;
  }
  if (start.isFirst) {
    const newest = client.mailbox === false ? 0 : client.mailbox.uidNext - 1;
    return newest >= 0 ? newest : ((await search(client, { uid: "1:*" })).at(-1) ?? 0);
  }
  const since = toIso(plus(start.now, -RESCAN_DAYS * DAY_MS)).slice(0, 10);
  const [oldest] = await search(client, { since });
  if (oldest !== undefined) {
    return oldest - 1;
  }
  return (await search(client, { uid: "1:*" })).at(-1) ?? 0;
}

/** As many of `uids`, oldest first and one at least, as fit into `bytesMax`. */
async function fitting(
  client: ImapFlow,
  uids: readonly number[],
  bytesMax: number,
): Promise<{ chosen: number[]; bytes: number }> {
  const sizes = new Map<number, number>();
  for await (const message of client.fetch(
    uids.join(","),
    { uid: true, size: true },
    { uid: true },
  )) {
    sizes.set(message.uid, Math.min(message.size ?? RAW_BYTES_MAX, RAW_BYTES_MAX));
  }
  const chosen: number[] = [];
  let bytes = 0;
  for (const uid of uids) {
    const size = sizes.get(uid) ?? 0;
    if (chosen.length > 0 && bytes + size > bytesMax) {
      break;
    }
    chosen.push(uid);
    bytes += size;
  }
  return { chosen, bytes };
}

function received({ folder, uidValidity, message }: Found, now: UnixMs): ReceivedMail {
  const { internalDate } = message;
  const at = typeof internalDate === "object" ? internalDate.getTime() : Number.NaN;
  return {
    folder,
    uid: `${uidValidity}.${message.uid}`,
    receivedAt: Number.isFinite(at) ? unixMs(at) : now,
    raw: Uint8Array.from(message.source?.subarray(0, RAW_BYTES_MAX) ?? []),
  };
}

async function inboxAndJunk(client: ImapFlow): Promise<readonly string[]> {
  const junk = await special(client, "\\Junk");
  return junk === undefined || junk.toUpperCase() === "INBOX" ? ["INBOX"] : ["INBOX", junk];
}

/** Path of a special-use folder (RFC 6154), or of the one whose name says so. */
async function special(client: ImapFlow, use: string): Promise<string | undefined> {
  const folders = (await client.list()).slice(0, LIST_MAX);
  const matching = folders.filter((folder) => folder.specialUse === use);
  return matching.find((folder) => !folder.flags.has("\\Noselect"))?.path;
}

async function holds(client: ImapFlow, folder: string, messageId: string): Promise<boolean> {
  await client.mailboxOpen(folder, { readOnly: true });
  return (await search(client, { header: { "Message-ID": messageId } })).length > 0;
}

/** UIDs in ascending order. Throws where the server refuses to search. */
async function search(
  client: ImapFlow,
  query: Parameters<ImapFlow["search"]>[0],
): Promise<readonly number[]> {
  const uids = await client.search(query, { uid: true });
  if (!Array.isArray(uids)) {
    throw new Error("the server refused to search");
  }
  return uids.toSorted((a, b) => a - b);
}
