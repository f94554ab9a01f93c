/** Notes of colleagues among the emails of a conversation, and a form for one more. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { can, session } from "../../lib/session.ts";
import { Act } from "../../parts/act.tsx";
import { Button } from "../../parts/button.tsx";

import { Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { typeInto } from "../../parts/form/insert.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { changed } from "./changes.ts";
import type { Note } from "./data.ts";
import { draftOf, forget, write } from "./drafts.ts";
import { useMembers } from "./handling.tsx";

export function OneNote({ note }: { note: Note }) {
  const isOwn = note.author === `user:${session.value?.user.id}`;
  const remove = async () => {
    await api().deleteInboxThreadNote({ id: note.thread_id, noteId: note.id });
    toast("Note deleted");
    changed.value += 1;
  };
  return (
    <article class="one-mail note" aria-label="Note">
      <header>
        <strong>
          <bdi>{note.author_name ?? "Former member"}</bdi>
        </strong>
        <span class="small quiet">Note, for your team only</span>
        <span class="small faint moment-time">
          <When at={note.created_at} />
        </span>
      </header>
      <p class="note-text" dir="auto">
        {note.body}
      </p>
      {(isOwn || can("admin")) && can("inbox:write") && (
        <Act
          label="Delete note"
          look="plain compact danger"
          run={() => remove().catch(toastError)}
          asks={{ title: "Delete this note?", action: "Delete note" }}
        >
          Your team loses what it says.
        </Act>
      )}
    </article>
  );
}

/** What sends a text of several lines. */
export function isSendKey({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === "Enter" && (ctrlKey || metaKey);
}

/** Whom a note names, the longest name first: "@Ann Lee" is not Ann, nor is "@Anna". */
function mentionedIn(text: string, members: readonly { id: string; name: string }[]): string[] {
  let rest = text;
  return members
    .toSorted((a, b) => b.name.length - a.name.length)
    .filter(({ name }) => {
      const parts = rest.split(`@${name}`);
      const isNamed = parts.slice(1).some((after) => !/^[\p{L}\p{N}]/u.test(after));
      rest = isNamed ? parts.join(" ") : rest;
      return isNamed;
    })
    .map(({ id }) => id);
}

/** A name that is being typed after an at sign, at the end of the text. */
const NAMING = /(?:^|\s)@([^@\n]{0,40})$/;

export function NoteForm({ threadId, onDone }: { threadId: string; onDone: () => void }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const submission = useSubmission();
  const members = useMembers().map(({ id, name, email }) => ({ id, name: name || email }));
  const draft = `note ${threadId}`;
  const { text, key: idempotencyKey } = draftOf(draft);
  const typed = useSignal<string | null>(null);
  const offered =
    typed.value === null
      ? []
      : members.filter(({ name }) => name.toLowerCase().startsWith(typed.value ?? "")).slice(0, 5);
  const look = () => {
    const { value = "", selectionStart } = field.current ?? {};
    const found = NAMING.exec(value.slice(0, selectionStart ?? 0))?.[1];
    typed.value = found === undefined ? null : found.toLowerCase();
  };
  const name = (who: string) => {
    const { value = "", selectionStart } = field.current ?? {};
    const before = value.slice(0, selectionStart ?? value.length);
    typeInto(field.current, `@${who} `, before.length - before.lastIndexOf("@"));
    typed.value = null;
  };
  /** A name has been begun, and Tab ends it. */
  const isNamed = Boolean(typed.value) && offered.length > 0;
  const leave = (area: HTMLTextAreaElement) => {
    if (typed.value === null) {
      area.blur();
    }
    typed.value = null;
  };
  const save = async () => {
    const mentions = mentionedIn(text, members);
    const body = { body: text, mentions };
    await api().createInboxThreadNote({ id: threadId, body }, { idempotencyKey });
    forget(draft);
    toast("Note added");
    changed.value += 1;
    onDone();
  };
  const submit = () => {
    if (text.trim() !== "") {
      submission.submit(save);
    }
  };
  return (
    <Form look="stack reply" onSend={() => submit()}>
      <Field
        label="Note for your team"
        name="body"
        of={submission}
        hint="The recipient never sees it. Type @ to mention a colleague; Ctrl+Enter or ⌘+Enter adds it."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            ref={field}
            rows={4}
            dir="auto"
            maxLength={10_000}
            value={text}
            readOnly={submission.isBusy}
            onInput={({ currentTarget }) => {
              write(draft, { text: currentTarget.value });
              look();
            }}
            onKeyUp={look}
            onClick={look}
            onKeyDown={(event) => {
              if (isSendKey(event)) {
                event.preventDefault();
                submit();
              } else if (event.key === "Escape") {
                event.stopPropagation();
                leave(event.currentTarget);
              } else if (event.key === "Tab" && !event.shiftKey && isNamed) {
                event.preventDefault();
                name(offered[0]?.name ?? "");
              }
            }}
          />
        )}
      </Field>
      {offered.length > 0 && (
        <fieldset class="actions mentions" aria-label="Mention">
          {offered.map((one) => (
            <Button key={one.id} look="compact" onClick={() => name(one.name)}>
              @{one.name}
            </Button>
          ))}
        </fieldset>
      )}
      <FormFault of={submission} fields={["body"]} />
      <div class="actions">
        <Submit of={submission} isOff={text.trim() === ""}>
          {submission.isBusy ? "Adding…" : "Add note"}
        </Submit>
      </div>
    </Form>
  );
}
