/** Making a key: its name, what it may do, and how long it lasts. */

import { useSignal } from "@preact/signals";
import type { KeyCreate } from "#client.ts";
import { SCOPE_RESOURCES } from "#domain/team/api-key.ts";
import { api } from "../../lib/api.ts";
import { words } from "../../lib/format.ts";
import { Dialog } from "../../parts/dialog.tsx";
import {
  bound,
  Form,
  FormActions,
  FormFault,
  TextField,
  useSubmission,
} from "../../parts/form/form.tsx";
import { Select } from "../../parts/form/input.tsx";
import { type Options, Pick } from "../../parts/form/pick.tsx";

const ACCESS = [
  ["write", "Read and write", "All except API keys, billing, and the audit log"],
  ["read", "Read only", "All except API keys, billing, and the audit log"],
  ["admin", "Full access", "Includes API keys, billing, and the audit log"],
  ["chosen", "Custom", "Choose access for each resource"],
] as const;

const LASTS = [
  ["", "Never"],
  ["7", "7 days"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "1 year"],
] as const;

const DAY_MS = 86_400_000;

export function KeyForm(props: { onMade: (key: string) => void; onClose: () => void }) {
  const submission = useSubmission();
  const name = useSignal("");
  const access = useSignal<string>("write");
  const days = useSignal("");
  const selected = useSignal<Readonly<Record<string, string>>>({});
  const scopes = () =>
    access.value === "chosen"
      ? Object.entries(selected.value).flatMap(([resource, may]) =>
          may === "" ? [] : [`${resource}:${may}`],
        )
      : [access.value];
  const send = async () => {
    const lasts = Number(days.value);
    const { key } = await api().createKey({
      body: {
        name: name.value.trim(),
        scopes: scopes() as NonNullable<KeyCreate["scopes"]>,
        ...(lasts === 0 ? {} : { expires_at: new Date(Date.now() + lasts * DAY_MS).toISOString() }),
      },
    });
    props.onMade(key);
  };
  return (
    <Dialog title="Create API key" onClose={props.onClose}>
      <Form onSend={() => submission.submit(send)}>
        <TextField
          label="Name"
          name="name"
          of={submission}
          hint="The program that uses it"
          required
          maxLength={100}
          autocomplete="off"
          {...bound(name)}
        />
        <fieldset class="choices">
          <legend>Access</legend>
          {ACCESS.map(([value, title, note]) => (
            <label key={value}>
              <input
                type="radio"
                name="access"
                value={value}
                checked={access.value === value}
                onChange={() => (access.value = value)}
              />
              <span>
                {title}
                <small>{note}</small>
              </span>
            </label>
          ))}
        </fieldset>
        {access.value === "chosen" && <ScopeTable selected={selected} />}
        <Select
          label="Expires after"
          name="expires_at"
          of={submission}
          value={days.value}
          options={LASTS}
          onPick={(value) => {
            days.value = value;
          }}
        />
        <FormFault of={submission} fields={["name", "expires_at"]} />
        <FormActions of={submission} action="Create key" onClose={props.onClose} />
      </Form>
    </Dialog>
  );
}

const LEVELS: Options = [
  ["", "No access"],
  ["read", "Read"],
  ["write", "Read and write"],
];

function ScopeTable({ selected }: { selected: { value: Readonly<Record<string, string>> } }) {
  return (
    <div class="scope-table">
      {SCOPE_RESOURCES.map((resource) => (
        <Pick
          key={resource}
          label={words(resource)}
          value={selected.value[resource] ?? ""}
          options={LEVELS}
          onPick={(value) => {
            selected.value = { ...selected.value, [resource]: value };
          }}
        />
      ))}
    </div>
  );
}
