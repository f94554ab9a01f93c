/** Changes to conversations, each of which can be taken back while its words are on show, or by `z`. */

import { signal } from "@preact/signals";
import { OutriderError } from "#client.ts";
import { lastToChange } from "../../lib/actors.ts";
import { toast, toastError } from "../../parts/toasts.tsx";
import { type Patch, patchThread } from "./data.ts";

/** Takes the last change back; undefined where there is none. */
export const undo = signal<(() => void) | undefined>(undefined);

/** Counts changes made here, for those who show what they change. */
export const changed = signal(0);

interface Changeable {
  id: string;
  read: boolean;
  kind: NonNullable<Patch["kind"]>;
  interest: Patch["interest"];
  done: boolean;
}

function before(thread: Changeable, patch: Patch): Patch {
  return {
    ...(patch.read === undefined ? {} : { read: thread.read }),
    ...(patch.kind === undefined ? {} : { kind: thread.kind }),
    ...(patch.done === undefined ? {} : { done: thread.done }),
    ...(patch.interest === undefined ? {} : { interest: thread.interest ?? null }),
  };
}

/** Changes a conversation and says so; resolves when the server has it. */
export function change(thread: Changeable, patch: Patch, done: string): Promise<void> {
  const back = before(thread, patch);
  return put(thread.id, patch, () => {
    const take = () => {
      undo.value = undefined;
      void put(thread.id, back, () => toast("Undone"));
    };
    undo.value = take;
    toast(done, { name: "Undo", run: take });
  });
}

/** Where somebody else was quicker, their change stands and is shown, until this one is wanted anyway. */
async function put(id: string, patch: Patch, done: () => void, isOver = false): Promise<void> {
  try {
    await patchThread(id, patch, isOver);
    done();
  } catch (cause) {
    if (cause instanceof OutriderError && cause.status === 412) {
      const run = () => void put(id, patch, done, true);
      toast(`${await lastToChange(`thread:${id}`)} in the meantime`, {
        name: "Change anyway",
        run,
      });
    } else {
      toastError(cause);
    }
  }
  changed.value += 1;
}
