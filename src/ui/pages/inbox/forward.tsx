/** Passes an email of the conversation on. What is typed stays until the server has taken it. */

import { api } from "../../lib/api.ts";
import { Attaching, useAttachments } from "../../parts/form/attachments.tsx";
import { Field, Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";
import { toast } from "../../parts/toasts.tsx";
import { changed } from "./changes.ts";
import { addressesOf, CopyFields } from "./copies.tsx";
import { draftOf, send, write } from "./drafts.ts";

export function ForwardForm({ threadId, onDone }: { threadId: string; onDone: () => void }) {
  const name = `forward ${threadId}`;
  const { to, copies, text, attachmentIds, isSending } = draftOf(name);
  const submission = useSubmission(isSending);
  const files = useAttachments(attachmentIds, (next) =>
    write(name, { attachmentIds: next(draftOf(name).attachmentIds) }),
  );
  const forward = async () => {
    const body = {
      to: to.trim(),
      ...addressesOf(copies),
      attachment_ids: [...attachmentIds],
      ...(text.trim() !== "" && { body: text }),
    };
    const isSent = await send(name, "Forwarding…", (idempotencyKey) =>
      api().forwardInboxThread({ id: threadId, body }, { idempotencyKey }),
    );
    if (isSent) {
      toast("Forwarded");
      changed.value += 1;
      onDone();
    }
  };
  return (
    <Form look="stack reply" onSend={() => submission.submit(forward)}>
      <Input
        label="Forward to"
        name="to"
        of={submission}
        type="email"
        value={to}
        readOnly={submission.isBusy}
        onText={(to) => write(name, { to })}
      />
      <CopyFields
        copies={copies}
        of={submission}
        onChange={(change) => write(name, { copies: change })}
      />
      <Attaching of={files} form={submission} isLocked={submission.isBusy}>
        <Field
          label="Your words before it"
          name="body"
          of={submission}
          hint="The latest email they wrote follows, with its attachments up to 1 MB. Nothing changes for the lead."
        >
          {(attributes) => (
            <textarea
              {...attributes}
              rows={3}
              dir="auto"
              value={text}
              readOnly={submission.isBusy}
              onInput={({ currentTarget }) => write(name, { text: currentTarget.value })}
            />
          )}
        </Field>
      </Attaching>
      <FormFault of={submission} fields={["to", "cc", "bcc", "body", "attachment_ids"]} />
      <div class="actions">
        <Submit of={submission} isOff={to.trim() === "" || files.isArriving}>
          {submission.isBusy ? "Forwarding…" : "Forward"}
        </Submit>
      </div>
    </Form>
  );
}
