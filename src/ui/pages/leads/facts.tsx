/** A lead's fields and variables: shown, and changed where nobody else has changed them meanwhile. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { NONE } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import { TextField } from "../../parts/form/form.tsx";
import { Tags } from "../../parts/tags.tsx";
import { When } from "../../parts/when.tsx";
import type { Lead } from "./detail.tsx";

const FIELDS = [
  ["first_name", "First name"],
  ["last_name", "Last name"],
  ["company", "Company"],
  ["website", "Website"],
  ["phone", "Phone"],
  ["timezone", "Time zone"],
] as const;
const LABELS = Object.fromEntries(FIELDS) as Readonly<Record<string, string>>;

export function Facts({ lead, reload }: { lead: Lead; reload: () => void }) {
  const isEdited = useSignal(false);
  if (isEdited.value) {
    return (
      <Edit
        lead={lead}
        reload={reload}
        onClose={() => {
          isEdited.value = false;
        }}
      />
    );
  }
  const variables = Object.entries(lead.variables);
  return (
    <>
      <dl class="lead-facts">
        <dt>Email</dt>
        <dd>
          {lead.email}
          {lead.address.reasons.length > 0 &&
            ` (${lead.address.verdict}: ${lead.address.reasons.join(", ").replaceAll("_", " ")})`}
        </dd>
        {FIELDS.map(([name, label]) => (
          <>
            <dt key={name}>{label}</dt>
            <dd>{lead[name] ?? <span class="faint">{NONE}</span>}</dd>
          </>
        ))}
        {variables.map(([name, value]) => (
          <>
            <dt key={name} class="mono">
              {name}
            </dt>
            <dd>{String(value)}</dd>
          </>
        ))}
        <dt>Tags</dt>
        <dd>
          <Tags kind="leads" id={lead.id} />
        </dd>
        <dt>Added</dt>
        <dd>
          <When at={lead.created_at} />
        </dd>
      </dl>
      {can("leads:write") && (
        <div class="actions">
          <Button look="compact" onClick={() => (isEdited.value = true)}>
            Edit
          </Button>
        </div>
      )}
    </>
  );
}

type Name = (typeof FIELDS)[number][0];
type Typed = { [name in Name]: string };

function typedOf(lead: Lead): Typed {
  return Object.fromEntries(FIELDS.map(([name]) => [name, lead[name] ?? ""])) as Typed;
}

function Edit({ lead, reload, onClose }: { lead: Lead; reload: () => void; onClose: () => void }) {
  const of = useDraft({
    target: `lead:${lead.id}`,
    read: () => api().getLead({ id: lead.id }),
    stored: lead,
    fieldsOf: typedOf,
    changeOf: (changed) =>
      Object.fromEntries(
        Object.entries(changed).map(([name, text]) => [name, text.trim() || null]),
      ),
    write: (body, options) => api().patchLead({ id: lead.id, body }, options),
    isAuto: false,
    onSaved: () => {
      reload();
      onClose();
    },
  });
  return (
    <DraftForm
      of={of}
      told={(typed, name) => [LABELS[name] ?? name, typed[name]]}
      action="Save"
      onClose={onClose}
    >
      {FIELDS.map(([name, label]) => (
        <TextField
          key={name}
          label={label}
          name={name}
          of={of.form}
          value={of.fields[name]}
          onInput={({ currentTarget }) => of.set({ [name]: currentTarget.value })}
        />
      ))}
    </DraftForm>
  );
}
