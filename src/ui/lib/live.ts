/**
 * Tells pages that something happened: one stream of events for all visible tabs of a browser, which
 * keeps only six connections to a host. One tab reads and tells the others; a hidden tab is quiet, and
 * loads anew what it shows when it comes back.
 */

import { effect, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { type Env, env } from "./route.ts";

type Connection = "connecting" | "open" | "away";

/** Whether news come in. */
export const connection = signal<Connection>("connecting");

/** Counts where news stop and where they begin again: anything may have changed between, the session too. */
export const gaps = signal(0);

const counters = new Map<string, Signal<number>>();

/**
 * How often something of the family has happened, or been changed: "email", "campaign", "step"; read in an
 * effect to run it again then.
 */
export function changes(family: string): number {
  return counterOf(family).value;
}

function counterOf(family: string): Signal<number> {
  let counter = counters.get(family);
  if (counter === undefined) {
    counter = signal(0);
    counters.set(family, counter);
  }
  return counter;
}

/** News of one family are told at most this often. */
const NOTIFY_EVERY_MS = 1000;
const waiting = new Set<string>();

function notify(family: string): void {
  if (waiting.has(family)) {
    return;
  }
  waiting.add(family);
  setTimeout(() => {
    waiting.delete(family);
    if (isListening.peek()) {
      counterOf(family).value += 1;
    }
  }, NOTIFY_EVERY_MS);
}

/** After a silence nobody knows what was missed. */
function notifyAll(): void {
  for (const family of counters.keys()) {
    notify(family);
  }
}

/** What the reading tab tells the others; `isLate`: nobody knows what happened before the stream began. */
type News = { family: string } | { connection: Connection; isLate?: boolean } | { asks: true };

function hear(news: News): void {
  if ("family" in news) {
    notify(news.family);
  } else if ("connection" in news) {
    // From the page's first question on until news come in, a role may have changed, which is no event.
    const isFirst = connection.peek() === "connecting" && news.connection === "open";
    connection.value = news.connection;
    if (news.isLate === true) {
      notifyAll();
    }
    if (isFirst || news.isLate === true || news.connection === "away") {
      gaps.value += 1;
    }
  }
}

/** A stream that the server has refused is tried again after this long. */
const RETRY_MS = 5000;

/**
 * Reads events and hands them on until the answer is called: those after `after`, which was the last before
 * anything on show was asked for, or those from now on.
 */
function read(of: Env, after: number | undefined, pass: (news: News) => void): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let isLate = after === undefined;
  const open = () => {
    const from = isLate ? "" : `?after=${after}`;
    source = new EventSource(`/${of}/api/v1/events/stream${from}`);
    source.addEventListener("open", () => pass({ connection: "open", isLate }));
    source.addEventListener("error", () => {
      isLate = true;
      pass({ connection: "away" });
      if (source.readyState === EventSource.CLOSED) {
        retry = setTimeout(open, RETRY_MS);
      }
    });
    source.addEventListener("change", ({ data }) => pass({ family: data }));
  };
  open();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}

/** Hears in the one tab that reads the news of an environment. */
type Tell = (of: Env, family: string) => void;

/** Takes part until the answer is called: as the tab that reads, or as one that is told. */
function takePart(of: Env, after: number | undefined, tell: Tell): () => void {
  const name = `outrider-${of}`;
  const leave = new AbortController();
  const channel = new BroadcastChannel(name);
  const lead = () =>
    new Promise<void>((resolve) => {
      // The lock may have been granted just before this tab left.
      if (leave.signal.aborted) {
        return resolve();
      }
      // Whoever was told by another tab goes on from now, and not from when it began.
      const from = connection.peek() === "connecting" ? after : undefined;
      const stop = read(of, from, (news) => {
        channel.postMessage(news);
        hear(news);
        if ("family" in news) {
          tell(of, news.family);
        }
      });
      channel.onmessage = ({ data }: MessageEvent<News>) => {
        if ("asks" in data) {
          channel.postMessage({ connection: connection.peek() });
        }
      };
      leave.signal.addEventListener("abort", () => {
        stop();
        resolve();
      });
    });
  channel.onmessage = ({ data }: MessageEvent<News>) => hear(data);
  channel.postMessage({ asks: true });
  // Without TLS a browser has no locks, save on this machine: then each tab reads for itself.
  if (navigator.locks === undefined) {
    void lead();
  } else {
    navigator.locks.request(name, { signal: leave.signal }, lead).catch(() => undefined);
  }
  return () => {
    leave.abort();
    channel.close();
  };
}

const isListening = signal(true);

/** Hears no more, or again: whoever is signed out is not told that nothing can be heard. */
export function setListening(isOn: boolean): void {
  isListening.value = isOn;
}

/**
 * Follows the environment on show for as long as the page lives; `known` are the events that all it asks
 * for knows of. A hidden tab is quiet, unless `inBackground`; `tell` hears in the one tab that reads.
 */
export function listen(
  known: Readonly<Record<Env, number>> | null,
  inBackground: ReadonlySignal<boolean>,
  tell: Tell,
): void {
  let first = known;
  const isVisible = signal(document.visibilityState === "visible");
  document.addEventListener("visibilitychange", () => {
    isVisible.value = document.visibilityState === "visible";
    if (isVisible.value) {
      notifyAll();
    }
  });
  effect(() => {
    const of = env.value;
    if (!(isVisible.value || inBackground.value) || !isListening.value) {
      return;
    }
    const after = first?.[of];
    first = null;
    return takePart(of, after, tell);
  });
}
