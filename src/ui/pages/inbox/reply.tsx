/** A manual reply. What is typed stays with its conversation until the server has taken it. */

import { signal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { newUuid } from "../../lib/random.ts";
import { hold } from "../../lib/unsaved.ts";
import { Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { toast, undoable } from "../../parts/toasts.tsx";
import { CannedReplies } from "./canned.tsx";
import { changed } from "./changes.ts";
import { type Conversation, patchThread } from "./data.ts";

interface Draft {
  text: string;
  /** The same for every try, so that a try whose response was lost is not sent twice. */
  key: string;
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

// Only the tab has them: pages come and go, a reload would lose them.
hold({
  isUnsaved: () => [...drafts.peek().values()].some(({ text }) => text.trim() !== ""),
  staysInTab: true,
  drop: () => {
    drafts.value = new Map();
  },
});

function write(id: string, text: string): void {
  // Another text is another reply.
  drafts.value = new Map(drafts.value).set(id, { text, key: newUuid() });
}

export function ReplyForm(props: {
  thread: Conversation;
  replyAt: { current: HTMLTextAreaElement | null };
}) {
  const { thread, replyAt } = props;
  const { id } = thread;
  const submission = useSubmission();
  const draft = drafts.value.get(id);
  const text = draft?.text ?? "";
  const isEmpty = text.trim() === "";
  const send = async () => {
    if (draft === undefined || !(await undoable("Sending your reply…"))) {
      return;
    }
    await api().replyToInboxThread({ id, body: { body: text } }, { idempotencyKey: draft.key });
    const rest = new Map(drafts.value);
    rest.delete(id);
    drafts.value = rest;
    toast("Your reply is on its way");
    await patchThread(id, { read: true }).catch(() => undefined);
    changed.value += 1;
  };
  const submit = () => {
    if (!isEmpty) {
      submission.submit(send);
    }
  };
  /** Where the cursor is; the rest stays. */
  const insert = (words: string) => {
    const field = replyAt.current;
    const at = field?.selectionStart ?? text.length;
    write(id, `${text.slice(0, at)}${words}${text.slice(field?.selectionEnd ?? at)}`);
    field?.focus();
  };
  return (
    <Form look="stack reply" onSend={() => submit()}>
      <Field
        label={`Reply as ${thread.account_email ?? "the mailbox that got the email"}`}
        name="body"
        of={submission}
        hint="Sent in this conversation. Ctrl+Enter or ⌘+Enter sends, and you have 6 seconds to undo."
      >
        {(attributes) => (
          <textarea
            {...attributes}
            ref={replyAt}
            rows={5}
            dir="auto"
            value={text}
            readOnly={submission.isBusy}
            onInput={({ currentTarget }) => write(id, currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                submit();
              }
              if (event.key === "Escape") {
                event.currentTarget.blur();
                event.stopPropagation();
              }
            }}
          />
        )}
      </Field>
      <CannedReplies threadId={id} text={text} onPick={insert} />
      <FormFault of={submission} fields={["body"]} />
      <div class="actions">
        <Submit of={submission} isOff={isEmpty}>
          {submission.isBusy ? "Sending…" : "Send reply"}
        </Submit>
      </div>
    </Form>
  );
}
