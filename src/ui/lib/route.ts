/**
 * Where the reader is. The address holds all state that a reload should keep: `/{env}/{page}/…?filters`.
 * Links are plain `<a href>`; clicks on ours change the signal instead of loading a document.
 */

import { computed, signal } from "@preact/signals";
import { leave } from "./unsaved.ts";

export type Env = "live" | "test";

const address = signal(new URL(location.href));

export const path = computed(() => address.value.pathname);

/** The first word of the address; anything but `test` is live. */
export const env = computed<Env>(() => (path.value.split("/")[1] === "test" ? "test" : "live"));

/** What follows the environment, without slashes at its ends: `campaigns/0198…/leads`. */
export const place = computed(() => path.value.split("/").slice(2).filter(Boolean).join("/"));

/** The address of a page in the environment that is on show. */
export function to(page: string, inEnv: Env = env.value): string {
  return `/${inEnv}/${page}`;
}

/** True from a navigation of the reader's until the page that it leads to has been told. */
let isArriving = false;

/** Whether the page on show has just been gone to; says so once. */
export function hasArrived(): boolean {
  const has = isArriving;
  isArriving = false;
  return has;
}

/** Which entry of the tab's history is on show, so that a way back that is not taken can be undone. */
let entry = entryOf(history.state);

function entryOf(state: unknown): number {
  return (state as { entry?: number } | null)?.entry ?? 0;
}

/** Opens an address. Unsaved words of the page are saved first, or the reader is asked. */
export function go(href: string, { replace = false } = {}): void {
  const next = new URL(href, location.href);
  const move = () => {
    isArriving ||= next.pathname !== path.peek();
    if (replace) {
      history.replaceState({ entry }, "", next);
    } else {
      entry += 1;
      history.pushState({ entry }, "", next);
      scrollTo(0, 0);
    }
    address.value = next;
  };
  if (next.pathname === path.peek()) {
    move();
  } else {
    leave(move);
  }
}

/** A filter in the address; `""` when it is not set. */
export function filter(name: string): string {
  return address.value.searchParams.get(name) ?? "";
}

/** Sets filters in the address; `""` takes one out. Does not add to the history. */
export function setFilters(values: Readonly<Record<string, string>>): void {
  const next = new URL(address.value);
  for (const [name, value] of Object.entries(values)) {
    if (value === "") {
      next.searchParams.delete(name);
    } else {
      next.searchParams.set(name, value);
    }
  }
  go(next.href, { replace: true });
}

/** A part of an address as it was meant; as it stands where it is no such thing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Values of `:names` in `pattern` where it fits the place, else undefined. */
export function match(pattern: string, at: string): Record<string, string> | undefined {
  const wanted = pattern.split("/");
  const given = at === "" ? [] : at.split("/");
  if (pattern === "" ? given.length > 0 : wanted.length !== given.length) {
    return undefined;
  }
  const values: Record<string, string> = {};
  for (const [index, part] of given.entries()) {
    const word = wanted[index] ?? "";
    if (word.startsWith(":")) {
      values[word.slice(1)] = decoded(part);
    } else if (word !== part) {
      return undefined;
    }
  }
  return values;
}

/** Pages that are the console's own; all else (`/docs`, `/api`) is loaded as a document. */
const OWN = /^\/(live|test)(\/(?!api\/)|$)/;

export function followLinks(): void {
  addEventListener("popstate", () => {
    const there = entryOf(history.state);
    const here = entry;
    const move = () => {
      entry = there;
      isArriving = true;
      address.value = new URL(location.href);
    };
    if (there !== here) {
      leave(move, () => history.go(here - there));
    }
  });
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (link === null || !isPlain || event.defaultPrevented || link.target !== "") {
      return;
    }
    const url = new URL(link.href);
    if (url.origin === location.origin && OWN.test(url.pathname) && !link.download) {
      event.preventDefault();
      go(url.href);
    }
  });
}
