/**
 * Data of a page: loaded when the page opens, again when its address or something that it shows
 * changes. What is shown stays while it loads again, greyed where the server cannot be reached.
 */

import { useSignal, useSignalEffect } from "@preact/signals";
import { useCallback } from "preact/hooks";
import { OutriderError, OutriderUnreachable } from "#client.ts";
import { changes, connection } from "./live.ts";

export interface Data<Value> {
  value: Value | undefined;
  error: Error | undefined;
  /** True while nothing has come yet. */
  isFirst: boolean;
  /** The last load failed; `value` is older than it could be. */
  isStale: boolean;
  reload: () => void;
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

  useSignalEffect(() => {
    asked.value;
    for (const family of families) {
      changes(family);
    }
    let isCurrent = true;
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
          if (cause instanceof OutriderError) {
            value.value = undefined;
          }
        }
      },
    );
    return () => {
      isCurrent = false;
    };
  });

  // What could not be asked while the server was away is asked when it is back.
  useSignalEffect(() => {
    if (connection.value === "open" && error.peek() instanceof OutriderUnreachable) {
      asked.value = asked.peek() + 1;
    }
  });

  return {
    value: value.value,
    error: error.value,
    isFirst: value.value === undefined && error.value === undefined,
    isStale: error.value !== undefined && value.value !== undefined,
    reload: useCallback(() => {
      asked.value += 1;
    }, [asked]),
  };
}

export function errorOf(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause));
}
