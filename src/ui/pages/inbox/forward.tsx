/** Passes an email of the conversation on. What is typed stays until the server has taken it. */

import { signal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { newUuid } from "../../lib/random.ts";
import { hold } from "../../lib/unsaved.ts";
import { Attaching, useAttachments } from "../../parts/form/attachments.tsx";
import {
  Field,
  Form,
  FormFault,
  Submit,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { toast, undoable } from "../../parts/toasts.tsx";
import { changed } from "./changes.ts";
import { addressesOf, type Copies, CopyFields, typedIn } from "./copies.tsx";

interface Draft {
  to: string;
  copies: Copies | null;
  text: string;
  attachmentIds: readonly string[];
  /** The same for every try, so that a try whose response was lost is not sent twice. */
  key: string;
}

const drafts = signal<ReadonlyMap<string, Draft>>(new Map());
const EMPTY: Draft = { to: "", copies: null, text: "", attachmentIds: [], key: "" };

// As replies: pages come and go, a reload would lose them.
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

function write(id: string, change: Partial<Draft>): void {
  const before = drafts.peek().get(id) ?? EMPTY;
  drafts.value = new Map(drafts.value).set(id, { ...before, ...change, key: newUuid() });
}

export function ForwardForm({ threadId, onDone }: { threadId: string; onDone: () => void }) {
  const submission = useSubmission();
  const { to, copies, text, attachmentIds, key } = drafts.value.get(threadId) ?? EMPTY;
  const files = useAttachments(attachmentIds, (next) =>
    write(threadId, { attachmentIds: next(drafts.peek().get(threadId)?.attachmentIds ?? []) }),
  );
  const send = async () => {
    if (!(await undoable("Forwarding…"))) {
      return;
    }
    const body = {
      to: to.trim(),
      ...addressesOf(copies),
      attachment_ids: [...attachmentIds],
      ...(text.trim() !== "" && { body: text }),
    };
    await api().forwardInboxThread({ id: threadId, body }, { idempotencyKey: key });
    const rest = new Map(drafts.value);
    rest.delete(threadId);
    drafts.value = rest;
    toast("Forwarded");
    changed.value += 1;
    onDone();
  };
  return (
    <Form look="stack reply" onSend={() => submission.submit(send)}>
      <TextField
        label="Forward to"
        name="to"
        of={submission}
        type="email"
        autoComplete="off"
        value={to}
        onInput={({ currentTarget }) => write(threadId, { to: currentTarget.value })}
      />
      <CopyFields
        copies={copies}
        of={submission}
        onChange={(change) => write(threadId, { copies: change })}
      />
      <Attaching of={files} form={submission}>
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
              onInput={({ currentTarget }) => write(threadId, { text: currentTarget.value })}
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
