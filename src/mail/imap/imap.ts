/**
 * Reading and filing email over IMAP. Folders are opened read-only and bodies are peeked at, so
 * nothing in the mailbox is moved, deleted or flagged; the one thing written is our own Sent copy.
 */

import type { FetchMessageObject, FetchQueryObject, ImapFlow, SearchObject } from "imapflow";
import { DAY_MS, instantOrNull, plus, toIso, type UnixMs } from "#domain/time.ts";
import {
  type CopyOutcome,
  type Envelope,
  type FindOutcome,
  type Mailbox,
  type PollOutcome,
  RAW_BYTES_MAX,
  type ReceivedMail,
} from "#platform/ports/mail.ts";
import { type FolderPosition, readCursor, writeCursor } from "./imap-cursor.ts";
import { fetchLarge } from "./imap-large.ts";
import type { Imap } from "./imap-session.ts";
import { junkOf } from "./junk.ts";

/** Emails of one poll. */
export const POLL_MAILS_MAX = 50;
/** Bytes of one poll; a single larger email still comes, alone. */
export const POLL_BYTES_MAX = 8_388_608;
/** How far back a folder is read whose UIDs have lost their meaning, or that is new to us. */
export const RESCAN_DAYS = 14;
/** Folders looked through for the special ones. */
const LIST_MAX = 2_000;

export async function poll(
  imap: Imap,
  mailbox: Mailbox,
  cursor: string,
  now: UnixMs,
): Promise<PollOutcome> {
  const result = await imap.reading(mailbox, async (client): Promise<PollOutcome> => {
    const known = readCursor(cursor);
    const next = new Map(known);
    const mails: ReceivedMail[] = [];
    let room = { mails: POLL_MAILS_MAX, bytes: POLL_BYTES_MAX };
    let more = false;
    for (const folder of await foldersOf(client)) {
      const start = { position: known.get(folder.path), isFirst: known.size === 0, now };
      const read = await readFolder(client, folder, start, room).catch((error: unknown) => {
        // Another folder that cannot be read must not keep the inbox from being read.
        if (folder.path === INBOX || !client.usable) {
          throw error;
        }
        listed.delete(client);
      });
      if (read === undefined) {
        continue;
      }
      next.set(folder.path, read.position);
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

interface Folder {
  path: string;
  /** Which of its emails are read; absent: all. */
  only?: SearchObject;
}

interface Room {
  mails: number;
  bytes: number;
}

interface Read {
  position: FolderPosition;
  mails: ReceivedMail[];
  bytes: number;
  more: boolean;
}

async function readFolder(
  client: ImapFlow,
  folder: Folder,
  start: Start,
  room: Room,
): Promise<Read> {
  const opened = await client.mailboxOpen(folder.path, { readOnly: true });
  const uidValidity = String(opened.uidValidity);
  const last = await lastUid(client, uidValidity, start);
  const upTo = (uid: number, more: boolean): Read => {
    return { position: { uidValidity, uid }, mails: [], bytes: 0, more };
  };
  if (opened.exists === 0 || (opened.uidNext > 0 && opened.uidNext <= last + 1)) {
    return upTo(last, false);
  }
  // The range n:* always holds the last message, even one below n (RFC 3501 §6.4.8).
  const uids = (await search(client, { uid: `${last + 1}:*`, ...folder.only })).filter(
    (uid) => uid > last,
  );
  if (uids.length === 0) {
    return upTo(Math.max(last, opened.uidNext > 0 ? opened.uidNext - 1 : last), false);
  }
  if (room.mails <= 0 || room.bytes <= 0) {
    return upTo(last, true);
  }
  const { selected, bytes } = await fitting(client, uids.slice(0, room.mails), room.bytes);
  const mails = await readMails(
    client,
    { folder: folder.path, uidValidity, now: start.now },
    selected,
  );
  const read = selected.at(-1)?.uid ?? last;
  return { ...upTo(read, read < (uids.at(-1) ?? read)), mails, bytes };
}

interface Sized {
  uid: number;
  /** As the server says; undefined where it does not. */
  size: number | undefined;
}

interface Place {
  folder: string;
  uidValidity: string;
  now: UnixMs;
}

/** In the order of `selected`; what has gone meanwhile is left out. */
async function readMails(
  client: ImapFlow,
  place: Place,
  selected: readonly Sized[],
): Promise<ReceivedMail[]> {
  const mails = new Map<number, ReceivedMail>();
  const isLarge = ({ size }: Sized) => size !== undefined && size > RAW_BYTES_MAX;
  const [large, whole] = [selected.filter(isLarge), selected.filter((one) => !isLarge(one))];
  const uids = whole.map(({ uid }) => uid);
  for await (const message of fetchByUid(client, uids, { internalDate: true, source: SOURCE })) {
    const size = selected.find(({ uid }) => uid === message.uid)?.size;
    if (uids.includes(message.uid) && message.source !== undefined) {
      mails.set(message.uid, received(place, message, message.source, size));
    }
  }
  const dates = new Map<number, FetchMessageObject>();
  for await (const message of fetchByUid(
    client,
    large.map(({ uid }) => uid),
    { internalDate: true },
  )) {
    dates.set(message.uid, message);
  }
  for (const { uid, size } of large) {
    const message = dates.get(uid);
    const raw = message && ((await fetchLarge(client, uid)) ?? (await fetchStart(client, uid)));
    if (message !== undefined && raw !== undefined) {
      mails.set(uid, received(place, message, raw, size));
    }
  }
  return selected.flatMap(({ uid }) => mails.get(uid) ?? []);
}

const SOURCE = { start: 0, maxLength: RAW_BYTES_MAX };

/** The first bytes of an email whose structure cannot be followed. */
async function fetchStart(client: ImapFlow, uid: number): Promise<Uint8Array | undefined> {
  for await (const message of fetchByUid(client, [uid], { source: SOURCE })) {
    if (message.uid === uid) {
      return message.source;
    }
  }
  return undefined;
}

async function* fetchByUid(
  client: ImapFlow,
  uids: readonly number[],
  query: FetchQueryObject,
): AsyncGenerator<FetchMessageObject> {
  if (uids.length > 0) {
    yield* client.fetch(uids.join(","), { uid: true, ...query }, { uid: true });
  }
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
): Promise<{ selected: Sized[]; bytes: number }> {
  const sizes = new Map<number, number>();
  for await (const message of fetchByUid(client, uids, { size: true })) {
    if (message.size !== undefined) {
      sizes.set(message.uid, message.size);
    }
  }
  const selected: Sized[] = [];
  let bytes = 0;
  for (const uid of uids) {
    const size = sizes.get(uid);
    const fetched = Math.min(size ?? RAW_BYTES_MAX, RAW_BYTES_MAX);
    if (selected.length > 0 && bytes + fetched > bytesMax) {
      break;
    }
    selected.push({ uid, size });
    bytes += fetched;
  }
  return { selected, bytes };
}

function received(
  { folder, uidValidity, now }: Place,
  { uid, internalDate }: FetchMessageObject,
  source: Uint8Array,
  size: number | undefined,
): ReceivedMail {
  const isPart = source.length >= RAW_BYTES_MAX || (size !== undefined && size > RAW_BYTES_MAX);
  return {
    folder,
    uid: `${uidValidity}.${uid}`,
    receivedAt: filedAt(internalDate) ?? now,
    raw: Uint8Array.from(source.subarray(0, RAW_BYTES_MAX)),
    ...(isPart && { sizeBytes: Math.max(size ?? 0, source.length) }),
  };
}

/** When the server filed an email; null where it gives no date, or none that can be. */
export function filedAt(internalDate: FetchMessageObject["internalDate"]): UnixMs | null {
  return typeof internalDate === "object" ? instantOrNull(internalDate.getTime()) : null;
}

/** Folders of a connection: a kept one need not ask for each poll. */
const listed = new WeakMap<ImapFlow, readonly Folder[]>();

/**
 * In the order in which they are read. In Gmail, whose folders are labels, a filter may take a reply past
 * the inbox, and a thumb may archive it before we look: what is in All Mail alone is read too, and first,
 * so that nothing can move there behind our back.
 */
async function foldersOf(client: ImapFlow): Promise<readonly Folder[]> {
  const known = listed.get(client);
  if (known !== undefined) {
    return known;
  }
  const junk = junkOf((await client.list()).slice(0, LIST_MAX));
  const all = client.capabilities.has("X-GM-EXT-1") ? await special(client, "\\All") : undefined;
  const folders = [
    ...(all === undefined ? [] : [{ path: all, only: { gmraw: ARCHIVED } }]),
    { path: INBOX },
    ...junk.map((path) => ({ path })),
  ];
  listed.set(client, folders);
  return folders;
}

const INBOX = "INBOX";
/** In Gmail's search language: neither in the inbox nor ours. */
const ARCHIVED = "-in:inbox -in:sent -in:drafts -in:chats";

/** Path of a special-use folder (RFC 6154), or of the one whose name says so. */
export async function special(client: ImapFlow, use: string): Promise<string | undefined> {
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
