/** A saved step in one's own mailbox: sent at once, with the values of the reader that the preview shows. */

import { useSignal } from "@preact/signals";
import { api } from "../../../lib/api.ts";
import { session } from "../../../lib/session.ts";
import {
  bound,
  Form,
  FormFault,
  Submit,
  TextField,
  useSubmission,
} from "../../../parts/form/form.tsx";
import { Notice } from "../../../parts/page.tsx";

type Sent = Awaited<ReturnType<typeof sendTest>>;

function sendTest(
  place: { campaignId: string; stepId: string },
  body: { to: string; lead_id?: string },
) {
  const { campaignId: id, stepId } = place;
  return api().sendTestCampaignStep({ id, stepId, body });
}

export function SendTest(props: {
  campaignId: string;
  stepId: string;
  isSaved: boolean;
  /** The lead whose values fill it; undefined: somebody made up. */
  leadId: string | undefined;
}) {
  const { isSaved, leadId } = props;
  const to = useSignal(session.value?.user.email ?? "");
  const sent = useSignal<Sent | undefined>(undefined);
  const form = useSubmission();
  const send = async () => {
    sent.value = undefined;
    const body = { to: to.value, ...(leadId === undefined ? {} : { lead_id: leadId }) };
    sent.value = await sendTest(props, body);
  };
  return (
    <section class="check-step" aria-label="Test email">
      <h3>Test email</h3>
      <Form noValidate onSend={() => form.submit(send)}>
        <TextField
          label="Send to"
          name="to"
          of={form}
          hint="Sent right away with the preview’s values. Counts toward the mailbox’s limits."
          type="email"
          {...bound(to)}
        />
        <FormFault of={form} fields={["to"]} />
        <div class="actions">
          <Submit
            of={form}
            look="compact"
            isOff={!isSaved || to.value.trim() === ""}
            title={isSaved ? undefined : "Save the step first. The saved version is sent."}
          >
            {form.isBusy ? "Sending…" : "Send test email"}
          </Submit>
        </div>
        {sent.value !== undefined && <Outcome of={sent.value} />}
      </Form>
    </section>
  );
}

const WORDS = {
  sent: "Sent",
  failed: "Not sent",
  unknown: "Unconfirmed: may or may not have been delivered",
} as const;

function Outcome({ of: { status, from, to, response } }: { of: Sent }) {
  return (
    <Notice tone={status === "sent" ? "good" : "bad"}>
      <b>{WORDS[status]}</b> from {from} to {to}. Mail server response: {response}
    </Notice>
  );
}
