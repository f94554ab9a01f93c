/** When a campaign may write, from which mailboxes and how much; and how long it takes like that. */

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import type { Account, Campaign, CampaignDetail } from "#client.ts";
import { api } from "../../lib/api.ts";
import { countryName, countryOptions, exceptHolidays } from "../../lib/countries.ts";
import { type Data, useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { numberOf, useDraft } from "../../parts/form/draft.ts";
import { DraftForm } from "../../parts/form/draft-form.tsx";
import { Field, type Submission } from "../../parts/form/form.tsx";
import { Input, Select } from "../../parts/form/input.tsx";
import { optionsOf } from "../../parts/form/pick.tsx";
import { blockWords, WeekGrid } from "../../parts/form/week-grid.tsx";
import { ZoneField } from "../../parts/form/zone-field.tsx";
import { Card, Loaded, Pill } from "../../parts/page.tsx";
import { readAccounts } from "./data.ts";
import { CampaignFrame } from "./frame.tsx";
import { Pace } from "./pace.tsx";

export function SchedulePage({ id }: { id: string }) {
  return (
    <CampaignFrame id={id}>
      {(campaign, data) => <Schedule campaign={campaign} data={data} />}
    </CampaignFrame>
  );
}

/** What the form holds. */
interface Settings {
  send_window: CampaignDetail["send_window"];
  max_leads_per_day: string;
  daily_limit: string;
  max_per_domain_per_day: string;
  priority: CampaignDetail["priority"];
  risky_addresses: CampaignDetail["risky_addresses"];
  provider_matching: CampaignDetail["provider_matching"];
  account_ids: readonly string[];
}

function settingsOf(campaign: Campaign): Settings {
  const { send_window, priority, risky_addresses, provider_matching, account_ids } = campaign;
  return {
    send_window,
    priority,
    risky_addresses,
    provider_matching,
    account_ids,
    max_leads_per_day: String(campaign.max_leads_per_day),
    daily_limit: String(campaign.daily_limit ?? ""),
    max_per_domain_per_day: String(campaign.max_per_domain_per_day ?? ""),
  };
}

const numberOrNull = (text: string) => (text.trim() === "" ? null : numberOf(text));

function changeOf(changed: Partial<Settings>, settings: Settings) {
  const { send_window: window } = settings;
  const all = {
    send_window: {
      ...window,
      days: [...window.days],
      skip_holidays: [...window.skip_holidays],
    },
    priority: settings.priority,
    risky_addresses: settings.risky_addresses,
    provider_matching: settings.provider_matching,
    account_ids: [...settings.account_ids],
    max_leads_per_day: numberOf(settings.max_leads_per_day),
    daily_limit: numberOrNull(settings.daily_limit),
    max_per_domain_per_day: numberOrNull(settings.max_per_domain_per_day),
  };
  const own = Object.entries(all).filter(([name]) => name in changed);
  return Object.fromEntries(own) as Partial<typeof all>;
}

export function Schedule({ campaign, data }: { campaign: CampaignDetail; data: Data<unknown> }) {
  const { id } = campaign;
  const saves = useSignal(0);
  const of = useDraft({
    target: `campaign:${id}`,
    keptAs: `campaigns/${id}/schedule`,
    read: () => api().getCampaign({ id }),
    stored: campaign as Campaign,
    fieldsOf: settingsOf,
    changeOf,
    write: (body, options) => api().patchCampaign({ id, body }, options),
    isAuto: campaign.status !== "active",
    onSaved: () => {
      saves.value += 1;
      data.reload();
    },
  });
  const { fields, set, form } = of;
  return (
    <div class="grid">
      <div class="span-8">
        <DraftForm
          of={of}
          told={(settings, name) => [LABELS[name], wordsOf(settings, name)]}
          action="Save schedule"
          isReadOnly={!can("campaigns:write")}
          fields={OWN_FAULTS}
        >
          <Card title="Sending hours" note={windowWords(fields)}>
            <Hours {...{ fields, set, form }} />
          </Card>
          <Card title="Daily limits">
            <Caps {...{ fields, set, form }} />
          </Card>
          <Card title="Risky addresses">
            <Select
              label="New leads with a risky address"
              name="risky_addresses"
              of={form}
              hint="One that bounced, is disposable, is shared by a role such as sales, or looks like a typo"
              value={fields.risky_addresses}
              options={Object.entries(RISKY_WORDS)}
              onPick={(value) => set({ risky_addresses: value as Settings["risky_addresses"] })}
            />
          </Card>
          <Card title="Mailboxes">
            <div class="stack">
              <Mailboxes fields={fields} set={set} />
              <Select
                label="Email new leads from a mailbox at their own provider"
                name="provider_matching"
                of={form}
                hint="Such as Microsoft’s from a Microsoft mailbox. Leads at a provider that no mailbox is at go from any"
                value={fields.provider_matching}
                options={Object.entries(MATCHING_WORDS)}
                onPick={(value) =>
                  set({ provider_matching: value as Settings["provider_matching"] })
                }
              />
            </div>
          </Card>
        </DraftForm>
      </div>
      <Pace key={saves.value} campaign={campaign} />
    </div>
  );
}

const OWN_FAULTS = [
  "max_leads_per_day",
  "daily_limit",
  "max_per_domain_per_day",
  "priority",
  "risky_addresses",
  "provider_matching",
  "send_window.timezone",
  "send_window.skip_holidays",
];

const LABELS: Readonly<Record<keyof Settings, string>> = {
  send_window: "Hours",
  max_leads_per_day: "New leads a day",
  daily_limit: "Emails a day",
  max_per_domain_per_day: "Emails a day to one domain",
  priority: "Priority",
  risky_addresses: "New leads with a risky address",
  provider_matching: "Mailboxes at the lead’s provider",
  account_ids: "Mailboxes",
};

const PRIORITY_WORDS: Readonly<Record<Settings["priority"], string>> = {
  follow_ups: "Follow-ups",
  new_leads: "New leads",
};

const RISKY_WORDS: Readonly<Record<Settings["risky_addresses"], string>> = {
  send: "Send as to others",
  spread: "Send to few a day",
  hold: "Put on hold",
};

const MATCHING_WORDS: Readonly<Record<Settings["provider_matching"], string>> = {
  off: "Doesn’t matter",
  prefer: "If possible",
  only: "Always; others wait",
};

function wordsOf(settings: Settings, name: keyof Settings): string {
  switch (name) {
    case "send_window":
      return windowWords(settings);
    case "priority":
      return PRIORITY_WORDS[settings.priority];
    case "risky_addresses":
      return RISKY_WORDS[settings.risky_addresses];
    case "provider_matching":
      return MATCHING_WORDS[settings.provider_matching];
    case "account_ids": {
      const { length } = settings.account_ids;
      return length === 0 ? "All" : plural(length, "selected mailbox", "selected mailboxes");
    }
    default:
      return settings[name] || "No limit";
  }
}

function windowWords({ send_window: window }: Pick<Settings, "send_window">): string {
  const { days, start_hour: startHour, end_hour: endHour, timezone, skip_holidays } = window;
  const hours = `${blockWords({ days, startHour, endHour })}, ${timezone.replaceAll("_", " ")} time`;
  return hours + exceptHolidays(skip_holidays);
}

interface Part {
  fields: Settings;
  set: (change: Partial<Settings>) => void;
}

function Hours({ fields, set, form }: Part & { form: Submission }) {
  const window = fields.send_window;
  return (
    <div class="stack">
      <WeekGrid
        block={{ days: window.days, startHour: window.start_hour, endHour: window.end_hour }}
        onChange={({ days, startHour, endHour }) =>
          set({
            send_window: { ...window, days: [...days], start_hour: startHour, end_hour: endHour },
          })
        }
      />
      <ZoneField
        name="send_window.timezone"
        of={form}
        hint="Leads with their own time zone are emailed during these hours in that zone"
        value={window.timezone}
        onZone={(timezone) => set({ send_window: { ...window, timezone } })}
      />
      <Holidays {...{ fields, set, form }} />
    </div>
  );
}

function Holidays({ fields, set, form }: Part & { form: Submission }) {
  const { skip_holidays: codes } = fields.send_window;
  const picker = useRef<HTMLSelectElement>(null);
  const change = (skip_holidays: string[]) =>
    set({ send_window: { ...fields.send_window, skip_holidays } });
  return (
    <Field
      label="Skip public holidays"
      name="send_window.skip_holidays"
      of={form}
      hint="A lead whose time zone is in one of these countries skips only that country’s holidays. All other leads skip all of them."
    >
      {(own) => (
        <div class="actions">
          {codes.map((code) => (
            <Pill key={code}>
              {countryName(code)}
              <button
                type="button"
                class="plain"
                aria-label={`Remove ${countryName(code)}`}
                onClick={() => {
                  picker.current?.focus();
                  change(codes.filter((one) => one !== code));
                }}
              >
                ×
              </button>
            </Pill>
          ))}
          <select
            {...own}
            ref={picker}
            value=""
            onChange={({ currentTarget }) => {
              change([...codes, currentTarget.value]);
              currentTarget.value = "";
            }}
          >
            <option value="">Add a country</option>
            {optionsOf(countryOptions().filter(([code]) => !codes.includes(code)))}
          </select>
        </div>
      )}
    </Field>
  );
}

function Caps({ fields, set, form }: Part & { form: Submission }) {
  return (
    <div class="cap-fields">
      <Input
        label="New leads a day"
        name="max_leads_per_day"
        of={form}
        hint="Follow-ups don’t count"
        type="number"
        min={1}
        max={10_000}
        value={fields.max_leads_per_day}
        onText={(max_leads_per_day) => set({ max_leads_per_day })}
      />
      <Input
        label="Emails a day"
        name="daily_limit"
        of={form}
        hint="Leave empty for no limit"
        type="number"
        min={1}
        value={fields.daily_limit}
        onText={(daily_limit) => set({ daily_limit })}
      />
      <Input
        label="Emails a day to one domain"
        name="max_per_domain_per_day"
        of={form}
        hint="Leave empty for no limit"
        type="number"
        min={1}
        value={fields.max_per_domain_per_day}
        onText={(max_per_domain_per_day) => set({ max_per_domain_per_day })}
      />
      <Select
        label="Priority"
        name="priority"
        of={form}
        hint="What’s sent first when limits are tight"
        value={fields.priority}
        options={Object.entries(PRIORITY_WORDS)}
        onPick={(priority) => set({ priority: priority as Settings["priority"] })}
      />
    </div>
  );
}

function Mailboxes({ fields, set }: Part) {
  const accounts = useData(readAccounts, ["account"]);
  const { account_ids: ids } = fields;
  return (
    <Loaded data={accounts}>
      {(list) =>
        list.length === 0 ? (
          <p>
            No mailboxes yet. <a href={to("accounts")}>Add a mailbox</a>; the campaign can’t start
            without one.
          </p>
        ) : (
          <fieldset class="mailboxes">
            <legend class="small quiet">
              {ids.length === 0
                ? `All ${plural(list.length, "mailbox", "mailboxes")} in your team, including any you add later`
                : `${count(ids.length)} of ${plural(list.length, "mailbox", "mailboxes")} selected; clear the selection to send from all of them`}
            </legend>
            {list.map((account) => (
              <label key={account.id}>
                <input
                  type="checkbox"
                  checked={ids.includes(account.id)}
                  onChange={({ currentTarget }) =>
                    set({
                      account_ids: currentTarget.checked
                        ? [...ids, account.id]
                        : ids.filter((id) => id !== account.id),
                    })
                  }
                />
                <span>{account.email}</span>
                <span class="small quiet">{mailboxNote(account)}</span>
              </label>
            ))}
          </fieldset>
        )
      }
    </Loaded>
  );
}

function mailboxNote({ status, ready, daily_limit: limit }: Account): string {
  if (status !== "active") {
    return status === "error" ? "has an error" : status;
  }
  return ready ? `up to ${count(limit)} a day` : "not tested yet";
}
