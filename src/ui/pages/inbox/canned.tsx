/** Canned replies beside a reply: filled in for its conversation, and made of what is written. */

import { signal, useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { to } from "../../lib/route.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import {
  bound,
  Form,
  FormActions,
  FormFault,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { InsertPick } from "../../parts/form/insert.tsx";
import { toast } from "../../parts/toasts.tsx";

/** As many as a team may have. */
const LIMIT = 100;

const made = signal(0);

export function CannedReplies(props: {
  threadId: string;
  /** What is written so far. */
  text: string;
  onPick: (words: string) => void;
}) {
  const { threadId, text, onPick } = props;
  const isNaming = useSignal(false);
  const replies = useData(() => {
    made.value;
    return api().listCannedReplies({ thread_id: threadId, limit: LIMIT });
  });
  const rows = replies.value?.data ?? [];
  const pick = ({ text: filledIn, body, missing }: (typeof rows)[number]) => {
    onPick(filledIn ?? body);
    if (missing.length > 0) {
      toast(`No value for ${missing.join(", ")}: fill it in by hand`);
    }
  };
  return (
    <div class="actions">
      {rows.length > 0 && <InsertPick what="canned reply" rows={rows} onPick={pick} />}
      {text.trim() !== "" && (
        <Button look="plain compact" onClick={() => (isNaming.value = true)}>
          Save as canned reply
        </Button>
      )}
      <a class="button plain compact" href={to("settings/replies")}>
        Manage canned replies
      </a>
      {isNaming.value && <NameIt body={text} onClose={() => (isNaming.value = false)} />}
    </div>
  );
}

function NameIt({ body, onClose }: { body: string; onClose: () => void }) {
  const submission = useSubmission();
  const name = useSignal("");
  const save = async () => {
    await api().createCannedReply({ body: { name: name.value, body } });
    made.value += 1;
    toast(`${name.value.trim()} saved`);
    onClose();
  };
  return (
    <Dialog title="Save as canned reply" onClose={onClose}>
      <Form look="stack" onSend={() => submission.submit(save)}>
        <TextField
          label="Name"
          name="name"
          of={submission}
          hint="Everyone on your team can use it. Add merge fields like {{first_name}} in the settings."
          maxLength={100}
          {...bound(name)}
        />
        <FormFault of={submission} fields={["name"]} />
        <FormActions
          of={submission}
          action={submission.isBusy ? "Saving…" : "Save"}
          isOff={name.value.trim() === ""}
          onClose={onClose}
        />
      </Form>
    </Dialog>
  );
}
