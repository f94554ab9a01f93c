/** How a mailbox is set: its name and addresses, limits, pauses between emails, ramp and signature. */

import type { Account, AccountPatch } from "#client.ts";
import { Field } from "../../parts/form/form.tsx";
import { Card } from "../../parts/page.tsx";
import { type Draft, Editing, type FieldOf, Fields, useAccountForm } from "./editing.tsx";
import { providerName } from "./words.ts";

const LIMITED = ["google", "microsoft", "yahoo", "icloud", "zoho"] as const;

const FIELDS: readonly FieldOf[] = [
  ["display_name", "Sender name", "text", "What recipients see"],
  ["timezone", "Time zone", "text", "Daily and hourly limits use this time zone"],
  ["daily_limit", "Daily email limit", "number", ""],
  ["hourly_limit", "Hourly email limit", "number", ""],
  ["min_gap_seconds", "Minimum gap, in seconds", "number", "Between two emails"],
  ["max_gap_seconds", "Maximum gap, in seconds", "number", "Leave empty for twice the minimum"],
  ["ramp.start", "Ramp: emails on the first day", "number", "Leave empty for no ramp"],
  ["ramp.increment", "Ramp: more each day after", "number", ""],
  ...LIMITED.map(
    (name): FieldOf => [
      `provider_limits.${name}`,
      `Daily limit to ${providerName(name)}`,
      "number",
      "Leave empty for no limit of its own",
    ],
  ),
  ["aliases", "Aliases", "text", "Such as: ann@example.net, Ann Lee <lee@example.net>"],
  ["send_as", "Send as", "text", "One of the aliases; leave empty for its own address"],
];
const SIGNATURE = "signature";
const VERIFY = "verify_addresses";
const VERIFY_LABEL = "Ask recipients’ servers whether they know an address";
const VERIFY_HINT =
  "Connects to their servers from yours before the first email, and sends nothing. Some may block your server for it.";

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
    ...Object.fromEntries(
      LIMITED.map((name) => [`provider_limits.${name}`, text(account.provider_limits[name])]),
    ),
    aliases: account.aliases
      .map(({ email, name }) => (name === null ? email : `${name} <${email}>`))
      .join(", "),
    send_as: text(account.send_as),
    [VERIFY]: account.verify_addresses ? "on" : "",
    [SIGNATURE]: text(account.signature),
  };
}

/** As in a header: `ann@example.net, Ann Lee <lee@example.net>`. */
function aliasesIn(written: string) {
  const given = written.split(",").filter((one) => one.trim() !== "");
  return given.map((one) => {
    const [, name = "", email = one] = /^(.*)<(.*)>/.exec(one) ?? [];
    return { email: email.trim(), name: name.trim() || null };
  });
}

function changeOf(before: Draft, draft: Draft): AccountPatch {
  const changed = Object.keys(draft).filter((name) => draft[name] !== before[name]);
  const isNumber = (name: string) => /_(limit|seconds)$/.test(name);
  const sentOf = (name: string) => {
    const value = draft[name] || null;
    if (name === VERIFY) {
      return value !== null;
    }
    return name === "aliases" ? aliasesIn(value ?? "") : isNumber(name) && value ? +value : value;
  };
  const plain = changed.filter((name) => !name.includes("."));
  const isAny = (group: string) => changed.some((name) => name.startsWith(group));
  const start = draft["ramp.start"];
  const increment = Number(draft["ramp.increment"]);
  const limits = LIMITED.flatMap((name) => {
    const limit = draft[`provider_limits.${name}`];
    return limit ? [[name, Number(limit)]] : [];
  });
  return {
    ...Object.fromEntries(plain.map((name) => [name, sentOf(name)])),
    ...(isAny("ramp.") && { ramp: start ? { start: Number(start), increment } : null }),
    ...(isAny("provider_limits.") && { provider_limits: Object.fromEntries(limits) }),
  };
}

function labelOf(name: string): string {
  const label = name === VERIFY ? VERIFY_LABEL : "Signature";
  return FIELDS.find(([each]) => each === name)?.[1] ?? label;
}

export function Settings({ account, reload }: { account: Account; reload: () => void }) {
  const of = useAccountForm(account, { draftOf, changeOf }, reload);
  return (
    <Card title="Settings">
      <Editing of={of} labelOf={labelOf}>
        <Fields of={of} fields={FIELDS} />
        <Field
          label={VERIFY_LABEL}
          name={VERIFY}
          of={of.form}
          hint={account.verify_addresses_problem ?? VERIFY_HINT}
        >
          {(attributes) => (
            <input
              {...attributes}
              type="checkbox"
              checked={of.fields[VERIFY] === "on"}
              onChange={({ currentTarget }) =>
                of.set({ [VERIFY]: currentTarget.checked ? "on" : "" })
              }
            />
          )}
        </Field>
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
