/** When a campaign may write, from which mailboxes and how much; and how long it takes like that. */

import { useSignal } from "@preact/signals";
import { lastToChange } from "../../lib/actors.ts";
import { ApiError, api, ask, askTagged } from "../../lib/api.ts";
import { type Data, useData } from "../../lib/data.ts";
import { count, plural } from "../../lib/format.ts";
import { to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Field, FormFault, Submit, TextField, useSubmission } from "../../parts/form.tsx";
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
  const others = useSignal<Theirs | undefined>(undefined);
  const theirs = others.value;
  const mayWrite = can("campaigns:write");
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
        others.value = { campaign: current, who: await lastToChange(`campaign:${id}`) };
        return;
      }
      try {
        const headers = { "if-match": etag };
        await ask(api().campaigns({ id }).patch(changeOf(draft.value), { headers }));
      } catch (cause) {
        if (cause instanceof ApiError && cause.status === 412) {
          const who = await lastToChange(`campaign:${id}`);
          others.value = { campaign: await readCampaign(id), who };
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
        {theirs !== undefined && (
          <Conflict
            who={theirs.who}
            theirs={draftOf(theirs.campaign)}
            mine={draft.value}
            onTheirs={() => adopt(theirs.campaign)}
            onMine={() => save(true)}
          />
        )}
        <fieldset class="bare stack" disabled={!mayWrite}>
          <Card title="When does it write?" note={windowWords(draft.value)}>
            <Hours draft={draft.value} set={set} form={form} />
          </Card>
          <Card title="How much?">
            <Caps draft={draft.value} set={set} form={form} />
          </Card>
          <Card title="From which mailboxes?">
            <Mailboxes draft={draft.value} set={set} />
          </Card>
        </fieldset>
        <FormFault of={form} fields={FIELDS} />
        {mayWrite && (
          <div class="actions">
            <Submit of={form} isOff={isSaved}>
              {form.isBusy ? "Saving…" : "Save the schedule"}
            </Submit>
            <span class="small quiet saved-word" role="status">
              {isSaved ? "All is saved" : "Not saved yet"}
            </span>
          </div>
        )}
      </form>
      <Pace key={saves.value} campaign={base.value} />
    </div>
  );
}

/** What somebody else has saved since the form began. */
interface Theirs {
  campaign: CampaignDetail;
  who: string;
}

/** A schedule as texts, each under what it is about. */
function linesOf(draft: Draft): Readonly<Record<string, string>> {
  const { account_ids: ids } = draft;
  return {
    Hours: windowWords(draft),
    "New leads a day": draft.max_leads_per_day,
    "Mails a day": draft.daily_limit || "no limit",
    "Mails a day to one domain": draft.max_per_domain_per_day || "no limit",
    "What goes first": draft.priority === "new_leads" ? "new leads" : "follow-ups",
    Mailboxes: ids.length === 0 ? "all" : plural(ids.length, "chosen mailbox", "chosen mailboxes"),
  };
}

function Conflict(props: {
  who: string;
  theirs: Draft;
  mine: Draft;
  onTheirs: () => void;
  onMine: () => void;
}) {
  const [theirs, mine] = [linesOf(props.theirs), linesOf(props.mine)];
  return (
    <Notice tone="warn">
      <div class="stack">
        <p>
          <b>{props.who}</b>, while you did. Yours is not saved; nothing is lost.
        </p>
        <ul>
          {Object.keys(theirs)
            .filter((name) => theirs[name] !== mine[name])
            .map((name) => (
              <li key={name}>
                {name}: theirs {theirs[name]}, yours {mine[name]}
              </li>
            ))}
        </ul>
        <div class="actions">
          <Button onClick={props.onTheirs}>Take theirs</Button>
          <Button look="primary" onClick={props.onMine}>
            Save mine over it
          </Button>
        </div>
      </div>
    </Notice>
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
      <TextField
        label="New leads a day"
        name="max_leads_per_day"
        of={form}
        hint="Follow-ups do not count"
        type="number"
        min={1}
        max={10_000}
        value={draft.max_leads_per_day}
        onInput={({ currentTarget }) => set({ max_leads_per_day: currentTarget.value })}
      />
      <TextField
        label="Mails a day"
        name="daily_limit"
        of={form}
        hint="Empty: no limit"
        type="number"
        min={1}
        value={draft.daily_limit}
        onInput={({ currentTarget }) => set({ daily_limit: currentTarget.value })}
      />
      <TextField
        label="Mails a day to one domain"
        name="max_per_domain_per_day"
        of={form}
        hint="Empty: no limit"
        type="number"
        min={1}
        value={draft.max_per_domain_per_day}
        onInput={({ currentTarget }) => set({ max_per_domain_per_day: currentTarget.value })}
      />
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
