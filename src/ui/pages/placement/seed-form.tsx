/** Adds a seed: an address, and in live how to read it. */

import { useSignal } from "@preact/signals";
import { imapServerOf, providerOfDomain } from "#domain/mailboxes/mail-provider.ts";
import { api } from "../../lib/api.ts";
import { env } from "../../lib/route.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Form, FormActions, FormFault, useSubmission } from "../../parts/form/form.tsx";
import { Input } from "../../parts/form/input.tsx";
import { toast } from "../../parts/toasts.tsx";
import { providerName } from "../accounts/words.ts";

export function AddSeed({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const draft = useSignal(EMPTY);
  const form = useSubmission();
  const email = draft.value.email.trim();
  const isLive = env.value === "live";
  const line = (name: keyof typeof EMPTY) => ({
    name,
    of: form,
    value: draft.value[name],
    onText: (text: string) => {
      draft.value = { ...draft.peek(), [name]: text };
    },
  });
  const send = async () => {
    await api().createPlacementSeed({ body: bodyOf(draft.peek(), isLive) });
    toast(`${email} added as a seed`);
    onAdded();
    onClose();
  };
  return (
    <Dialog title="Add seed mailbox" onClose={onClose}>
      <Form onSend={() => form.submit(send)}>
        <Input
          label="Email"
          type="email"
          required
          hint={
            isLive
              ? "One of your own mailboxes, never a lead’s"
              : "Any address works in the sandbox. Its domain decides which provider is simulated."
          }
          {...line("email")}
        />
        {isLive && <Server email={email} line={line} />}
        <FormFault of={form} fields={Object.keys(EMPTY)} />
        <FormActions of={form} action="Add seed" onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** By their paths in the API. */
const EMPTY = { email: "", "imap.password": "", "imap.host": "", "imap.port": "993" };

function bodyOf(draft: typeof EMPTY, isLive: boolean) {
  const [email, host] = [draft.email.trim(), draft["imap.host"].trim()];
  if (!isLive) {
    return { email };
  }
  const server = host === "" ? {} : { host, port: Number(draft["imap.port"]) };
  return { email, imap: { ...server, password: draft["imap.password"] } };
}

function Server(props: {
  email: string;
  line: (
    name: keyof typeof EMPTY,
  ) => Pick<Parameters<typeof Input>[0], "name" | "of" | "value" | "onText">;
}) {
  const { email, line } = props;
  const provider = providerOfDomain(email.split("@")[1]?.toLowerCase() ?? "");
  const known = provider === null ? null : imapServerOf(provider, email);
  return (
    <>
      <Input
        label="Password"
        type="password"
        required
        hint="If the provider uses two-step verification, enter an app password"
        {...line("imap.password")}
      />
      <div class="field-grid">
        <Input
          label="IMAP server"
          placeholder={known?.host ?? "imap.example.com"}
          hint={
            known && provider ? `Leave empty to use ${providerName(provider)}’s server` : undefined
          }
          {...line("imap.host")}
        />
        <Input label="Port" type="number" min={1} max={65_535} {...line("imap.port")} />
      </div>
    </>
  );
}
