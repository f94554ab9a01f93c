/** Lets something come back for a captured mail, at once: an answer, a bounce, a complaint. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import {
  bound,
  Field,
  Form,
  FormActions,
  FormFault,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import { say } from "../../parts/toasts.tsx";

const KINDS = [
  ["reply", "A reply"],
  ["interested", "A reply with interest"],
  ["auto_reply", "Out of office"],
  ["left_company", "Has left the company"],
  ["unsubscribe", "Opt-out"],
  ["complaint", "A report as spam"],
  ["bounce", "A bounce for good: no such mailbox"],
  ["block_bounce", "A bounce for good: blocked"],
  ["soft_bounce", "A bounce for now: mailbox full"],
  ["delay", "A notice of delay"],
  ["newsletter", "A newsletter"],
] as const;
type Kind = (typeof KINDS)[number][0];

/** These say what they are told to. */
const WORDED: readonly Kind[] = ["reply", "interested", "auto_reply", "left_company"];

export function Play(props: {
  mail: { id: string; sender: string; recipient: string };
  onClose: () => void;
}) {
  const { mail, onClose } = props;
  const kind = useSignal<Kind>("reply");
  const text = useSignal("");
  const returnsOn = useSignal("");
  const form = useSubmission();
  const send = async () => {
    const isWorded = WORDED.includes(kind.peek()) && text.peek().trim() !== "";
    const isAway = kind.peek() === "auto_reply" && returnsOn.peek() !== "";
    await api().injectIntoSandbox({
      body: {
        kind: kind.peek(),
        message_id: mail.id,
        ...(isWorded ? { text: text.peek() } : {}),
        ...(isAway ? { returns_on: returnsOn.peek() } : {}),
      },
    });
    say(`It has come to ${mail.sender}`);
    onClose();
  };
  return (
    <Form onSend={() => form.submit(send)}>
      <Select
        label="What is to come back now?"
        name="kind"
        of={form}
        value={kind.value}
        options={KINDS}
        onPick={(value) => {
          kind.value = value as Kind;
        }}
      />
      {kind.value === "auto_reply" && (
        <Input
          label="Back on"
          name="returns_on"
          of={form}
          type="date"
          hint="Left empty, the simulator thinks of a day"
          value={returnsOn.value}
          onText={(value) => {
            returnsOn.value = value;
          }}
        />
      )}
      {WORDED.includes(kind.value) && (
        <Field label="In these words" name="text" of={form} hint="Empty: in the simulator’s own">
          {(attributes) => <textarea {...attributes} dir="auto" {...bound(text)} />}
        </Field>
      )}
      <FormFault of={form} fields={["kind", "text", "returns_on"]} />
      <FormActions of={form} action="Let it come" onClose={onClose} />
    </Form>
  );
}
