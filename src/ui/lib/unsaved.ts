/**
 * What somebody typed and the server does not have yet. Every form that holds such words says so here, and
 * nobody gets past them unawares: what can be saved is saved first, and where that fails the reader decides.
 */

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";

export interface Words {
  isUnsaved: () => boolean;
  /** Saves them; `isUnsaved` says afterwards whether that worked. Absent: only the form's own button does. */
  save?: (() => Promise<unknown>) | undefined;
  /** Whether they are saved without being asked. */
  isAuto?: boolean;
  /** Whether they outlive the page that they were typed on, as long as the tab does. */
  staysInTab?: boolean;
  /** Forgets them. */
  drop: () => void;
}

const held = new Set<Words>();
/** How long a way on waits for words to be saved before it asks. */
const SAVE_MS_MAX = 5000;

/** Holds words until what it returns is called. */
export function hold(words: Words): () => void {
  held.add(words);
  return () => {
    held.delete(words);
  };
}

/** Holds words as long as a component is shown. */
export function useUnsaved(words: Words): void {
  const latest = useRef(words);
  latest.current = words;
  useEffect(
    () =>
      hold({
        isUnsaved: () => latest.current.isUnsaved(),
        drop: () => latest.current.drop(),
        get save() {
          return latest.current.save;
        },
        get isAuto() {
          return latest.current.isAuto ?? false;
        },
      }),
    [],
  );
}

const unsaved = () => [...held].filter((words) => words.isUnsaved());
/** What would be lost with the page on show. */
const atStake = () => unsaved().filter(({ staysInTab }) => staysInTab !== true);

async function saveAll(words: readonly Words[]): Promise<void> {
  const late = new Promise<void>((resolve) => {
    setTimeout(resolve, SAVE_MS_MAX);
  });
  await Promise.race([Promise.all(words.map(({ save }) => save?.())), late]);
}

/** Saves what is saved without being asked. Resolves to whether nothing on the page is left unsaved. */
export async function flush(): Promise<boolean> {
  await saveAll(atStake().filter(({ isAuto }) => isAuto));
  return atStake().length === 0;
}

/** Somebody is leaving a page with unsaved words. */
interface Question {
  go: () => void;
  stay: () => void;
  canSave: boolean;
}

/** Undefined while there is nothing to ask. */
export const question = signal<Question | undefined>(undefined);

/** Goes on, at once where nothing is unsaved; else after saving it, or if the reader says so. */
export function leave(go: () => void, stay: () => void = () => undefined): void {
  if (atStake().length === 0) {
    go();
    return;
  }
  void flush().then((isSaved) => {
    if (isSaved) {
      go();
    } else {
      question.value = { go, stay, canSave: atStake().every(({ save }) => save !== undefined) };
    }
  });
}

/** Returns {@link question}. Where saving fails the page stays, and its form says why. */
export async function answer(how: "stay" | "save" | "drop"): Promise<void> {
  const asked = question.peek();
  question.value = undefined;
  if (how === "save") {
    await saveAll(atStake());
  }
  if (how === "drop") {
    for (const words of atStake()) {
      words.drop();
    }
  }
  if (how === "stay" || atStake().length > 0) {
    asked?.stay();
  } else {
    asked?.go();
  }
}

/** The browser asks before it closes a tab, or loads it anew, with unsaved words in it. */
export function guardTab(): void {
  addEventListener("beforeunload", (event) => {
    if (unsaved().length > 0) {
      event.preventDefault();
      void flush();
    }
  });
}
