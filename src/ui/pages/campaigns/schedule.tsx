/** When a campaign may write, from which mailboxes and how much; and how long it takes like that. */

import { useSignal } from "@preact/signals";
import { ApiError, api, ask, askTagged } from "../../lib/api.ts";
import { type Data, useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { Field, FormFault, useSubmission } from "../../parts/form.tsx";
import { Card, Loaded, Notice } from "../../parts/page.tsx";
import { say } from "../../parts/toasts.tsx";
import { blockWords, WeekGrid } from "../../parts/week-grid.tsx";
import { type AccountRecord, type CampaignDetail, readAccounts, readCampaign } from "./data.ts";
import { CampaignFrame } from "./frame.tsx";
import { Pace } from "./pace.tsx";

export function SchedulePage({ id }: { id: string }) {
  return (
    <CampaignFrame id={id}>
      {(campaign, data) => <Schedule campaign={campaign} data={data} />}
    </CampaignFrame>
  );
}

interface Draft {
  send_window: CampaignDetail["send_window"];
  max_leads_per_day: string;
  daily_limit: string;
  max_per_domain_per_day: string;
  priority: CampaignDetail["priority"];
  account_ids: readonly string[];
}

const FIELDS = [
  "max_leads_per_day",
  "daily_limit",
  "max_per_domain_per_day",
  "priority",
  "send_window.timezone",
] as const;

function draftOf(campaign: CampaignDetail): Draft {
  const { send_window, max_leads_per_day, daily_limit, priority, account_ids } = campaign;
  return {
    send_window,
    priority,
    account_ids,
    max_leads_per_day: String(max_leads_per_day),
    daily_limit: daily_limit === null ? "" : String(daily_limit),
    max_per_domain_per_day: String(campaign.max_per_domain_per_day ?? ""),
  };
}

const numberOrNull = (text: string) => (text.trim() === "" ? null : Number(text));

function changeOf(draft: Draft) {
  const { days, ...window } = draft.send_window;
  return {
    send_window: { ...window, days: [...days] },
    priority: draft.priority,
    account_ids: [...draft.account_ids],
    max_leads_per_day: Number(draft.max_leads_per_day),
    daily_limit: numberOrNull(draft.daily_limit),
    max_per_domain_per_day: numberOrNull(draft.max_per_domain_per_day),
  };
}

export function Schedule({ campaign, data }: { campaign: CampaignDetail; data: Data<unknown> }) {
  const { id } = campaign;
  const base = useSignal<CampaignDetail>(campaign);
  const draft = useSignal<Draft>(draftOf(campaign));
  const others = useSignal<CampaignDetail | undefined>(undefined);
  const saves = useSignal(0);
  const form = useSubmission();
  const isSaved = JSON.stringify(draft.value) === JSON.stringify(draftOf(base.value));
  const set = (change: Partial<Draft>) => {
    draft.value = { ...draft.value, ...change };
  };
  const adopt = (next: CampaignDetail) => {
    base.value = next;
    draft.value = draftOf(next);
    others.value = undefined;
    saves.value += 1;
  };
  /** What somebody else saved since the form began is shown, not written over. */
  const save = (isOver: boolean) =>
    form.submit(async () => {
      const { data: current, etag } = await askTagged(api().campaigns({ id }).get());
      const before = JSON.stringify(draftOf(base.value));
      if (!isOver && JSON.stringify(draftOf(current)) !== before) {
        others.value = current;
        return;
      }
      try {
        const headers = { "if-match": etag };
        await ask(api().campaigns({ id }).patch(changeOf(draft.value), { headers }));
      } catch (cause) {
        if (cause instanceof ApiError && cause.status === 412) {
          others.value = await readCampaign(id);
          return;
        }
        throw cause;
      }
      adopt(await readCampaign(id));
      data.reload();
      say("The schedule is saved.");
    });
  return (
    <div class="grid">
      <form
        class="span-8 stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save(false);
        }}
      >
        {others.value !== undefined && (
          <Notice tone="warn">
            <p>
              <b>Somebody else changed the schedule meanwhile</b> to {windowWords(others.value)}.
              Yours is not saved.
            </p>
            <div class="actions">
              <button
                type="button"
                class="button"
                onClick={() => others.value !== undefined && adopt(others.value)}
              >
                Take theirs
              </button>
              <button type="button" class="button primary" onClick={() => save(true)}>
                Save mine over it
              </button>
            </div>
          </Notice>
        )}
        <Card title="When does it write?" note={windowWords(draft.value)}>
          <Hours draft={draft.value} set={set} form={form} />
        </Card>
        <Card title="How much?">
          <Caps draft={draft.value} set={set} form={form} />
        </Card>
        <Card title="From which mailboxes?">
          <Mailboxes draft={draft.value} set={set} />
        </Card>
        <FormFault of={form} fields={FIELDS} />
        <div class="actions">
          <button type="submit" class="button primary" disabled={isSaved || form.isBusy}>
            {form.isBusy ? "Saving…" : "Save the schedule"}
          </button>
          <span class="small quiet saved-word" role="status">
            {isSaved ? "All is saved" : "Not saved yet"}
          </span>
        </div>
      </form>
      <Pace key={saves.value} campaign={base.value} />
    </div>
  );
}

function windowWords({ send_window: window }: Pick<Draft, "send_window">): string {
  const { days, start_hour: startHour, end_hour: endHour, timezone } = window;
  return `${blockWords({ days, startHour, endHour })}, ${timezone.replaceAll("_", " ")} time`;
}

interface Part {
  draft: Draft;
  set: (change: Partial<Draft>) => void;
}

const ZONES = Intl.supportedValuesOf("timeZone");

function Hours({ draft, set, form }: Part & { form: ReturnType<typeof useSubmission> }) {
  const window = draft.send_window;
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
      <Field
        label="Time zone"
        name="send_window.timezone"
        of={form}
        hint="A lead that has a zone of its own is written to in its own hours"
      >
        {(attributes) => (
          <>
            <input
              {...attributes}
              list="zones"
              value={window.timezone}
              onChange={({ currentTarget }) =>
                set({ send_window: { ...window, timezone: currentTarget.value.trim() } })
              }
            />
            <datalist id="zones">
              {["UTC", ...ZONES].map((zone) => (
                <option key={zone} value={zone} />
              ))}
            </datalist>
          </>
        )}
      </Field>
    </div>
  );
}

function Caps({ draft, set, form }: Part & { form: ReturnType<typeof useSubmission> }) {
  return (
    <div class="cap-fields">
      <Field
        label="New leads a day"
        name="max_leads_per_day"
        of={form}
        hint="Follow-ups do not count"
      >
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={1}
            max={10_000}
            value={draft.max_leads_per_day}
            onInput={({ currentTarget }) => set({ max_leads_per_day: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="Mails a day" name="daily_limit" of={form} hint="Empty: as the mailboxes allow">
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={1}
            value={draft.daily_limit}
            onInput={({ currentTarget }) => set({ daily_limit: currentTarget.value })}
          />
        )}
      </Field>
      <Field
        label="Mails a day to one domain"
        name="max_per_domain_per_day"
        of={form}
        hint="Empty: no limit"
      >
        {(attributes) => (
          <input
            {...attributes}
            type="number"
            min={1}
            value={draft.max_per_domain_per_day}
            onInput={({ currentTarget }) => set({ max_per_domain_per_day: currentTarget.value })}
          />
        )}
      </Field>
      <Field label="What goes first" name="priority" of={form} hint="When there is room for one">
        {(attributes) => (
          <select
            {...attributes}
            value={draft.priority}
            onChange={({ currentTarget }) =>
              set({ priority: currentTarget.value === "new_leads" ? "new_leads" : "follow_ups" })
            }
          >
            <option value="follow_ups">Follow-ups</option>
            <option value="new_leads">New leads</option>
          </select>
        )}
      </Field>
    </div>
  );
}

function Mailboxes({ draft, set }: Part) {
  const accounts = useData(readAccounts, ["account"]);
  const { account_ids: ids } = draft;
  return (
    <Loaded data={accounts}>
      {(list) =>
        list.length === 0 ? (
          <p>
            There is no mailbox yet. <a href={to("accounts")}>Connect the first one</a>; a campaign
            cannot start without.
          </p>
        ) : (
          <fieldset class="mailboxes">
            <legend class="small quiet">
              {ids.length === 0
                ? `All ${plural(list.length, "mailbox", "mailboxes")} of the team, also those that come later`
                : `${plural(ids.length, "mailbox", "mailboxes")} of ${count(list.length)}; choose none to write from all`}
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

function mailboxNote({ status, ready, daily_limit: limit }: AccountRecord): string {
  if (status !== "active") {
    return status === "error" ? "failing" : status;
  }
  return ready ? `up to ${count(limit)} a day` : "not tested yet";
}
