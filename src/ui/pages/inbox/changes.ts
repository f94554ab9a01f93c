/** Changes to conversations, each of which can be taken back. */

import { signal } from "@preact/signals";
import { OutriderError } from "#client.ts";
import { lastToChange } from "../../lib/actors.ts";
import { api } from "../../lib/api.ts";
import { toast, toastError } from "../../parts/toasts.tsx";
import { type Patch, patchThread } from "./data.ts";

/** Counts changes made here, for those who show what they change. */
export const changed = signal(0);

interface Changeable {
  id: string;
  read: boolean;
  kind: NonNullable<Patch["kind"]>;
  interest: Patch["interest"];
  done: boolean;
  snoozed_until: string | null;
  assignee_id: string | null;
}

/** What takes `patch` back. What is done is put off no more, and what is put off is not done. */
function before(thread: Changeable, patch: Patch): Patch {
  const isFiled = patch.done !== undefined || patch.snoozed_until !== undefined;
  const filed = thread.done ? { done: true } : { done: false, snoozed_until: thread.snoozed_until };
  return {
    ...(patch.read === undefined ? {} : { read: thread.read }),
    ...(patch.kind === undefined ? {} : { kind: thread.kind }),
    ...(isFiled ? filed : {}),
    ...(patch.interest === undefined ? {} : { interest: thread.interest ?? null }),
    ...(patch.assignee_id === undefined ? {} : { assignee_id: thread.assignee_id }),
  };
}

/** Changes a conversation and says so; resolves when the server has it. */
export function change(thread: Changeable, patch: Patch, done: string): Promise<void> {
  const back = before(thread, patch);
  return put(thread.id, patch, () => {
    const run = () => void put(thread.id, back, () => toast("Undone"));
    toast(done, { name: "Undo", run });
  });
}

/** Changes many at once and says so; those that can be taken back are taken back together. */
export async function changeMany(
  threads: readonly Changeable[],
  patch: Omit<Patch, "kind">,
  done: string,
): Promise<void> {
  const send = (ids: readonly string[], change: Omit<Patch, "kind">) =>
    api().changeInboxThreads({ body: { ids: [...ids], change } });
  try {
    await send(
      threads.map(({ id }) => id),
      patch,
    );
    const take = async () => {
      // One request for all that were alike.
      const alike = Map.groupBy(threads, (thread) => JSON.stringify(before(thread, patch)));
      for (const [back, some] of alike) {
        await send(
          some.map(({ id }) => id),
          JSON.parse(back) as Omit<Patch, "kind">,
        );
      }
      toast("Undone");
      changed.value += 1;
    };
    toast(done, { name: "Undo", run: () => void take().catch(toastError) });
  } catch (cause) {
    toastError(cause);
  }
  changed.value += 1;
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
