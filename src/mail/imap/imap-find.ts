/**
 * Looking for messages in a mailbox wherever its server may have put them: INBOX with Gmail's categories,
 * the junk folder whatever its name, then everywhere. Folders are opened read-only.
 *
 * Source: RFC 3501 §6.4.4 (SEARCH), RFC 6154 (special use), Gmail's IMAP extensions (X-GM-EXT-1), whose
 * X-GM-RAW takes the search terms `category:` and `rfc822msgid:`.
 */

import type { FetchMessageObject, ImapFlow, ListResponse } from "imapflow";
import { type Place, TABS, type Tab } from "#domain/placement/placement.ts";
import {
  HEADERS_BYTES_MAX,
  LOOK_MESSAGES_MAX,
  type LookOutcome,
  type Mailbox,
  type SeenMail,
  type Wanted,
} from "#platform/ports/mail.ts";
import { filedAt } from "./imap.ts";
import type { Imap } from "./imap-session.ts";
import { junkOf } from "./junk.ts";

/** Folders of a mailbox that are listed, and that are looked into. */
const LIST_MAX = 2_000;
const FOLDERS_MAX = 60;
/** Messages asked for in one search; each is two terms of it. */
const SEARCH_MAX = 10;
/** Messages read for one search: more are copies of the same. */
const READ_MAX = 40;

export async function look(
  imap: Imap,
  mailbox: Mailbox,
  wanted: readonly Wanted[],
): Promise<LookOutcome> {
  const result = await imap.session(mailbox, async (client): Promise<LookOutcome> => {
    const folders = placesOf(await client.list(), isGmail(client));
    const missing = new Map(
      wanted.slice(0, LOOK_MESSAGES_MAX).map((message) => [message.messageId, message]),
    );
    const found: SeenMail[] = [];
    // Opened also where nothing is asked for: whether it can be is an answer.
    await client.mailboxOpen("INBOX", { readOnly: true });
    for (const { path, place } of folders) {
      if (missing.size === 0) {
        break;
      }
      for (const mail of await lookInto(client, path, place, [...missing.values()])) {
        found.push(mail);
        missing.delete(mail.messageId);
      }
    }
    const junkFolder = folders.find(({ place }) => place === "junk")?.path ?? null;
    return { kind: "looked", found, junkFolder, tabs: usesTabs(client, found) };
  });
  return result.kind === "done" ? result.value : result;
}

function isGmail(client: ImapFlow): boolean {
  return client.capabilities.has("X-GM-EXT-1");
}

interface Folder {
  path: string;
  place: Place;
}

/** In the order in which they are looked into. Nobody sends to a Sent folder, or drafts to themselves. */
function placesOf(listed: readonly ListResponse[], gmail: boolean): Folder[] {
  const folders = listed
    .slice(0, LIST_MAX)
    .filter(({ flags }) => !flags.has("\\Noselect") && !flags.has("\\NonExistent"));
  const withUse = (use: string) =>
    folders.filter(({ specialUse }) => specialUse === use).map(({ path }) => path);
  const junk = junkOf(folders);
  const trash = withUse("\\Trash");
  const own = [...withUse("\\Sent"), ...withUse("\\Drafts")];
  // Gmail's folders are labels: what is in none of the two others is in All Mail.
  const rest = gmail ? withUse("\\All") : folders.map(({ path }) => path);
  const isRest = (path: string) =>
    path.toUpperCase() !== "INBOX" && ![...junk, ...trash, ...own].includes(path);
  const at = (place: Place) => (path: string) => ({ path, place });
  return [
    { path: "INBOX", place: "inbox" as const },
    ...junk.map(at("junk")),
    ...rest.filter(isRest).map(at("other")),
    ...trash.map(at("trash")),
  ].slice(0, FOLDERS_MAX);
}

/** A folder other than INBOX that cannot be opened or searched holds nothing for us. */
async function lookInto(
  client: ImapFlow,
  path: string,
  place: Place,
  wanted: readonly Wanted[],
): Promise<SeenMail[]> {
  try {
    const opened = await client.mailboxOpen(path, { readOnly: true });
    const found: SeenMail[] = [];
    for (let from = 0; opened.exists > 0 && from < wanted.length; from += SEARCH_MAX) {
      const asked = wanted.slice(from, from + SEARCH_MAX);
      for await (const { message, is } of matching(client, asked)) {
        found.push(await seen(client, { path, place }, message, is));
      }
    }
    return found;
  } catch (error) {
    if (place === "inbox" || !client.usable) {
      throw error;
    }
    return [];
  }
}

interface Matching {
  is: Wanted;
  message: FetchMessageObject;
}

async function* matching(client: ImapFlow, asked: readonly Wanted[]): AsyncGenerator<Matching> {
  const terms = asked.flatMap(({ messageId, token }) => [
    { header: { "Message-ID": messageId } },
    { header: { "List-Unsubscribe": token } },
  ]);
  const uids = await search(client, { or: terms });
  if (uids.length === 0) {
    return;
  }
  const source = { start: 0, maxLength: HEADERS_BYTES_MAX };
  const query = { uid: true, internalDate: true, source };
  const left = new Set(asked);
  const selected = uids.slice(-READ_MAX).join(",");
  const messages = await Array.fromAsync(client.fetch(selected, query, { uid: true }));
  for (const message of messages) {
    const head = headOf(message);
    const [id, optOut] = [fieldOf(head, "message-id"), fieldOf(head, "list-unsubscribe")];
    const is = [...left].find(
      ({ messageId, token }) => id.includes(messageId) || optOut.includes(token),
    );
    if (is !== undefined) {
      left.delete(is);
      yield { is, message };
    }
  }
}

async function seen(
  client: ImapFlow,
  { path, place }: Folder,
  message: FetchMessageObject,
  { messageId }: Wanted,
): Promise<SeenMail> {
  const tab =
    place === "inbox" && isGmail(client) ? await tabOf(client, message.uid, message) : null;
  return {
    messageId,
    folder: path,
    place,
    tab,
    receivedAt: filedAt(message.internalDate),
    headers: new TextEncoder().encode(headOf(message)),
  };
}

/** What Gmail's search language takes for a Message-ID without escapes. */
const PLAIN_ID = /<([A-Za-z0-9!#$%&'*+/=?^_`|~.@-]{3,500})>/;
/** The one that a test is about first. */
const ASKED: readonly Tab[] = ["promotions", ...TABS.filter((tab) => tab !== "promotions")];

/** Null where the message is in no category: the mailbox does not use them. */
async function tabOf(
  client: ImapFlow,
  uid: number,
  message: FetchMessageObject,
): Promise<Tab | null> {
  const id = PLAIN_ID.exec(fieldOf(headOf(message), "message-id"))?.[1];
  if (id === undefined) {
    return null;
  }
  for (const tab of ASKED) {
    const uids = await search(client, { gmraw: `category:${tab} rfc822msgid:${id}` });
    if (uids.includes(uid)) {
      return tab;
    }
  }
  return null;
}

function usesTabs(client: ImapFlow, found: readonly SeenMail[]): boolean | null {
  const inInbox = found.filter(({ place }) => place === "inbox");
  return isGmail(client) && inInbox.length > 0 ? inInbox.some(({ tab }) => tab !== null) : null;
}

/** The header block, one character a byte where it is no UTF-8. */
function headOf({ source }: FetchMessageObject): string {
  const text = new TextDecoder().decode(source?.subarray(0, HEADERS_BYTES_MAX) ?? new Uint8Array());
  const end = /\r?\n\r?\n/.exec(text)?.index ?? text.length;
  return text.slice(0, end);
}

/** The first field of this name, unfolded; empty where there is none. */
function fieldOf(head: string, name: "message-id" | "list-unsubscribe"): string {
  const unfolded = head.replace(/\r?\n[ \t]+/g, " ");
  const line = unfolded.split(/\r?\n/).find((one) => one.toLowerCase().startsWith(`${name}:`));
  return line?.slice(name.length + 1) ?? "";
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
