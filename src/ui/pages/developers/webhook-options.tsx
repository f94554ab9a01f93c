/** What a webhook sends beside its events, of which campaigns, and with which headers. */

import type { Signal } from "@preact/signals";
import { INCLUDES, type Include } from "#domain/event-include.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { bound, Field, type Submission } from "../../parts/form/form.tsx";

const INCLUDE_NAMES: Readonly<Record<Include, string>> = {
  lead: "The lead, with its variables",
  campaign: "The campaign’s name and status",
  "reply.text": "The text of a reply",
  message: "Your email that the event is about",
};

export function IncludeChoices({ include }: { include: Signal<readonly Include[]> }) {
  return (
    <fieldset class="choices">
      <legend>Include with every event</legend>
      {INCLUDES.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={include.value.includes(name)}
            onChange={({ currentTarget }) => toggle(include, name, currentTarget.checked)}
          />
          {INCLUDE_NAMES[name]}
        </label>
      ))}
    </fieldset>
  );
}

const CAMPAIGNS_MAX = 100;

/** None selected: all events, also those that belong to no campaign. */
export function CampaignChoices({ selected }: { selected: Signal<readonly string[]> }) {
  const campaigns = useData(() => api().listCampaigns({ limit: CAMPAIGNS_MAX }));
  const rows = campaigns.value?.data ?? [];
  return (
    <details open={selected.value.length > 0}>
      <summary>
        {selected.value.length === 0
          ? "Events of all campaigns"
          : `Only events of ${selected.value.length === 1 ? "1 campaign" : `${selected.value.length} campaigns`}`}
      </summary>
      <fieldset class="choices">
        <legend>Only events of these campaigns</legend>
        {rows.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={selected.value.includes(id)}
              onChange={({ currentTarget }) => toggle(selected, id, currentTarget.checked)}
            />
            {name}
          </label>
        ))}
      </fieldset>
    </details>
  );
}

function toggle<Value>(list: Signal<readonly Value[]>, value: Value, isOn: boolean): void {
  const rest = list.value.filter((each) => each !== value);
  list.value = isOn ? [...rest, value] : rest;
}

export function HeaderLines({ of, text }: { of: Submission; text: Signal<string> }) {
  return (
    <Field
      label="Headers"
      name="headers"
      of={of}
      hint="Optional. One per line, such as X-Token: abc. Saved values are hidden; a line with … keeps its value"
    >
      {(own) => <textarea {...own} rows={2} spellcheck={false} {...bound(text)} />}
    </Field>
  );
}
