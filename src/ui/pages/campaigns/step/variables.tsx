/** The names that an email can take values from, those that it uses, and those that a reader lacks. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api } from "../../../lib/api.ts";

const FIELDS = [
  "first_name",
  "last_name",
  "company",
  "website",
  "phone",
  "email",
  "sender.name",
  "sender.first_name",
  "signature",
  "unsubscribe_url",
] as const;

/** Leads whose own variables are offered. */
const LEADS_LOOKED_AT = 10;

/** Names in `{{ }}`, once each, in their order. */
export function variablesIn(text: string): string[] {
  const found = [...text.matchAll(/\{\{-?\s*([A-Za-z_][\w.]*)/g)].map(([, name = ""]) => name);
  return [...new Set(found)];
}

async function ownVariables(campaignId: string): Promise<string[]> {
  const query = { limit: LEADS_LOOKED_AT };
  const { data } = await api().listCampaignLeads({ id: campaignId, ...query });
  const leads = await Promise.all(
    data.map(({ lead_id }) =>
      api()
        .getLead({ id: lead_id })
        .catch(() => undefined),
    ),
  );
  return [...new Set(leads.flatMap((lead) => Object.keys(lead?.variables ?? {})))];
}

/** Those that every email has, then those of the campaign's leads. */
export function useVariables(campaignId: string): readonly string[] {
  const own = useSignal<readonly string[]>([]);
  useEffect(() => {
    ownVariables(campaignId).then(
      (names) => {
        own.value = names;
      },
      () => undefined,
    );
  }, [campaignId, own]);
  return [...FIELDS, ...own.value];
}

export function VariableMenu(props: {
  names: readonly string[];
  used: readonly string[];
  missing: readonly string[];
  onPick: (name: string) => void;
}) {
  const { names, used, missing, onPick } = props;
  const own = names.slice(FIELDS.length);
  return (
    <div class="variables">
      <label class="small">
        Insert{" "}
        <select
          class="input inline"
          value=""
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== "") {
              onPick(currentTarget.value);
              currentTarget.value = "";
            }
          }}
        >
          <option value="">variable…</option>
          <optgroup label="Standard variables">
            {FIELDS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </optgroup>
          {own.length > 0 && (
            <optgroup label="From this campaign’s leads">
              {own.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      {used.length > 0 && (
        <ul aria-label="Variables in this email">
          {used.map((name) => (
            <li key={name}>
              <code class={missing.includes(name) ? "variable-missing" : "variable"}>{name}</code>
              {missing.includes(name) && (
                <span class="small missing-word"> no value for this lead</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
