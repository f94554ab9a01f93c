/** Leads: everybody who can be written to, a million of them in one scroll. */

import { type Signal, useSignal } from "@preact/signals";
import { messageOf } from "#domain/thrown.ts";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { FILTER_FIELDS } from "../../lib/filter-fields.ts";
import { date, plural } from "../../lib/format.ts";
import { filter, go, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Pick } from "../../parts/form/pick.tsx";
import { isFilter, SearchField } from "../../parts/form/search-field.tsx";
import { LongTable } from "../../parts/long-table.tsx";
import { Card, Empty, Page } from "../../parts/page.tsx";
import { toast } from "../../parts/toasts.tsx";
import { EnrollDialog } from "./enroll.tsx";
import { InterestPick, StatusPick, standing } from "./standing.tsx";

const PAGE_ROWS = 100;

type Lead = Awaited<ReturnType<typeof loadLeads>>["data"][number];
/** By id. */
export type Selected = ReadonlyMap<string, { id: string; email: string }>;

const CURL = curl("GET", "/leads?limit=10");

/** The filters in the address, as the API takes them. */
function wanted() {
  const search = filter("search");
  if (isFilter(search)) {
    const { status, interest } = standing();
    const also = [status && `status:${status}`, interest && `interest:${interest}`];
    return { filter: [search, ...also].filter(Boolean).join(" ") };
  }
  return { ...(search === "" ? {} : { search }), ...standing() };
}

function loadLeads(offset: number) {
  const query = { limit: PAGE_ROWS, offset, ...wanted() };
  return api().listLeads(query);
}

export function LeadsPage() {
  const selected = useSignal<Selected>(new Map());
  const total = useSignal<number | undefined>(undefined);
  const turn = useSignal(0);
  const isEmpty = total.value === 0;
  return (
    <Page
      title="Leads"
      about="Everyone in your team’s campaigns, each listed once"
      actions={
        can("leads:write") && (
          <a class="button primary" href={to("import")}>
            Import leads
          </a>
        )
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
            key={JSON.stringify(wanted())}
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
    </Page>
  );
}

function columnsOf(selected: Signal<Selected>) {
  return [
    ...(can("leads:write")
      ? [
          {
            title: "Selected",
            width: "56px",
            cell: (lead: Lead) => <Choice lead={lead} selected={selected} />,
          },
        ]
      : []),
    {
      title: "Email",
      width: "minmax(0, 1.6fr)",
      cell: ({ id, email }: Lead) => (
        <a href={to(`leads/${id}`)} title={email}>
          {email}
        </a>
      ),
    },
    {
      title: "Name",
      cell: ({ first_name, last_name }: Lead) => [first_name, last_name].filter(Boolean).join(" "),
    },
    { title: "Company", cell: ({ company }: Lead) => company, isMinor: true },
    {
      title: "Added",
      cell: ({ created_at }: Lead) => date(created_at),
      isFigure: true,
      isMinor: true,
    },
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
      <SearchField
        placeholder="Search, or filter: company:acme created>2026-10-01"
        fields={FILTER_FIELDS.leads}
      />
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

type Asked = "enroll" | "suppress" | "erase";

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
  return (
    <div class="selection small" role="status">
      <span>{isBusy.value ? "Working…" : `${plural(size, "lead")} selected`}</span>
      {(["enroll", "suppress", "erase"] as const).map((action) => (
        <button
          key={action}
          type="button"
          class={action === "erase" ? "button compact danger" : "button compact"}
          disabled={isBusy.value}
          onClick={() => {
            asked.value = action;
          }}
        >
          {action === "enroll" ? "Add to campaign" : action === "erase" ? "Erase" : "Suppress"}
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
      {asked.value === "enroll" && (
        <EnrollDialog leads={[...selected.value.values()]} onClose={close} onDone={onDone} />
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
