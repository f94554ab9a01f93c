/** Columns of the list of leads: which there are, and which of them somebody wants to see, in what order. */

import { type Signal, signal, useSignal } from "@preact/signals";
import { type LeadColumnName, VARIABLE_COLUMN } from "#domain/leads/view.ts";
import type { api } from "../../lib/api.ts";
import { date, NONE, words } from "../../lib/format.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { bound } from "../../parts/form/form.tsx";
import { Pill } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { LEAD_STATUSES, STATUS_TRACK } from "../campaigns/words.ts";

export type Lead = Awaited<ReturnType<ReturnType<typeof api>["listLeads"]>>["data"][number];

type LeadColumn = Column<Lead>;

/** By what an address or a view names them. A variable of the lead is `variables.city`. */
const COLUMNS: Readonly<Record<LeadColumnName, LeadColumn>> = {
  name: {
    title: "Name",
    cell: ({ first_name, last_name }) => [first_name, last_name].filter(Boolean).join(" "),
    isMinor: true,
  },
  company: { title: "Company", cell: ({ company }) => company, isMinor: true },
  website: { title: "Website", cell: ({ website }) => website, isMinor: true },
  phone: { title: "Phone", cell: ({ phone }) => phone, isMinor: true },
  timezone: { title: "Time zone", cell: ({ timezone }) => timezone, isMinor: true },
  tags: {
    title: "Tags",
    cell: ({ tags }) => tags.map((tag) => <Pill key={tag}>{tag}</Pill>),
    isMinor: true,
  },
  status: {
    title: "Status",
    track: STATUS_TRACK,
    cell: ({ campaign }) =>
      campaign && (
        <Pill tone={LEAD_STATUSES[campaign.status].tone}>
          {LEAD_STATUSES[campaign.status].name}
        </Pill>
      ),
  },
  campaign: {
    title: "Campaign",
    cell: ({ campaign }) =>
      campaign && `${campaign.name}${campaign.campaigns > 1 ? ` +${campaign.campaigns - 1}` : ""}`,
    isMinor: true,
  },
  interest: {
    title: "Interest",
    cell: ({ campaign }) => campaign?.interest && words(campaign.interest),
    isMinor: true,
  },
  last_sent: {
    title: "Last contacted",
    cell: ({ campaign }) =>
      campaign?.last_sent_at ? (
        <When at={campaign.last_sent_at} />
      ) : (
        <span class="faint">{NONE}</span>
      ),
    isFigure: true,
    isMinor: true,
  },
  created: {
    title: "Added",
    cell: ({ created_at }) => date(created_at),
    isFigure: true,
    isMinor: true,
  },
};

/** As many as a tablet shows without being scrolled. */
const AT_FIRST = ["name", "company", "status", "campaign", "last_sent"];
const KEPT = "outrider-lead-columns";
/** What needs to be looked up for each lead. */
const OF_CAMPAIGN = ["status", "campaign", "interest", "last_sent"];

/** Names in the order in which they are shown; kept in the browser. */
export const shownColumns = signal<readonly string[]>(kept() ?? AT_FIRST);

function kept(): string[] | null {
  try {
    const names: unknown = JSON.parse(localStorage.getItem(KEPT) ?? "null");
    return Array.isArray(names) ? names.filter((name) => columnNamed(String(name)) !== null) : null;
  } catch {
    return null;
  }
}

export function showColumns(names: readonly string[]): void {
  shownColumns.value = names;
  localStorage.setItem(KEPT, JSON.stringify(names));
}

function columnNamed(name: string): LeadColumn | null {
  if (!name.startsWith(VARIABLE_COLUMN)) {
    return Object.hasOwn(COLUMNS, name) ? COLUMNS[name as LeadColumnName] : null;
  }
  const variable = name.slice(VARIABLE_COLUMN.length);
  return {
    title: variable,
    cell: ({ variables }) => String(variables[variable] ?? ""),
    isMinor: true,
  };
}

export function columnsShown(): LeadColumn[] {
  return shownColumns.value.flatMap((name) => columnNamed(name) ?? []);
}

export const needsCampaign = () => shownColumns.value.some((name) => OF_CAMPAIGN.includes(name));

export function ColumnPicker() {
  const isOpen = useSignal(false);
  return (
    <>
      <Button look="compact" onClick={() => (isOpen.value = true)}>
        Columns
      </Button>
      {isOpen.value && <Choose onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function Choose({ onClose }: { onClose: () => void }) {
  const variable = useSignal("");
  const shown = shownColumns.value;
  const hidden = Object.keys(COLUMNS).filter((name) => !shown.includes(name));
  const move = (at: number, by: number) => {
    const names = [...shown];
    const [name] = names.splice(at, 1);
    names.splice(at + by, 0, name ?? "");
    showColumns(names);
  };
  // What was typed is meant, whichever button follows.
  const add = () => {
    const column = `${VARIABLE_COLUMN}${variable.peek().trim()}`;
    if (column !== VARIABLE_COLUMN && !shownColumns.peek().includes(column)) {
      showColumns([...shownColumns.peek(), column]);
    }
    variable.value = "";
  };
  const close = () => {
    add();
    onClose();
  };
  return (
    <Dialog title="Columns" onClose={close}>
      <ol class="columns-shown">
        {shown.map((name, at) => {
          const { title = name } = columnNamed(name) ?? {};
          return (
            <li key={name}>
              <span>{title}</span>
              <Button
                look="plain compact"
                disabled={at === 0}
                aria-label={`Move ${title} up`}
                onClick={() => move(at, -1)}
              >
                ↑
              </Button>
              <Button
                look="plain compact"
                disabled={at === shown.length - 1}
                aria-label={`Move ${title} down`}
                onClick={() => move(at, 1)}
              >
                ↓
              </Button>
              <Button
                look="plain compact"
                aria-label={`Hide ${title}`}
                onClick={() => showColumns(shown.filter((one) => one !== name))}
              >
                ×
              </Button>
            </li>
          );
        })}
      </ol>
      <Hidden names={hidden} />
      <AddVariable name={variable} onAdd={add} />
      <div class="actions">
        <Button onClick={() => showColumns(AT_FIRST)}>Reset</Button>
        <Button look="primary" onClick={close}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}

function Hidden({ names }: { names: readonly string[] }) {
  return (
    <div class="actions">
      {names.map((name) => (
        <Button
          key={name}
          look="compact"
          onClick={() => showColumns([...shownColumns.peek(), name])}
        >
          + {columnNamed(name)?.title}
        </Button>
      ))}
    </div>
  );
}

function AddVariable({ name, onAdd }: { name: Signal<string>; onAdd: () => void }) {
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        onAdd();
      }}
    >
      <input
        class="input"
        aria-label="Variable"
        placeholder="A variable, such as city"
        maxLength={100}
        {...bound(name)}
      />
      <button type="submit" class="button compact">
        Add column
      </button>
    </form>
  );
}
