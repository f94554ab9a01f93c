/** The tags of a lead, a campaign, a mailbox or a conversation, with those in use offered while one is typed. */

import { useSignal } from "@preact/signals";
import { api } from "../lib/api.ts";
import { useData } from "../lib/data.ts";
import { NONE } from "../lib/format.ts";
import { can } from "../lib/session.ts";
import { bound, Form, FormFault, useSubmission } from "./form/form.tsx";
import { Loaded, Pill } from "./page.tsx";

type Kind = "leads" | "campaigns" | "accounts" | "inbox";
type Change = { add: string[] } | { remove: string[] };

function load(kind: Kind, ids: string) {
  switch (kind) {
    case "leads":
      return api().listLeadTags({ ids });
    case "campaigns":
      return api().listCampaignTags({ ids });
    case "inbox":
      return api().listInboxThreadTags({ ids });
    default:
      return api().listAccountTags({ ids });
  }
}

function send(kind: Kind, id: string, change: Change) {
  const body = { ids: [id], ...change };
  switch (kind) {
    case "leads":
      return api().tagLeads({ body });
    case "campaigns":
      return api().tagCampaigns({ body });
    case "inbox":
      return api().tagInboxThreads({ body });
    default:
      return api().tagAccounts({ body });
  }
}

export function Tags(props: { kind: Kind; id: string; onChange?: () => void }) {
  const { kind, id, onChange } = props;
  const turn = useSignal(0);
  const typed = useSignal("");
  const submission = useSubmission();
  const data = useData(() => {
    turn.value;
    return load(kind, id);
  });
  const change = (what: Change) =>
    submission.submit(async () => {
      await send(kind, id, what);
      typed.value = "";
      turn.value += 1;
      onChange?.();
    });
  const mayChange = can(`${kind}:write`);
  return (
    <Loaded data={data} lines={1}>
      {({ names, data: [own] }) => (
        <Form
          of={submission}
          look="stack"
          onSend={() => change({ add: typed.value.split(/[,;|]/).filter((name) => name.trim()) })}
        >
          <div class="actions">
            {own?.tags.map((name) => (
              <Pill key={name}>
                {name}
                {mayChange && (
                  <button
                    type="button"
                    class="plain"
                    aria-label={`Remove tag ${name}`}
                    onClick={() => change({ remove: [name] })}
                  >
                    ×
                  </button>
                )}
              </Pill>
            ))}
            {own?.tags.length === 0 && !mayChange && <span class="faint">{NONE}</span>}
            {mayChange && (
              <input
                class="input"
                aria-label="Add tag"
                placeholder="Add tag"
                list={`tags-${kind}`}
                maxLength={50}
                size={14}
                {...bound(typed)}
              />
            )}
          </div>
          <datalist id={`tags-${kind}`}>
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <FormFault of={submission} fields={[]} />
        </Form>
      )}
    </Loaded>
  );
}
