/**
 * Keys of the page on show and of the frame round it. A single key or a pair ("g c") does something only
 * while nobody types and no dialog is open; with `mod+` (Control, or Command on a Mac) it always does.
 */

import { signal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";

export interface KeyAction {
  /** What the key does, as the list of keys says it: "Next conversation". */
  name: string;
  run: () => void;
}

/**
 * By key as `KeyboardEvent.key` names it: `j`, `?`, `ArrowDown`, `Enter`; pairs as `g c`; chords as
 * `mod+k`. A key that is undefined does nothing now and is not listed.
 */
export type Keys = Readonly<Record<string, KeyAction | undefined>>;

export interface KeyGroup {
  /** Whose keys they are: "Inbox". */
  name: string;
  /** What stands now. */
  keys: () => Keys;
  /** Works over an open dialog, because it belongs to one. */
  isInDialog: boolean;
}

/** The latest group comes first: a page before the frame, a dialog before the page. */
export const keyGroups = signal<readonly KeyGroup[]>([]);

const STORED = "outrider-single-keys";

/** Who dictates, or has unsteady hands, can turn single keys off (WCAG 2.1.4). */
export const hasSingleKeys = signal(localStorage.getItem(STORED) !== "off");

export function setSingleKeys(isOn: boolean): void {
  hasSingleKeys.value = isOn;
  localStorage.setItem(STORED, isOn ? "on" : "off");
}

/** Keys that work, and are listed under `name`, for as long as the component is on the page. */
export function useKeys(keys: Keys, name: string, { isInDialog = false } = {}): void {
  const latest = useRef(keys);
  latest.current = keys;
  // At once: a key that is pressed as soon as the page is seen counts.
  useLayoutEffect(() => {
    const group = { name, keys: () => latest.current, isInDialog };
    keyGroups.value = [group, ...keyGroups.peek()];
    return () => {
      keyGroups.value = keyGroups.peek().filter((each) => each !== group);
    };
  }, [name, isInDialog]);
}

/** The second key of a pair counts within this time. */
const PAIR_MS_MAX = 1500;

export function followKeys(): void {
  const pairs = { first: "", at: 0 };
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) {
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) {
      chord(event);
    } else if (!hasSingleKeys.value || isTyping(event) || isPressing(event)) {
      pairs.first = "";
    } else {
      single(event, pairs);
    }
  });
}

function chord(event: KeyboardEvent): void {
  if (event.ctrlKey !== event.metaKey && !event.altKey) {
    run(event, `mod+${event.key.toLowerCase()}`);
  }
}

function single(event: KeyboardEvent, pairs: { first: string; at: number }): void {
  const { key, timeStamp } = event;
  const { first, at } = pairs;
  pairs.first = "";
  if (first !== "" && timeStamp - at <= PAIR_MS_MAX && run(event, `${first} ${key}`)) {
    return;
  }
  if (!run(event, key)) {
    pairs.first = key;
    pairs.at = timeStamp;
  }
}

function run(event: KeyboardEvent, key: string): boolean {
  const isOver = document.querySelector("dialog:modal") !== null;
  for (const group of keyGroups.value) {
    const action = group.keys()[key];
    if (action !== undefined && (group.isInDialog || !isOver)) {
      event.preventDefault();
      action.run();
      return true;
    }
  }
  return false;
}

function isTyping({ target }: Event): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select") !== null)
  );
}

/** Enter and space press the button or follow the link that has the focus. */
function isPressing({ key, target }: KeyboardEvent): boolean {
  return (
    (key === "Enter" || key === " ") &&
    target instanceof Element &&
    target.closest("a, button, summary, [role=button]") !== null
  );
}

/** A key as its cap says it: `mod+k` is "Ctrl K" or "⌘ K", `ArrowDown` "↓". */
export function keyCaps(key: string): readonly string[] {
  return key.split(/[ +]/).map((part) => CAPS[part] ?? (key.includes("+") ? upper(part) : part));
}

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

const CAPS: Readonly<Record<string, string>> = {
  mod: isMac ? "⌘" : "Ctrl",
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Escape: "Esc",
  Enter: "↵",
};

function upper(key: string): string {
  return key.length === 1 ? key.toUpperCase() : key;
}
