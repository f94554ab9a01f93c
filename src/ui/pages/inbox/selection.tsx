/** What is done with several conversations at once. */

import { signal, useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { INTEREST_LABELS } from "../../lib/mail-words.ts";
import { Button } from "../../parts/button.tsx";
import { bound } from "../../parts/form/form.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { changed, changeMany } from "./changes.ts";
import type { Patch, Thread } from "./data.ts";
import { Assignee, Snooze } from "./handling.tsx";

/** Ids of those that are chosen. */
export const selected = signal<ReadonlySet<string>>(new Set());

/** As many as one request takes. */
const SELECTED_MAX = 100;

export function select(id: string, isSelected = !selected.peek().has(id)): void {
  const chosen = new Set(selected.peek());
  if (isSelected && chosen.size < SELECTED_MAX) {
    chosen.add(id);
  } else {
    chosen.delete(id);
  }
  selected.value = chosen;
}

export function clearSelection(): void {
  selected.value = new Set();
}

export function SelectionBar({ rows }: { rows: readonly Thread[] }) {
  const tag = useSignal("");
  const chosen = rows.filter(({ id }) => selected.value.has(id));
  const of = plural(chosen.length, "conversation");
  const change = (patch: Patch, done: string) => {
    void changeMany(chosen, patch, `${of}: ${done.charAt(0).toLowerCase()}${done.slice(1)}`);
    clearSelection();
  };
  const addTag = async () => {
    const add = tag.value.split(/[,;|]/).filter((name) => name.trim() !== "");
    await api().tagInboxThreads({ body: { ids: chosen.map(({ id }) => id), add } });
    tag.value = "";
    toast(`${of} tagged`);
    changed.value += 1;
  };
  return (
    <section class="selection inbox-selection" aria-label="Selected conversations">
      <div class="actions">
        <strong>{of} selected</strong>
        <Button
          look="plain compact"
          onClick={() => {
            selected.value = new Set(rows.slice(0, SELECTED_MAX).map(({ id }) => id));
          }}
        >
          Select all {Math.min(rows.length, SELECTED_MAX)} on show
        </Button>
        <Button look="plain compact" onClick={clearSelection}>
          Clear
        </Button>
      </div>
      <div class="actions">
        <Button look="compact" onClick={() => change({ done: true, read: true }, "Marked done")}>
          Mark done
        </Button>
        <Button look="compact" onClick={() => change({ read: true }, "Marked read")}>
          Mark read
        </Button>
        {chosen.some(({ done }) => done) && (
          <Button look="compact" onClick={() => change({ done: false }, "Back in the inbox")}>
            Move to inbox
          </Button>
        )}
        <Snooze until={null} then={change} />
        <Assignee of={undefined} then={change} />
        <label class="field">
          <span class="label">Interest</span>
          <select
            class="input"
            value=""
            onChange={({ currentTarget }) => {
              const interest = currentTarget.value as keyof typeof INTEREST_LABELS;
              change({ interest, read: true }, `Marked ${INTEREST_LABELS[interest].name}`);
            }}
          >
            <option value="">As they are</option>
            {Object.entries(INTEREST_LABELS).map(([interest, { name }]) => (
              <option key={interest} value={interest}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void addTag().catch(toastError);
          }}
        >
          <label class="field">
            <span class="label">Tag</span>
            <input class="input" size={12} maxLength={50} placeholder="Add tag" {...bound(tag)} />
          </label>
        </form>
      </div>
    </section>
  );
}
