/** A manual reply. What is typed stays with its conversation until the server has taken it. */

import { signal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { newUuid } from "../../lib/random.ts";
import { hold } from "../../lib/unsaved.ts";
import { Button } from "../../parts/button.tsx";
import { Attaching, useAttachments } from "../../parts/form/attachments.tsx";
import { Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { typeInto } from "../../parts/form/insert.tsx";
import { toast, undoable } from "../../parts/toasts.tsx";
import { CannedReplies } from "./canned.tsx";
import { changed } from "./changes.ts";
import { addressesOf, type Copies, CopyFields, typedIn } from "./copies.tsx";
import { type Conversation, patchThread } from "./data.ts";

interface Words {
  text: string;
  /** As they are typed; null while there is no field for them. */
  copies: Copies | null;
  attachmentIds: readonly string[];
}

interface Draft extends Words {
  /** The same for every try, so that a try whose response was lost is not sent twice. */
  key: string;
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map());

// Only the tab has them: pages come and go, a reload would lose them.
hold({
  isUnsaved: () =>
    [...drafts.peek().values()].some(
      ({ text, copies, attachmentIds }) =>
        `${text}${typedIn(copies)}${attachmentIds.join()}`.trim() !== "",
    ),
  staysInTab: true,
  drop: () => {
    drafts.value = new Map();
  },
});

const NOTHING: Words = { text: "", copies: null, attachmentIds: [] };

function write(id: string, words: Partial<Words>): void {
  // Another text is another reply.
  const before = drafts.peek().get(id) ?? NOTHING;
  drafts.value = new Map(drafts.value).set(id, { ...before, ...words, key: newUuid() });
}

export function ReplyForm(props: {
  thread: Conversation;
  replyAt: { current: HTMLTextAreaElement | null };
}) {
  const { thread, replyAt } = props;
  const { id } = thread;
  const submission = useSubmission();
  const draft = drafts.value.get(id);
  const { text, copies, attachmentIds } = draft ?? NOTHING;
  const files = useAttachments(attachmentIds, (to) =>
    write(id, { attachmentIds: to(drafts.peek().get(id)?.attachmentIds ?? []) }),
  );
  // Whom the latest email was sent to besides us expects to be in copy.
  const others = thread.messages.findLast(({ direction }) => direction === "in")?.cc ?? [];
  const isEmpty = text.trim() === "";
  const send = async () => {
    if (draft === undefined || !(await undoable("Sending your reply…"))) {
      return;
    }
    await api().replyToInboxThread(
      { id, body: { body: text, ...addressesOf(copies), attachment_ids: [...attachmentIds] } },
      { idempotencyKey: draft.key },
    );
    const rest = new Map(drafts.value);
    rest.delete(id);
    drafts.value = rest;
    toast("Your reply is on its way");
    await patchThread(id, { read: true }).catch(() => undefined);
    changed.value += 1;
  };
  const submit = () => {
    if (!isEmpty && !files.isArriving) {
      submission.submit(send);
    }
  };
  return (
    <Form look="stack reply" onSend={() => submit()}>
      <Attaching of={files} form={submission}>
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
              onInput={({ currentTarget }) => write(id, { text: currentTarget.value })}
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
      </Attaching>
      <CopyFields
        copies={copies}
        of={submission}
        onChange={(changed) => write(id, { copies: changed })}
      >
        {others.length > 0 && copies === null && (
          <Button
            look="plain compact"
            onClick={() => write(id, { copies: { cc: others.join(", "), bcc: "" } })}
          >
            Reply to all ({plural(others.length, "other")})
          </Button>
        )}
      </CopyFields>
      <CannedReplies
        threadId={id}
        text={text}
        onPick={(words) => typeInto(replyAt.current, words)}
      />
      <FormFault of={submission} fields={["body", "cc", "bcc", "attachment_ids"]} />
      <div class="actions">
        <Submit of={submission} isOff={isEmpty || files.isArriving}>
          {submission.isBusy ? "Sending…" : "Send reply"}
        </Submit>
      </div>
    </Form>
  );
}
