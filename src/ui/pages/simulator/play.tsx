/** Lets something come back for a captured email, at once: a reply, a bounce, a complaint. */

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
import { toast } from "../../parts/toasts.tsx";

const KINDS = [
  ["reply", "Reply"],
  ["interested", "Reply with interest"],
  ["auto_reply", "Out of office"],
  ["left_company", "Left the company"],
  ["unsubscribe", "Opt-out"],
  ["complaint", "Spam complaint"],
  ["bounce", "Hard bounce: no such mailbox"],
  ["block_bounce", "Hard bounce: blocked"],
  ["soft_bounce", "Soft bounce: mailbox full"],
  ["delay", "Delay notice"],
  ["newsletter", "Newsletter"],
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
    toast(`Delivered to ${mail.sender}`);
    onClose();
  };
  return (
    <Form onSend={() => form.submit(send)}>
      <Select
        label="Response to simulate"
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
          label="Returns on"
          name="returns_on"
          of={form}
          type="date"
          hint="Leave empty to let the simulator pick a date"
          value={returnsOn.value}
          onText={(value) => {
            returnsOn.value = value;
          }}
        />
      )}
      {WORDED.includes(kind.value) && (
        <Field
          label="Message"
          name="text"
          of={form}
          hint="Leave empty to use the simulator’s own text"
        >
          {(attributes) => <textarea {...attributes} dir="auto" {...bound(text)} />}
        </Field>
      )}
      <FormFault of={form} fields={["kind", "text", "returns_on"]} />
      <FormActions of={form} action="Simulate response" onClose={onClose} />
    </Form>
  );
}
