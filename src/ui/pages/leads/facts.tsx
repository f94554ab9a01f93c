/** A lead's fields and variables: shown, and changed where nobody else has changed them meanwhile. */

import { useSignal } from "@preact/signals";
import { ApiError, api, ask } from "../../lib/api.ts";
import { NONE } from "../../lib/format.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Form, FormFault, TextField, useSubmission } from "../../parts/form.tsx";
import { Notice } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";
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

export function Facts({ lead, etag, reload }: { lead: Lead; etag: string; reload: () => void }) {
  const isEdited = useSignal(false);
  if (isEdited.value) {
    return (
      <Edit
        lead={lead}
        etag={etag}
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
        <dt>Address</dt>
        <dd>{lead.email}</dd>
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
        <dt>Added</dt>
        <dd>
          <When at={lead.created_at} />
        </dd>
      </dl>
      {can("leads:write") && (
        <div class="actions">
          <Button look="compact" onClick={() => (isEdited.value = true)}>
            Change
          </Button>
        </div>
      )}
    </>
  );
}

type Name = (typeof FIELDS)[number][0];

function Edit(props: { lead: Lead; etag: string; reload: () => void; onClose: () => void }) {
  const { lead, reload, onClose } = props;
  /** As they were when the form was opened: what comes meanwhile is another's change. */
  const opened = useSignal({ lead, etag: props.etag });
  const typed = useSignal<Partial<Record<Name, string>>>({});
  const submission = useSubmission();
  const isOld = submission.error instanceof ApiError && submission.error.status === 412;
  const written = (name: Name) => typed.value[name] ?? opened.value.lead[name] ?? "";
  const send = async () => {
    const changes = Object.fromEntries(
      Object.entries(typed.value).map(([name, text]) => [name, text.trim() === "" ? null : text]),
    );
    await ask(
      api()
        .leads({ id: lead.id })
        .patch(changes, { headers: { "if-match": opened.value.etag } }),
    );
    say("Saved");
    reload();
    onClose();
  };
  return (
    <Form onSend={() => submission.submit(send)}>
      {FIELDS.map(([name, label]) => {
        const theirs = lead[name] ?? "";
        const isTheirs = isOld && theirs !== (opened.value.lead[name] ?? "");
        return (
          <TextField
            key={name}
            label={label}
            name={name}
            of={submission}
            hint={isTheirs ? `Somebody else has written: ${theirs || "nothing"}` : undefined}
            value={written(name)}
            onInput={({ currentTarget }) => {
              typed.value = { ...typed.value, [name]: currentTarget.value };
            }}
          />
        );
      })}
      {isOld ? (
        <Notice tone="warn">
          Somebody else has changed this lead <When at={lead.updated_at} />. What differs is said at
          its field; saved again, yours takes its place.
        </Notice>
      ) : (
        <FormFault of={submission} fields={FIELDS.map(([name]) => name)} />
      )}
      <div class="actions">
        <Button onClick={onClose}>Leave it</Button>
        <button
          type="submit"
          class="button primary"
          disabled={submission.isBusy}
          onClick={() => {
            if (isOld) {
              opened.value = { lead, etag: props.etag };
            }
          }}
        >
          {isOld ? "Save mine" : "Save"}
        </button>
      </div>
    </Form>
  );
}
