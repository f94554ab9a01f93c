/**
 * What is written in the inbox, by name: "reply 0198…". It stays until the server has taken it: pages come and go,
 * and only the tab has it.
 */

import { signal } from "@preact/signals";
import { newUuid } from "../../lib/random.ts";
import { hold } from "../../lib/unsaved.ts";
import { toast, undoable } from "../../parts/toasts.tsx";
import { type Copies, typedIn } from "./copies.tsx";

interface Draft {
  to: string;
  /** As they are typed; null while there is no field for them. */
  copies: Copies | null;
  text: string;
  attachmentIds: readonly string[];
  /** The same for every try, so that a try whose response was lost is not sent twice. */
  key: string;
  /** It is on its way and can't be changed, whether or not it is on show. */
  isSending: boolean;
}

const EMPTY: Draft = {
  ...{ to: "", copies: null, text: "", attachmentIds: [], key: "" },
  isSending: false,
};

const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

hold({
  isUnsaved: () =>
    [...drafts.peek().values()].some(
      ({ to, copies, text, attachmentIds }) =>
        `${to}${typedIn(copies)}${text}${attachmentIds.join()}`.trim() !== "",
    ),
  staysInTab: true,
  drop: () => {
    drafts.value = new Map();
  },
});

export function draftOf(name: string): Draft {
  return drafts.value.get(name) ?? EMPTY;
}

function put(name: string, draft: Draft): void {
  drafts.value = new Map(drafts.peek()).set(name, draft);
}

/** Another text is another email. */
export function write(name: string, change: Partial<Draft>): void {
  put(name, { ...draftOf(name), ...change, key: newUuid() });
}

/** The server has it. */
export function forget(name: string): void {
  put(name, EMPTY);
}

/** Resolves to whether it went out: until it does, what `says` can be undone. */
export async function send(
  name: string,
  says: string,
  post: (key: string) => Promise<unknown>,
): Promise<boolean> {
  const draft = draftOf(name);
  put(name, { ...draft, isSending: true });
  try {
    const isWanted = await undoable(says);
    if (isWanted) {
      await post(draft.key);
    }
    put(name, isWanted ? EMPTY : draft);
    return isWanted;
  } catch (cause) {
    put(name, draft);
    // Who has gone on to another conversation doesn't see the form say so.
    toast("Not sent. Your text is still in its conversation");
    throw cause;
  }
}
