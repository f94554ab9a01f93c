/** The email that tells the reader each working day what waits in the inbox: when, and from which mailbox. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { consoleRequest, session } from "../../lib/session.ts";
import { Form, FormFault, Submit, useSubmission } from "../../parts/form/form.tsx";
import { Select } from "../../parts/form/input.tsx";
import { ZONE_HERE } from "../../parts/form/zone-field.tsx";
import { Card, Loaded } from "../../parts/page.tsx";
import { toast } from "../../parts/toasts.tsx";

interface Stored {
  hour: number;
  timezone: string;
  account_id: string;
}

const OFF = "";
const HOURS = Array.from({ length: 24 }, (_, hour) => {
  return [`${hour}`, `On working days at ${String(hour).padStart(2, "0")}:00`] as const;
});

async function load() {
  const [{ digest }, { data: mailboxes }] = await Promise.all([
    consoleRequest<{ digest: Stored | null }>("GET", "digest"),
    api().listAccounts({ limit: 100 }),
  ]);
  return { digest, mailboxes };
}

export function Digest() {
  const data = useData(load);
  return (
    <Card title="Email digest">
      <Loaded data={data}>{(loaded) => <DigestForm {...loaded} onSaved={data.reload} />}</Loaded>
    </Card>
  );
}

function DigestForm(props: Awaited<ReturnType<typeof load>> & { onSaved: () => void }) {
  const { digest, mailboxes, onSaved } = props;
  const form = useSubmission();
  const hour = useSignal(digest === null ? OFF : `${digest.hour}`);
  const mailbox = useSignal(digest?.account_id ?? mailboxes[0]?.id ?? "");
  if (mailboxes.length === 0) {
    return <p class="quiet">Connect a mailbox first: the digest is sent from it.</p>;
  }
  const save = () =>
    hour.value === OFF
      ? consoleRequest("DELETE", "digest")
      : consoleRequest("PATCH", "digest", {
          ...{ hour: hour.value, timezone: ZONE_HERE, account_id: mailbox.value },
        });
  return (
    <Form
      look="stack form-narrow"
      onSend={() =>
        form.submit(async () => {
          await save();
          toast(hour.peek() === OFF ? "Digest turned off" : "Digest saved");
          onSaved();
        })
      }
    >
      <p class="quiet">
        Unread conversations, those assigned to you, and notes that mention you, by email to{" "}
        {session.value?.user.email}. Nothing is sent when nothing waits.
      </p>
      <Select
        label="Send it"
        name="hour"
        of={form}
        value={hour.value}
        options={[[OFF, "Never"], ...HOURS]}
        {...(hour.value !== OFF && { hint: `Time zone: ${ZONE_HERE}` })}
        onPick={(picked) => (hour.value = picked)}
      />
      {hour.value !== OFF && (
        <Select
          label="From"
          name="account_id"
          of={form}
          value={mailbox.value}
          options={mailboxes.map(({ id, email }) => [id, email])}
          hint="Counts toward this mailbox’s limits"
          onPick={(picked) => (mailbox.value = picked)}
        />
      )}
      <FormFault of={form} fields={["hour", "account_id"]} />
      <div class="actions">
        <Submit of={form}>Save</Submit>
      </div>
    </Form>
  );
}
