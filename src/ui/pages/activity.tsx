/** What happened, who did it, and how it was before. */

import { csv } from "../charts/chart.tsx";
import { actorName, namesOfActors } from "../lib/actors.ts";
import { api } from "../lib/api.ts";
import { curl } from "../lib/curl.ts";
import { useData } from "../lib/data.ts";
import { count, words } from "../lib/format.ts";
import { filter, setFilters, to } from "../lib/route.ts";
import { Button } from "../parts/button.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { FilterPick } from "../parts/form/pick.tsx";
import { Card, Empty, Loaded, Page } from "../parts/page.tsx";
import { Scroll } from "../parts/scroll.tsx";
import { toast, toastError } from "../parts/toasts.tsx";
import { When } from "../parts/when.tsx";
import { AuditChain } from "./developers/audit-chain.tsx";
import { Older } from "./developers/deliveries.tsx";

const PAGE_ROWS = 50;
const EXPORT_ROWS_MAX = 10_000;
const API_PAGE_ROWS = 100;

const NOUNS = [
  "account",
  "backup",
  "billing",
  "campaign",
  "campaign_lead",
  "canned_reply",
  "digest",
  "experiment",
  "file",
  "identity",
  "import",
  "invitation",
  "key",
  "lead",
  "lead_view",
  "mail",
  "member",
  "message",
  "passkey",
  "placement_run",
  "placement_schedule",
  "placement_seed",
  "sandbox",
  "session",
  "step",
  "suppression",
  "task",
  "team",
  "thread",
  "user",
  "webhook",
];

/** Nouns that people call otherwise. */
const NOUN_NAMES: Readonly<Record<string, string>> = {
  account: "Mailbox",
  campaign_lead: "Lead in campaign",
  identity: "Single sign-on",
  key: "API key",
  mail: "Received email",
  message: "Sent email",
  thread: "Conversation",
};
const ACTORS = [
  ["user:*", "Members"],
  ["key:*", "API keys"],
  ["engine", "Outrider"],
  ["operator", "Command line"],
] as const;

interface Entry {
  seq: number;
  actor: string;
  action: string;
  target: string;
  created_at: string;
  request_id: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

function isFiltered(): boolean {
  return filter("after") !== "" || Object.keys(query()).length > 0;
}

function query() {
  const query: Record<string, string> = {};
  if (filter("noun") !== "") {
    query["action"] = `${filter("noun")}.*`;
  }
  for (const name of ["actor", "target", "request_id"]) {
    if (filter(name) !== "") {
      query[name] = filter(name);
    }
  }
  for (const name of ["since", "until"]) {
    const day = Date.parse(filter(name));
    if (Number.isFinite(day)) {
      query[name] = new Date(day + (name === "until" ? 86_400_000 : 0)).toISOString();
    }
  }
  return query;
}

export function ActivityPage() {
  const names = useData(namesOfActors);
  const targets = useData(namesOfTargets);
  const entries = useData(() => {
    const after = filter("after");
    return api().listAudit({ ...query(), limit: PAGE_ROWS, ...(after === "" ? {} : { after }) });
  }, ["campaign", "account", "experiment", "webhook"]);
  const nameOf = (actor: string) => names.value?.get(actor) ?? actorName(actor);
  return (
    <Page
      title="Activity"
      about="Every change, who made it, and the previous values"
      actions={<Button onClick={() => void download(nameOf)}>Export CSV</Button>}
    >
      <Card flush>
        <Filters />
        <Loaded data={entries}>
          {({ data, total, next_cursor }) =>
            data.length === 0 ? (
              <Empty
                icon="activity"
                title={isFiltered() ? "No matching entries" : "No activity yet"}
                curl={curl("GET", "/audit?limit=10")}
                action={isFiltered() && <Button onClick={clear}>Clear filters</Button>}
              >
                Every change made by your team, by an API key, or by Outrider itself is recorded
                here.
              </Empty>
            ) : (
              <>
                <ul class="log">
                  {data.map((entry) => (
                    <Line
                      key={entry.seq}
                      of={entry}
                      by={nameOf(entry.actor)}
                      name={targets.value?.get(entry.target) ?? nameIn(entry)}
                    />
                  ))}
                </ul>
                <Older next={next_cursor} total={total} />
              </>
            )
          }
        </Loaded>
      </Card>
      <AuditChain />
    </Page>
  );
}

function clear(): void {
  setFilters({ noun: "", actor: "", target: "", request_id: "", since: "", until: "", after: "" });
}

function Filters() {
  return (
    <div class="filters">
      <FilterPick
        label="Type"
        name="noun"
        any="All types"
        options={NOUNS.map((noun) => [noun, NOUN_NAMES[noun] ?? words(noun)])}
      />
      <FilterPick label="Actor" name="actor" any="Anyone" options={ACTORS} />
      {(["since", "until"] as const).map((name) => (
        <label key={name}>
          {name === "since" ? "From" : "To"}
          <input
            class="input"
            type="date"
            value={filter(name)}
            onChange={({ currentTarget }) => setFilters({ [name]: currentTarget.value, after: "" })}
          />
        </label>
      ))}
      {(filter("target") !== "" || filter("request_id") !== "") && (
        <p class="actions">
          <Button look="compact" onClick={clear}>
            Only {filter("target") || filter("request_id")} · Clear filters
          </Button>
        </p>
      )}
    </div>
  );
}

function Line({ of, by, name }: { of: Entry; by: string; name: string | undefined }) {
  const { action, target, created_at, request_id, before, after } = of;
  const [noun = "", id = ""] = target.split(":");
  const page = PAGES[noun];
  return (
    <li>
      <details>
        <summary>
          <When at={created_at} isWall />
          <span class="what">
            <strong class="plain-strong">{by}</strong> · {actionName(action)}
          </span>
          <span class="faint small">{name}</span>
        </summary>
        <div class="inside">
          <Changes before={before} after={after} />
          <p class="quiet small row-actions start">
            {page !== undefined && <a href={to(`${page}/${id}`)}>Open</a>}
            <code>{target}</code>
            <Button look="plain compact" onClick={() => setFilters({ target, after: "" })}>
              Show its history
            </Button>
            {request_id !== null && (
              <>
                <code>{request_id}</code>
                <CopyButton text={request_id} label="Copy request ID" />
              </>
            )}
          </p>
        </div>
      </details>
    </li>
  );
}

function Changes({ before, after }: Pick<Entry, "before" | "after">) {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  if (fields.length === 0) {
    return <p class="quiet">No fields changed.</p>;
  }
  return (
    <Scroll label="Changed fields">
      <table class="table changes" aria-label="Changed fields">
        <thead>
          <tr>
            <th scope="col">Field</th>
            {before !== null && <th scope="col">Before</th>}
            {after !== null && <th scope="col">After</th>}
          </tr>
        </thead>
        <tbody>
          {fields.map((field) => (
            <tr key={field}>
              <td>{words(field)}</td>
              {before !== null && <td>{shown(before[field])}</td>}
              {after !== null && <td>{shown(after[field])}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) {
    return "–";
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Where the pages of such a target are. */
const PAGES: Readonly<Record<string, string>> = {
  account: "accounts",
  campaign: "campaigns",
  experiment: "experiments",
  lead: "leads",
  placement_run: "placement/runs",
  thread: "inbox",
  webhook: "developers/webhooks",
};

/** What an action or a verb is called once it is done, where "-ed" does not say it. */
const DONE: Readonly<Record<string, string>> = {
  "account.dkim": "DKIM key changed",
  "campaign.import": "Leads imported",
  "billing.licence": "License added",
  "billing.subscribe": "Plan change requested",
  "experiment.variant_out": "Variant removed",
  "member.join": "Joined the team",
  "sandbox.clock": "Sandbox clock changed",
  "sandbox.inject": "Sandbox event simulated",
  "session.begin": "Signed in",
  "step.send_test": "Test email sent",
  "team.restore": "Data restored from an earlier state",
  "thread.forward": "Email forwarded",
  "thread.note": "Note added",
  "thread.note_delete": "Note deleted",
  "thread.reply": "Reply sent",
  "thread.return": "Snooze ended",
  "user.password": "Password changed",
  "webhook.rotate_secret": "Webhook secret rotated",
  begin: "started",
  cancel: "canceled",
  patch: "updated",
  relabel: "relabeled",
  rotate: "rotated",
  send: "sent",
  undo: "undone",
  withdraw: "withdrawn",
};

/** `campaign.pause` is "Campaign paused". */
function actionName(action: string): string {
  const [noun = "", verb = ""] = action.split(".");
  const done = DONE[verb] ?? `${verb}${verb.endsWith("e") ? "d" : "ed"}`;
  return DONE[action] ?? words(`${NOUN_NAMES[noun] ?? noun} ${done}`);
}

/** As what the record is known to people, where an entry says it. */
function nameIn({ before, after }: Entry): string | undefined {
  return ["name", "email", "url", "value"]
    .map((field) => after?.[field] ?? before?.[field])
    .find((value) => typeof value === "string");
}

/** What campaigns, mailboxes and experiments are called now. */
async function namesOfTargets(): Promise<ReadonlyMap<string, string>> {
  const query = { limit: 100 };
  const [campaigns, accounts, experiments] = await Promise.all([
    api().listCampaigns(query),
    api().listAccounts(query),
    api().listExperiments(),
  ]);
  return new Map([
    ...campaigns.data.map(({ id, name }) => [`campaign:${id}`, name] as const),
    ...accounts.data.map(({ id, email }) => [`account:${id}`, email] as const),
    ...experiments.map(({ id, name }) => [`experiment:${id}`, name] as const),
  ]);
}

/** Everything that the filters show, page by page. */
async function download(nameOf: (actor: string) => string): Promise<void> {
  const rows: (string | number)[][] = [];
  let after: string | null = null;
  try {
    do {
      const page: { data: Entry[]; next_cursor: string | null } = await api().listAudit({
        ...query(),
        limit: API_PAGE_ROWS,
        ...(after === null ? {} : { after }),
      });
      for (const entry of page.data) {
        rows.push([
          entry.created_at,
          nameOf(entry.actor),
          entry.actor,
          entry.action,
          entry.target,
          JSON.stringify(entry.before),
          JSON.stringify(entry.after),
          entry.request_id ?? "",
        ]);
      }
      after = page.next_cursor;
    } while (after !== null && rows.length < EXPORT_ROWS_MAX);
  } catch (error) {
    toastError(error);
    return;
  }
  const columns = ["time", "by", "actor", "action", "target", "before", "after", "request_id"];
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv({ columns, rows })], { type: "text/csv" }));
  link.download = "activity.csv";
  link.click();
  URL.revokeObjectURL(link.href);
  toast(
    after === null
      ? `Exported ${count(rows.length)} entries`
      : `Exported the latest ${count(rows.length)} entries. Narrow the dates to export older ones`,
  );
}
