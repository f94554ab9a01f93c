/** How a mailbox is set: its name, limits, pauses between emails, ramp and signature. */

import type { Account, AccountPatch } from "#client.ts";
import { Field } from "../../parts/form/form.tsx";
import { Card } from "../../parts/page.tsx";
import { type Draft, Editing, type FieldOf, Fields, useAccountForm } from "./editing.tsx";

const FIELDS: readonly FieldOf[] = [
  ["display_name", "Sender name", "text", "What recipients see"],
  ["timezone", "Time zone", "text", "Daily and hourly limits use this time zone"],
  ["daily_limit", "Daily email limit", "number", ""],
  ["hourly_limit", "Hourly email limit", "number", ""],
  ["min_gap_seconds", "Minimum gap, in seconds", "number", "Between two emails"],
  ["max_gap_seconds", "Maximum gap, in seconds", "number", "Leave empty for twice the minimum"],
  ["ramp.start", "Ramp: emails on the first day", "number", "Leave empty for no ramp"],
  ["ramp.increment", "Ramp: more each day after", "number", ""],
];
const SIGNATURE = "signature";

const text = (value: string | number | null | undefined) => String(value ?? "");

function draftOf(account: Account): Draft {
  return {
    display_name: text(account.display_name),
    timezone: account.timezone,
    daily_limit: text(account.daily_limit),
    hourly_limit: text(account.hourly_limit),
    min_gap_seconds: text(account.min_gap_seconds),
    max_gap_seconds: text(account.max_gap_seconds),
    "ramp.start": text(account.ramp?.start),
    "ramp.increment": text(account.ramp?.increment),
    [SIGNATURE]: text(account.signature),
  };
}

function changeOf(before: Draft, draft: Draft): AccountPatch {
  const changed = Object.entries(draft).filter(([name, value]) => value !== before[name]);
  const plain = changed.filter(([name]) => !name.startsWith("ramp."));
  const isNumber = (name: string) => /_(limit|seconds)$/.test(name);
  const start = draft["ramp.start"] ?? "";
  const increment = Number(draft["ramp.increment"] || "0");
  return {
    ...Object.fromEntries(
      plain.map(([name, value]) => [
        name,
        value === "" ? null : isNumber(name) ? Number(value) : value,
      ]),
    ),
    ...(plain.length === changed.length
      ? {}
      : { ramp: start === "" ? null : { start: Number(start), increment } }),
  };
}

function labelOf(name: string): string {
  return FIELDS.find(([each]) => each === name)?.[1] ?? "Signature";
}

export function Settings({ account, reload }: { account: Account; reload: () => void }) {
  const of = useAccountForm(account, { draftOf, changeOf }, reload);
  return (
    <Card title="Settings">
      <Editing of={of} labelOf={labelOf}>
        <Fields of={of} fields={FIELDS} />
        <Field
          label="Signature"
          name={SIGNATURE}
          of={of.form}
          hint="Added as text below every email"
        >
          {(attributes) => (
            <textarea
              {...attributes}
              value={of.fields[SIGNATURE]}
              onInput={({ currentTarget }) => of.set({ [SIGNATURE]: currentTarget.value })}
            />
          )}
        </Field>
      </Editing>
    </Card>
  );
}
