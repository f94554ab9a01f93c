/**
 * Tells pages that something happened: one stream of events for each visible tab, closed while the tab
 * is hidden, since a browser keeps only six connections to a host.
 */

import { effect, type Signal, signal } from "@preact/signals";
import { env } from "./route.ts";

/** Whether news come in. */
export const connection = signal<"connecting" | "open" | "away">("connecting");

const counters = new Map<string, Signal<number>>();

/** How often an event of the family has happened; read in an effect to run it again then. */
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
const TELL_EVERY_MS = 1000;
const waiting = new Set<string>();

function tell(family: string): void {
  if (waiting.has(family)) {
    return;
  }
  waiting.add(family);
  setTimeout(() => {
    waiting.delete(family);
    counterOf(family).value += 1;
  }, TELL_EVERY_MS);
}

function open(of: string): () => void {
  const source = new EventSource(`/${of}/api/v1/events/stream`);
  source.addEventListener("open", () => {
    connection.value = "open";
  });
  source.addEventListener("error", () => {
    connection.value = "away";
  });
  source.addEventListener("message", ({ data }) => {
    const { type } = JSON.parse(data) as { type: string };
    tell(type.split(".")[0] ?? type);
  });
  return () => source.close();
}

/** Follows the environment on show for as long as the page lives. */
export function listen(): void {
  const isVisible = signal(document.visibilityState === "visible");
  document.addEventListener("visibilitychange", () => {
    isVisible.value = document.visibilityState === "visible";
  });
  effect(() => {
    const of = env.value;
    return isVisible.value ? open(of) : undefined;
  });
}
