/** Leads: everybody who can be written to, a million of them in one scroll. */

import { type Signal, useSignal } from "@preact/signals";
import { LEAD_SORTS } from "#domain/leads/view.ts";
import { messageOf } from "#domain/thrown.ts";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { FILTER_FIELDS } from "../../lib/filter-fields.ts";
import { plural } from "../../lib/format.ts";
import { filter, go, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { bound } from "../../parts/form/form.tsx";
import { FilterPick, Pick } from "../../parts/form/pick.tsx";
import { isFilter, SearchField } from "../../parts/form/search-field.tsx";
import { LongTable } from "../../parts/long-table.tsx";
import { Card, Empty, Page } from "../../parts/page.tsx";
import { toast, toastError } from "../../parts/toasts.tsx";
import { ColumnPicker, columnsShown, type Lead, needsCampaign, shownColumns } from "./columns.tsx";
import { LeadDrawer } from "./drawer.tsx";
import { EnrollDialog } from "./enroll.tsx";
import { MERGED_MAX, MergeDialog } from "./merge.tsx";
import { InterestPick, StatusPick, standing } from "./standing.tsx";
import { askedFor, Views } from "./views.tsx";

const PAGE_ROWS = 100;

/** By id. */
type Selected = ReadonlyMap<string, Lead>;

const CURL = curl("GET", "/leads?limit=10");

/** The filters in the address, as the API takes them. */
function wanted() {
  const { filter: all, sort } = askedFor();
  const search = filter("search");
  if (sort !== LEAD_SORTS[0] || isFilter(search)) {
    return { ...(all === "" ? {} : { filter: all }), sort };
  }
  return { ...(search === "" ? {} : { search }), ...standing() };
}

const SORT_NAMES: readonly (readonly [value: string, name: string])[] = [
  ["", "Newest first"],
  ["created", "Oldest first"],
  ["email", "Email, A to Z"],
  ["-email", "Email, Z to A"],
];

function loadLeads(offset: number) {
  const include = needsCampaign() ? ({ include: "campaign" } as const) : {};
  const query = { limit: PAGE_ROWS, offset, ...include, ...wanted() };
  return api().listLeads(query);
}

export function LeadsPage() {
  const selected = useSignal<Selected>(new Map());
  const total = useSignal<number | undefined>(undefined);
  const turn = useSignal(0);
  const isEmpty = total.value === 0;
  const open = filter("lead");
  return (
    <Page
      title="Leads"
      about="Everyone in your team’s campaigns, each listed once"
      actions={
        <>
          <a class="button" href={to("leads/duplicates")}>
            Find duplicates
          </a>
          {can("leads:write") && (
            <a class="button primary" href={to("import")}>
              Import leads
            </a>
          )}
        </>
      }
    >
      <Card flush>
        <Filters />
        <Selection
          selected={selected}
          onDone={() => {
            selected.value = new Map();
            turn.value += 1;
          }}
        />
        {isEmpty && <NoLeads />}
        <div hidden={isEmpty}>
          <LongTable
            key={JSON.stringify([wanted(), shownColumns.value])}
            label="Leads"
            families={["lead"]}
            load={async (offset) => {
              turn.value;
              const page = await loadLeads(offset);
              total.value = page.total;
              return page;
            }}
            columns={columnsOf(selected)}
          />
        </div>
      </Card>
      {open !== "" && <LeadDrawer key={open} id={open} onChange={() => (turn.value += 1)} />}
    </Page>
  );
}

function columnsOf(selected: Signal<Selected>) {
  return [
    ...(can("leads:write")
      ? [
          {
            title: "Selected",
            track: [20, 0] as const,
            cell: (lead: Lead) => <Choice lead={lead} selected={selected} />,
          },
        ]
      : []),
    {
      title: "Email",
      track: [128, 1.6] as const,
      cell: ({ id, email }: Lead) => (
        <a
          href={to(`leads/${id}`)}
          title={email}
          onClick={(event) => {
            // Beside the list where there is room; in a tab of its own where that is asked for.
            const isPlain = !(event.ctrlKey || event.metaKey || event.shiftKey);
            if (isPlain && matchMedia("(width >= 1000px)").matches) {
              event.preventDefault();
              event.stopPropagation();
              setFilters({ lead: id });
            }
          }}
        >
          {email}
        </a>
      ),
    },
    ...columnsShown(),
  ];
}

function Choice({ lead, selected }: { lead: Lead; selected: Signal<Selected> }) {
  return (
    <input
      type="checkbox"
      aria-label={`Select ${lead.email}`}
      checked={selected.value.has(lead.id)}
      onChange={({ currentTarget }) => {
        const next = new Map(selected.value);
        if (currentTarget.checked) {
          next.set(lead.id, lead);
        } else {
          next.delete(lead.id);
        }
        selected.value = next;
      }}
    />
  );
}

function Filters() {
  const campaigns = useData(() => api().listCampaigns({ limit: 100 }), ["campaign"]);
  return (
    <header class="lead-filters">
      <SearchField placeholder="Search, or filter: company:acme" fields={FILTER_FIELDS.leads} />
      <StatusPick />
      <InterestPick />
      <Pick
        label="Campaign"
        isBare
        value=""
        options={[
          ["", "All campaigns"],
          ...(campaigns.value?.data ?? []).map(({ id, name }) => [id, name] as const),
        ]}
        onPick={(id) => go(to(`campaigns/${id}/leads`))}
      />
      <FilterPick
        label="Order"
        isBare
        name="sort"
        any="Newest first"
        options={SORT_NAMES.slice(1)}
      />
      <ColumnPicker />
      <Views />
    </header>
  );
}

function NoLeads() {
  return Object.keys(wanted()).length === 0 ? (
    <Empty
      icon="leads"
      title="No leads yet"
      curl={CURL}
      action={
        can("leads:write") && (
          <a class="button primary" href={to("import")}>
            Import leads
          </a>
        )
      }
    >
      Leads are the people your campaigns email. Import a list to get started.
    </Empty>
  ) : (
    <Empty
      icon="search"
      title="No matching leads"
      action={<Button onClick={() => go(to("leads"), { replace: true })}>Show all leads</Button>}
    >
      No leads match your search and filters.
    </Empty>
  );
}

type Asked = "enroll" | "merge" | "suppress" | "erase";

const ACTIONS: readonly (readonly [Asked, name: string])[] = [
  ["enroll", "Add to campaign"],
  ["merge", "Merge"],
  ["suppress", "Suppress"],
  ["erase", "Erase"],
];

const QUESTIONS = {
  suppress: "No campaign emails these addresses again, and their sequences end.",
  erase:
    "This permanently erases the emails with these people and their places in campaigns. Totals stay.",
} as const;

function Selection({ selected, onDone }: { selected: Signal<Selected>; onDone: () => void }) {
  const asked = useSignal<Asked | undefined>(undefined);
  const isBusy = useSignal(false);
  const size = selected.value.size;
  if (size === 0 || !can("leads:write")) {
    return null;
  }
  const close = () => {
    asked.value = undefined;
  };
  const name = asked.value === "erase" ? "Erase" : "Suppress";
  const isMergeable = size > 1 && size <= MERGED_MAX;
  return (
    <div class="selection small" role="status">
      <span>{isBusy.value ? "Working…" : `${plural(size, "lead")} selected`}</span>
      {ACTIONS.filter(([action]) => action !== "merge" || isMergeable).map(([action, name]) => (
        <button
          key={action}
          type="button"
          class={action === "erase" ? "button compact danger" : "button compact"}
          disabled={isBusy.value}
          onClick={() => {
            asked.value = action;
          }}
        >
          {name}
        </button>
      ))}
      <Button
        look="compact plain"
        onClick={() => {
          selected.value = new Map();
        }}
      >
        Clear selection
      </Button>
      <TagAll leads={[...selected.value.values()]} onDone={onDone} />
      {asked.value === "enroll" && (
        <EnrollDialog leads={[...selected.value.values()]} onClose={close} onDone={onDone} />
      )}
      {asked.value === "merge" && (
        <MergeDialog leads={[...selected.value.values()]} onClose={close} onDone={onDone} />
      )}
      {(asked.value === "suppress" || asked.value === "erase") && (
        <Confirm
          title={`${name} ${plural(size, "lead")}?`}
          action={`${name} ${plural(size, "lead")}`}
          isDanger
          onClose={close}
          onConfirm={() => {
            isBusy.value = true;
            void changeEach(asked.value === "erase" ? "erase" : "suppress", selected.value)
              .then(toast)
              .finally(() => {
                isBusy.value = false;
                onDone();
              });
          }}
        >
          {QUESTIONS[asked.value]}
        </Confirm>
      )}
    </div>
  );
}

/** As many as one request takes. */
const TAGGED_MAX = 100;

/** Tags all of them; undone, those lose the tag again that did not have it. */
function TagAll({ leads, onDone }: { leads: readonly Lead[]; onDone: () => void }) {
  const tag = useSignal("");
  const each = async (ids: readonly string[], change: { add: string[] } | { remove: string[] }) => {
    for (let from = 0; from < ids.length; from += TAGGED_MAX) {
      await api().tagLeads({ body: { ids: ids.slice(from, from + TAGGED_MAX), ...change } });
    }
    onDone();
  };
  const send = async () => {
    const name = tag.peek().trim().toLowerCase();
    const ids = leads.filter(({ tags }) => !tags.includes(name)).map(({ id }) => id);
    await each(ids, { add: [name] });
    tag.value = "";
    toast(`${plural(leads.length, "lead")} tagged`, {
      name: "Undo",
      run: () => void each(ids, { remove: [name] }).then(() => toast("Undone"), toastError),
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void send().catch(toastError);
      }}
    >
      <input
        class="input inline"
        aria-label="Tag"
        placeholder="Add tag"
        size={10}
        required
        maxLength={50}
        {...bound(tag)}
      />
    </form>
  );
}

/** One after the other; says how many were changed, and why another was not. */
async function changeEach(action: "suppress" | "erase", selected: Selected): Promise<string> {
  let done = 0;
  let fault = "";
  for (const { id, email } of selected.values()) {
    try {
      await (action === "erase"
        ? api().deleteLead({ id })
        : api().createSuppression({ body: { email, reason: "manual" } }));
      done += 1;
    } catch (cause) {
      fault = `; ${email}: ${messageOf(cause)}`;
    }
  }
  return `${plural(done, "lead")} ${action === "erase" ? "erased" : "suppressed"}${fault}`;
}
