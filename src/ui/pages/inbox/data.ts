/** Conversations as the inbox lists and shows them, and its filters in the address. */

import { etagOf } from "#client.ts";
import type { SettableKind } from "#domain/inbox/conversation.ts";
import { FOLDERS } from "#domain/inbox/folder.ts";
import { api } from "../../lib/api.ts";
import { filter, to } from "../../lib/route.ts";

export const PAGE_ROWS = 50;

export const FAMILIES = ["reply", "lead", "complaint", "email", "thread"];

/** What may be shown, as the address names it: what nobody is done with, what is unread, a folder, or all. */
export const SHOWS = ["", "unread", ...FOLDERS, "all"] as const;

function wanted() {
  const show = SHOWS.find((name) => name === filter("show")) ?? "all";
  switch (show) {
    case "":
      return { done: false };
    case "unread":
      return { unread: true };
    case "all":
      return {};
    default:
      return { folder: show };
  }
}

function loadPage(after: string | null) {
  const [campaign, search] = [filter("campaign"), filter("search")];
  const query = {
    limit: PAGE_ROWS,
    ...wanted(),
    ...(campaign === "" ? {} : { campaign_id: campaign }),
    ...(search === "" ? {} : { search }),
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
  const thread = await api().getInboxThread({ id });
  versions.set(id, etagOf(thread));
  return thread;
}

export type Conversation = Awaited<ReturnType<typeof loadThread>>;
export type Mail = Conversation["messages"][number];

export interface Patch {
  read?: boolean;
  kind?: SettableKind;
  interest?: Thread["interest"];
  done?: boolean;
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
