/** Conversations as the inbox lists and shows them, and its filters in the address. */

import { etagOf } from "#client.ts";
import type { SettableKind } from "#domain/inbox/conversation.ts";
import { FOLDERS } from "#domain/inbox/folder.ts";
import { api } from "../../lib/api.ts";
import { filter, to } from "../../lib/route.ts";
import { session } from "../../lib/session.ts";

export const PAGE_ROWS = 50;

export const FAMILIES = ["reply", "lead", "complaint", "email", "thread"];

/** What may be shown, as the address names it: what is open, unread, the reader's own, a folder, or all. */
export const SHOWS = ["", "unread", "mine", "mentions", ...FOLDERS, "all"] as const;

function wanted() {
  const show = SHOWS.find((name) => name === filter("show")) ?? "all";
  switch (show) {
    case "":
      return { done: false };
    case "unread":
      return { unread: true };
    case "mine":
      return { done: false, assignee_id: session.peek()?.user.id };
    case "mentions":
      return { done: false, mentions: session.peek()?.user.id };
    case "all":
      return {};
    default:
      return { folder: show };
  }
}

function loadPage(after: string | null) {
  const [campaign, search, tag] = [filter("campaign"), filter("search"), filter("tag")];
  const query = {
    limit: PAGE_ROWS,
    ...wanted(),
    ...(campaign === "" ? {} : { campaign_id: campaign }),
    ...(search === "" ? {} : { search }),
    ...(tag === "" ? {} : { tag }),
    ...(after === null ? {} : { after }),
  };
  return api().listInboxThreads(query);
}

export type Thread = Awaited<ReturnType<typeof loadPage>>["data"][number];

/** The first `pages` pages of what the address asks for. */
export async function loadThreads(pages: number) {
  const { search } = location;
  const first = await loadPage(null);
  const rows: Thread[] = [...first.data];
  let { next_cursor: next } = first;
  for (let page = 1; page < pages && next !== null; page += 1) {
    const more = await loadPage(next);
    rows.push(...more.data);
    next = more.next_cursor;
  }
  return { rows, total: first.total, hasMore: next !== null, search };
}

/** Versions of the conversations that were read here, by id: a change is made to no other. */
const versions = new Map<string, string | undefined>();

export async function loadThread(id: string) {
  const [thread, notes] = await Promise.all([
    api().getInboxThread({ id }),
    api().listInboxThreadNotes({ id }),
  ]);
  versions.set(id, etagOf(thread));
  return { ...thread, notes: notes.data };
}

export type Conversation = Awaited<ReturnType<typeof loadThread>>;
export type Mail = Conversation["messages"][number];
export type Note = Conversation["notes"][number];

export interface Patch {
  read?: boolean;
  kind?: SettableKind;
  interest?: Thread["interest"];
  done?: boolean;
  snoozed_until?: string | null;
  assignee_id?: string | null;
}

/** Changes go out one after another, so that none meets the version that the one before it has made. */
let lastPatch: Promise<unknown> = Promise.resolve();

/** Throws an {@link OutriderError} with 412 where somebody else has changed it since it was read, unless `isOver`. */
export function patchThread(id: string, patch: Patch, isOver = false): Promise<void> {
  const made = lastPatch.then(async () => {
    const ifMatch = isOver ? undefined : versions.get(id);
    versions.set(id, etagOf(await api().patchInboxThread({ id, body: patch }, { ifMatch })));
  });
  lastPatch = made.catch(() => undefined);
  return made;
}

/** The address of a conversation, or of the list where `id` is empty, with the filters that are set. */
export function threadHref(id: string): string {
  return `${to(id === "" ? "inbox" : `inbox/${id}`)}${location.search}`;
}
