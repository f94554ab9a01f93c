/** How a mailbox is set: its name, limits, pauses between mails, ramp and signature. */

import { useSignal } from "@preact/signals";
import { api, ask } from "../../lib/api.ts";
import { Field, FormFault, useSubmission } from "../../parts/form.tsx";
import { Card } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";
import type { Account } from "./words.ts";

const FIELDS = [
  ["display_name", "Name of the sender", "text", "As people see it"],
  ["timezone", "Time zone", "text", "Limits count its days and hours"],
  ["daily_limit", "Mails a day, at most", "number", ""],
  ["hourly_limit", "Mails an hour, at most", "number", ""],
  ["min_gap_seconds", "Seconds between two mails, at least", "number", ""],
  ["max_gap_seconds", "And at most", "number", "Empty: twice the least"],
  ["ramp.start", "Ramp: mails on the first day", "number", "Empty: no ramp"],
  ["ramp.increment", "Ramp: more on each day after", "number", ""],
] as const;

type Name = (typeof FIELDS)[number][0];
type Draft = Record<Name | "signature", string>;

function draftOf(account: Account): Draft {
  return {
    display_name: account.display_name ?? "",
    timezone: account.timezone,
    daily_limit: String(account.daily_limit),
    hourly_limit: String(account.hourly_limit),
    min_gap_seconds: String(account.min_gap_seconds),
    max_gap_seconds: account.max_gap_seconds === null ? "" : String(account.max_gap_seconds),
    "ramp.start": account.ramp === null ? "" : String(account.ramp.start),
    "ramp.increment": account.ramp === null ? "" : String(account.ramp.increment),
    signature: account.signature ?? "",
  };
}

/** What differs from what was read: two people who change different fields do not undo each other. */
function changeOf(before: Draft, draft: Draft): object {
  const change: Record<string, unknown> = {};
  for (const name of ["display_name", "signature", "timezone"] as const) {
    if (draft[name] !== before[name]) {
      change[name] = draft[name] === "" ? null : draft[name];
    }
  }
  for (const name of [
    "daily_limit",
    "hourly_limit",
    "min_gap_seconds",
    "max_gap_seconds",
  ] as const) {
    if (draft[name] !== before[name]) {
      change[name] = draft[name] === "" ? null : Number(draft[name]);
    }
  }
  const [start, more] = [draft["ramp.start"], draft["ramp.increment"]];
  if (start !== before["ramp.start"] || more !== before["ramp.increment"]) {
    change["ramp"] = start === "" ? null : { start: Number(start), increment: Number(more || "0") };
  }
  return change;
}

export function Settings({ account, reload }: { account: Account; reload: () => void }) {
  const before = useSignal(draftOf(account));
  const draft = useSignal(before.value);
  const form = useSubmission();
  const isChanged = Object.keys(changeOf(before.value, draft.value)).length > 0;
  const set = (name: keyof Draft, value: string) => {
    draft.value = { ...draft.peek(), [name]: value };
  };
  return (
    <Card title="Settings">
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          form.submit(async () => {
            const change = changeOf(before.peek(), draft.peek());
            const after = await ask(api().accounts({ id: account.id }).patch(change));
            before.value = draftOf(after);
            draft.value = before.value;
            say("Saved");
            reload();
          });
        }}
      >
        <div class="fields">
          {FIELDS.map(([name, label, type, hint]) => (
            <Field key={name} label={label} name={name} of={form} hint={hint || undefined}>
              {(attributes) => (
                <input
                  {...attributes}
                  type={type as "text"}
                  value={draft.value[name]}
                  onInput={({ currentTarget }) => set(name, currentTarget.value)}
                />
              )}
            </Field>
          ))}
        </div>
        <Field label="Signature" name="signature" of={form} hint="Stands under every mail as text">
          {(attributes) => (
            <textarea
              {...attributes}
              value={draft.value.signature}
              onInput={({ currentTarget }) => set("signature", currentTarget.value)}
            />
          )}
        </Field>
        <FormFault of={form} fields={[...FIELDS.map(([name]) => name), "signature"]} />
        <div class="actions">
          <button type="submit" class="button primary" disabled={form.isBusy || !isChanged}>
            Save
          </button>
          {isChanged && (
            <button
              type="button"
              class="button"
              onClick={() => {
                draft.value = before.value;
              }}
            >
              Take the changes back
            </button>
          )}
        </div>
      </form>
    </Card>
  );
}
