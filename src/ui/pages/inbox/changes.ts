/** Changes to conversations, each of which can be taken back while its words are on show, or by `z`. */

import { signal } from "@preact/signals";
import { say } from "../../parts/toasts.tsx";
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
}

function before(thread: Changeable, patch: Patch): Patch {
  return {
    ...(patch.read === undefined ? {} : { read: thread.read }),
    ...(patch.kind === undefined ? {} : { kind: thread.kind }),
    ...(patch.interest === undefined ? {} : { interest: thread.interest ?? null }),
  };
}

/** Changes a conversation and says so; resolves when the server has it. */
export async function change(thread: Changeable, patch: Patch, done: string): Promise<void> {
  const back = before(thread, patch);
  try {
    await patchThread(thread.id, patch);
    const take = () => {
      undo.value = undefined;
      void put(thread.id, back);
    };
    undo.value = take;
    say(done, { name: "Undo", run: take });
  } catch (cause) {
    say(cause instanceof Error ? cause.message : String(cause));
  }
  changed.value += 1;
}

async function put(id: string, patch: Patch): Promise<void> {
  try {
    await patchThread(id, patch);
    say("Taken back");
  } catch (cause) {
    say(cause instanceof Error ? cause.message : String(cause));
  }
  changed.value += 1;
}
