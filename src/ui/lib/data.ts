/**
 * Data of a page: loaded when the page opens, again when its address or something that it shows
 * changes. What is shown stays while it loads again, greyed where the server cannot be reached.
 */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { OutriderError, OutriderUnreachable } from "#client.ts";
import { words } from "./format.ts";
import { changes } from "./live.ts";

export interface Data<Value> {
  value: Value | undefined;
  error: Error | undefined;
  /** True while nothing has come yet. */
  isFirst: boolean;
  /** The last load failed; `value` is older than it could be. */
  isStale: boolean;
  reload: () => void;
}

/** The server cannot be reached, or will be there again in a moment. */
export function isPassing(cause: unknown): boolean {
  return (
    cause instanceof OutriderUnreachable ||
    (cause instanceof OutriderError && (cause.status === 429 || cause.status > 500))
  );
}

const RETRY_MS = 3000;

/** Asks once more in a moment, where that may change the answer; not after what it returns was called. */
export function askAgain(cause: unknown, ask: () => void): () => void {
  const timer = isPassing(cause) ? setTimeout(ask, RETRY_MS) : undefined;
  return () => clearTimeout(timer);
}

/**
 * Runs `load` now, whenever a signal that it reads before its first await changes, and when an event of
 * one of `families` ("campaign", "email", …) happens.
 */
export function useData<Value>(
  load: () => Promise<Value>,
  families: readonly string[] = [],
): Data<Value> {
  const value = useSignal<Value | undefined>(undefined);
  const error = useSignal<Error | undefined>(undefined);
  const asked = useSignal(0);
  const reload = useCallback(() => {
    asked.value += 1;
  }, [asked]);

  useSignalEffect(() => {
    asked.value;
    for (const family of families) {
      changes(family);
    }
    let isCurrent = true;
    let forget = () => {};
    load().then(
      (loaded) => {
        if (isCurrent) {
          value.value = loaded;
          error.value = undefined;
        }
      },
      (cause: unknown) => {
        if (isCurrent) {
          error.value = errorOf(cause);
          forget = askAgain(cause, reload);
          if (!isPassing(cause)) {
            value.value = undefined;
          }
        }
      },
    );
    return () => {
      isCurrent = false;
      forget();
    };
  });

  return {
    value: value.value,
    error: error.value,
    isFirst: value.value === undefined && error.value === undefined,
    isStale: error.value !== undefined && value.value !== undefined,
    reload,
  };
}

/** What was thrown, with its message as a sentence begins; a name or an address stays as it is written. */
export function errorOf(cause: unknown): Error {
  const error = cause instanceof Error ? cause : new Error(String(cause));
  error.message = error.message.replace(/^[a-z]+(?=[\s,;:’'])/, (word) => words(word));
  return error;
}
