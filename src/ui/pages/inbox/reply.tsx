/** A manual reply. What is typed stays with its conversation until the server has taken it. */

import { useRef } from "preact/hooks";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { Button } from "../../parts/button.tsx";
import { Attaching, useAttachments } from "../../parts/form/attachments.tsx";
import { Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { typeInto } from "../../parts/form/insert.tsx";
import { toast } from "../../parts/toasts.tsx";
import { CannedReplies } from "./canned.tsx";
import { changed } from "./changes.ts";
import { addressesOf, CopyFields } from "./copies.tsx";
import { type Conversation, patchThread } from "./data.ts";
import { draftOf, send, write } from "./drafts.ts";
import { isSendKey } from "./notes.tsx";

export function ReplyForm({ thread }: { thread: Conversation }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const { id } = thread;
  const name = `reply ${id}`;
  const { text, copies, attachmentIds, isSending } = draftOf(name);
  const submission = useSubmission(isSending);
  const files = useAttachments(attachmentIds, (to) =>
    write(name, { attachmentIds: to(draftOf(name).attachmentIds) }),
  );
  // Whom the latest email was sent to besides us expects to be in copy.
  const others = thread.messages.findLast(({ direction }) => direction === "in")?.cc ?? [];
  const isEmpty = text.trim() === "";
  const reply = async () => {
    const isSent = await send(name, "Sending your reply…", (idempotencyKey) =>
      api().replyToInboxThread(
        { id, body: { body: text, ...addressesOf(copies), attachment_ids: [...attachmentIds] } },
        { idempotencyKey },
      ),
    );
    if (isSent) {
      toast("Your reply is on its way");
      await patchThread(id, { read: true }).catch(() => undefined);
      changed.value += 1;
    }
  };
  const submit = () => {
    if (!isEmpty && !files.isArriving) {
      submission.submit(reply);
    }
  };
  return (
    <Form look="stack reply" onSend={() => submit()}>
      <Attaching of={files} form={submission} isLocked={submission.isBusy}>
        <Field
          label={`Reply as ${thread.account_email ?? "the mailbox that got the email"}`}
          name="body"
          of={submission}
          hint="Sent in this conversation. Ctrl+Enter or ⌘+Enter sends, and you have 6 seconds to undo."
        >
          {(attributes) => (
            <textarea
              {...attributes}
              ref={field}
              rows={5}
              dir="auto"
              value={text}
              readOnly={submission.isBusy}
              onInput={({ currentTarget }) => write(name, { text: currentTarget.value })}
              onKeyDown={(event) => {
                if (isSendKey(event)) {
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
        <CopyFields
          copies={copies}
          of={submission}
          onChange={(changed) => write(name, { copies: changed })}
        >
          {others.length > 0 && copies === null && (
            <Button
              look="plain compact"
              onClick={() => write(name, { copies: { cc: others.join(", "), bcc: "" } })}
            >
              Reply to all ({plural(others.length, "other")})
            </Button>
          )}
        </CopyFields>
        <CannedReplies
          threadId={id}
          text={text}
          onPick={(words) => typeInto(field.current, words)}
        />
      </Attaching>
      <FormFault of={submission} fields={["body", "cc", "bcc", "attachment_ids"]} />
      <div class="actions">
        <Submit of={submission} isOff={isEmpty || files.isArriving}>
          {submission.isBusy ? "Sending…" : "Send reply"}
        </Submit>
      </div>
    </Form>
  );
}
