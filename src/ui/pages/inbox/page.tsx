/** The inbox: conversations, one of them, and its owner; worked by keyboard. */

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { now } from "../../lib/clock.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { dateTime, words } from "../../lib/format.ts";
import { type Keys, useKeys } from "../../lib/keys.ts";
import { filter, go, hasArrived, setFilters, to } from "../../lib/route.ts";
import { can, session } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { SearchField } from "../../parts/form/search-field.tsx";
import { Empty, Failed, Loaded, Loading, Page } from "../../parts/page.tsx";
import { toastError } from "../../parts/toasts.tsx";
import { change, changed } from "./changes.ts";
import {
  FAMILIES,
  loadThread,
  loadThreads,
  patchThread,
  SHOWS,
  type Thread,
  threadHref,
} from "./data.ts";
import { laterThan } from "./handling.tsx";
import { ThreadList } from "./list.tsx";
import { clearSelection, SelectionBar, select, selected } from "./selection.tsx";
import { Side } from "./side.tsx";
import { ThreadView, type Writing } from "./thread.tsx";

const listFolders = () => api().listInboxFolders();
const CURL = curl("GET", "/inbox/threads?unread=true");
const FIRST_FIELD = ".inbox-thread form [name]";

export function InboxPage({ id }: { id: string }) {
  const pages = useSignal(1);
  const threads = useData(() => {
    changed.value;
    return loadThreads(pages.value);
  }, FAMILIES);
  const folders = useData(() => {
    changed.value;
    return listFolders();
  }, FAMILIES);
  const rows = threads.value?.rows ?? [];
  // Of another folder nothing has come yet.
  const first = threads.value?.search === location.search ? rows[0]?.id : undefined;
  useEffect(() => {
    // Where there is room for both, the list comes with its first conversation.
    if (id === "" && first !== undefined && matchMedia("(width >= 1000px)").matches) {
      go(threadHref(first), { replace: true });
    }
  }, [id, first]);
  const writes = useSignal<Writing>("Reply");
  // What was selected in one folder is not on show in another.
  useEffect(clearSelection, [filter("show"), filter("search")]);
  useEffect(() => {
    writes.value = "Reply";
  }, [id]);
  useInboxKeys(rows, id, (how) => {
    writes.value = how;
    // Its field is there after this turn; by the next frame a fast hand has typed its first words.
    queueMicrotask(() => document.querySelector<HTMLElement>(FIRST_FIELD)?.focus());
  });
  return (
    <Page
      title="Inbox"
      unread={folders.value?.unread}
      actions={<SearchField placeholder="Search emails…" />}
    >
      <Folders of={folders.value} />
      {selected.value.size > 0 && <SelectionBar rows={rows} />}
      <Loaded data={threads} lines={8}>
        {({ hasMore }) =>
          rows.length === 0 && id === "" ? (
            <NoThreads />
          ) : (
            <div class="inbox" data-open={id === "" ? undefined : "thread"}>
              <ThreadList
                rows={rows}
                hasMore={hasMore}
                selected={id}
                onMore={() => {
                  pages.value += 1;
                }}
              />
              {id === "" ? (
                <p class="inbox-none quiet">Select a conversation, or press j.</p>
              ) : (
                <Open key={id} id={id} writes={writes} />
              )}
            </div>
          )
        }
      </Loaded>
    </Page>
  );
}

function Open({ id, writes }: { id: string; writes: Signal<Writing> }) {
  const thread = useData(() => {
    changed.value;
    return loadThread(id);
  }, FAMILIES);
  const isOpened = thread.value !== undefined;
  useEffect(() => {
    // Whoever steps through conversations stays where they are.
    hasArrived();
    // What is marked unread while it is open stays so.
    if (thread.value?.read === false && can("inbox:write")) {
      void patchThread(id, { read: true }).then(() => {
        changed.value += 1;
      }, toastError);
    }
  }, [isOpened]);
  if (thread.value === undefined) {
    return (
      <div class="inbox-thread">
        {thread.error ? (
          <Failed error={thread.error} retry={thread.reload} />
        ) : (
          <Loading lines={6} />
        )}
      </div>
    );
  }
  return (
    <>
      <ThreadView thread={thread.value} writes={writes} />
      <Side thread={thread.value} reload={thread.reload} />
    </>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  "": "Inbox",
  mine: "Assigned to me",
  mentions: "Mentions of me",
};

/** The others come once something is in them. */
const ALWAYS: readonly string[] = ["", "unread", "mine", "interested", "questions", "done", "all"];

function Folders({ of }: { of: Awaited<ReturnType<typeof listFolders>> | undefined }) {
  const counts = new Map<string, number>(of?.data.map((one) => [one.folder, one.conversations]));
  counts.set("unread", of?.unread ?? 0);
  counts.set("mine", of?.assigned ?? 0);
  counts.set("mentions", of?.mentioned ?? 0);
  const open = filter("show");
  const shown = SHOWS.filter(
    (show) => ALWAYS.includes(show) || show === open || (counts.get(show) ?? 0) > 0,
  );
  return (
    <nav class="tabs" aria-label="Folders">
      {shown.map((show) => (
        <a
          key={show}
          href={to(show === "" ? "inbox" : `inbox?show=${show}`)}
          aria-current={open === show ? "page" : undefined}
        >
          {NAMES[show] ?? words(show)}{" "}
          <span class="number faint">{show !== "done" && (counts.get(show) || "")}</span>
        </a>
      ))}
    </nav>
  );
}

function NoThreads() {
  return filter("show") === "" && filter("search") === "" ? (
    <Empty
      icon="inbox"
      title="No replies yet"
      curl={CURL}
      action={
        <a class="button" href={to("campaigns")}>
          View campaigns
        </a>
      }
    >
      Replies, bounces, and auto-replies to all your mailboxes show up here, each already
      classified.
    </Empty>
  ) : (
    <Empty
      icon="check"
      title={filter("search") === "" ? "Nothing here" : "No results"}
      action={
        <Button onClick={() => setFilters({ show: "", search: "", tag: "" })}>Show all</Button>
      }
    >
      No conversations match this filter.
    </Empty>
  );
}

function useInboxKeys(rows: readonly Thread[], id: string, write: (how: Writing) => void): void {
  const at = rows.findIndex((row) => row.id === id);
  const thread = rows[at];
  /** Rows may go from under a filter when they are changed: then the next one is where it was. */
  const lastAt = useRef(0);
  useEffect(() => {
    if (at >= 0) {
      lastAt.current = at;
    }
  }, [at]);
  const step = (by: number) => {
    const from = at >= 0 ? at + by : id === "" ? 0 : lastAt.current + Math.min(by, 0);
    const next = rows[Math.max(0, Math.min(rows.length - 1, from))];
    if (next !== undefined) {
      go(threadHref(next.id), { replace: id !== "" });
    }
  };
  const changing = (name: string, run: (open: Thread) => void) =>
    thread === undefined || !can("inbox:write") ? undefined : { name, run: () => run(thread) };
  const writing = (name: string, how: Writing) =>
    id === "" || !can("inbox:write") ? undefined : { name, run: () => write(how) };
  const keys: Keys = {
    j: { name: "Next conversation", run: () => step(1) },
    k: { name: "Previous conversation", run: () => step(-1) },
    e: changing("Mark done and go to next", (open) => {
      void change(open, { done: true, read: true }, "Marked done");
      if (rows[at + 1] === undefined) {
        go(threadHref(""));
      } else {
        step(1);
      }
    }),
    // Opening it has marked it read; to undo these mustn't mark it unread.
    i: changing("Mark interested", (open) => {
      void change(open, { interest: "interested" }, "Marked interested");
    }),
    m: changing("Mark as meeting", (open) => {
      void change(open, { interest: "meeting" }, "Marked as meeting");
    }),
    n: changing("Mark not interested", (open) => {
      void change(open, { interest: "not_interested" }, "Marked not interested");
    }),
    x: changing("Select", (open) => select(open.id)),
    s: changing("Snooze until tomorrow", (open) => {
      const [, tomorrow] = laterThan(now.peek());
      if (tomorrow !== undefined) {
        const at = tomorrow[1].toISOString();
        void change(open, { snoozed_until: at, read: true }, `Snoozed until ${dateTime(at)}`);
        step(1);
      }
    }),
    a: changing("Assign to me", (open) => {
      void change(open, { assignee_id: session.peek()?.user.id ?? null }, "Assigned to you");
    }),
    u: changing("Mark unread", (open) => void change(open, { read: false }, "Marked unread")),
    r: writing("Reply", "Reply"),
    f: writing("Forward", "Forward"),
    c: writing("Add a note", "Note"),
    Escape: id === "" ? undefined : { name: "Back to list", run: () => go(threadHref("")) },
  };
  useKeys(keys, "Inbox");
}
