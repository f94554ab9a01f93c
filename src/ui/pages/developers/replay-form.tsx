/** Sending a range of events again. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { plural } from "../../lib/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import {
  bound,
  Form,
  FormActions,
  FormFault,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { toast } from "../../parts/toasts.tsx";

/** Calls that one press makes; each sends a batch. */
const CALLS_MAX = 100;

export function ReplayForm({ webhookId, onClose }: { webhookId: string; onClose: () => void }) {
  const submission = useSubmission();
  const since = useSignal("");
  const until = useSignal("");
  const isAll = useSignal(false);
  const send = async () => {
    let sent = 0;
    let after = 0;
    for (let call = 0; call < CALLS_MAX; call += 1) {
      const { replayed, last_seq, hasMore } = await api().replayWebhook({
        id: webhookId,
        body: {
          after,
          all: isAll.value,
          ...(since.value === "" ? {} : { since: iso(since.value) }),
          ...(until.value === "" ? {} : { until: iso(until.value) }),
        },
      });
      sent += replayed;
      after = last_seq;
      if (!hasMore) {
        break;
      }
    }
    toast(`Sending ${plural(sent, "delivery", "deliveries")} again`);
    onClose();
  };
  const field = (label: string, name: string, value: { value: string }) => (
    <TextField label={label} name={name} of={submission} type="datetime-local" {...bound(value)} />
  );
  return (
    <Dialog title="Resend deliveries" onClose={onClose}>
      <Form onSend={() => submission.submit(send)}>
        <p class="quiet">
          Events that failed, are pending, or were never queued are sent now, oldest first. Leave a
          time empty to go as far as events are stored: 30 days.
        </p>
        <div class="two">
          {field("From", "since", since)}
          {field("Until", "until", until)}
        </div>
        <label class="choice">
          <input
            type="checkbox"
            checked={isAll.value}
            onChange={({ currentTarget }) => {
              isAll.value = currentTarget.checked;
            }}
          />
          Include delivered events
        </label>
        <FormFault of={submission} fields={["since", "until"]} />
        <FormActions of={submission} action="Resend deliveries" onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** A time of this browser's zone, as the API takes it. */
function iso(local: string): string {
  return new Date(local).toISOString();
}
