/** The names that a text can take values from, those that it uses, those that a reader lacks, and its choices. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { choicesIn } from "#domain/sending/spintax.ts";
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

/** What everybody has who replies to: a reply has no link to opt out. */
const REPLY_FIELDS = FIELDS.slice(0, -1);

/** Of names, and of choices: more of them nobody reads. */
const SHOWN_MAX = 30;

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

/** Those that every email has, then those of the campaign's leads; without a campaign, those of a reply. */
export function useVariables(campaignId: string | undefined): readonly string[] {
  const own = useSignal<readonly string[]>([]);
  useEffect(() => {
    if (campaignId !== undefined) {
      ownVariables(campaignId).then(
        (names) => {
          own.value = names;
        },
        () => undefined,
      );
    }
  }, [campaignId, own]);
  return campaignId === undefined ? REPLY_FIELDS : [...FIELDS, ...own.value];
}

export function VariableMenu(props: {
  names: readonly string[];
  texts: readonly string[];
  missing: readonly string[];
  onPick: (name: string) => void;
}) {
  const { names, texts, missing, onPick } = props;
  const used = variablesIn(texts.join(" "));
  const choices = [...new Set(texts.flatMap(choicesIn))];
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
            {names.slice(0, FIELDS.length).map((name) => (
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
        <ul aria-label="Variables in this text">
          {used.slice(0, SHOWN_MAX).map((name) => (
            <li key={name}>
              <code class={missing.includes(name) ? "variable-missing" : "variable"}>{name}</code>
              {missing.includes(name) && (
                <span class="small missing-word"> no value for this lead</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {choices.length > 0 && (
        <ul aria-label="Choices in this text">
          {choices.slice(0, SHOWN_MAX).map((choice) => (
            <li key={choice}>
              <code class="variable variable-choice" dir="auto" title={choice.slice(0, 1000)}>
                {choice.slice(0, 100)}
              </code>
            </li>
          ))}
        </ul>
      )}
      {Math.max(used.length, choices.length) > SHOWN_MAX && <span class="small quiet">…</span>}
    </div>
  );
}
