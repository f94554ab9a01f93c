/** The leads of a campaign: where each stands and why, found by filters, changed one by one or all that a filter finds. */

import { type Signal, useSignal } from "@preact/signals";
import type { CampaignDetail } from "#client.ts";
import { AHEAD_COUNTED_MAX } from "#domain/campaigns/campaign.ts";
import { HOLD_REASONS } from "#domain/campaigns/enrollment.ts";
import { messageOf } from "#domain/thrown.ts";
import { api } from "../../lib/api.ts";
import { now } from "../../lib/clock.ts";
import { curl } from "../../lib/curl.ts";
import { ago, count, dateTime, plural } from "../../lib/format.ts";
import { filter, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FilterPick } from "../../parts/form/pick.tsx";
import { SearchField } from "../../parts/form/search-field.tsx";
import { LongTable } from "../../parts/long-table.tsx";
import { Card, Empty, Pill } from "../../parts/page.tsx";
import type { Column } from "../../parts/table.tsx";
import { InterestPick, StatusPick } from "../leads/standing.tsx";
import { CampaignFrame } from "./frame.tsx";
import { OnHold } from "./on-hold.tsx";
import { Choice, filters, type Selected, Selection } from "./selection.tsx";
import { HOLDS, holdWords, STATUS_TRACK, sentence, standingWord, stopWords } from "./words.ts";

const PAGE_ROWS = 100;
type Leads = Awaited<ReturnType<typeof loadLeads>>;
type Lead = Leads["data"][number];
function loadLeads(id: string, offset: number) {
  const search = filter("search");
  const query = { limit: PAGE_ROWS, offset, ...filters(), ...(search === "" ? {} : { search }) };
  return api().listCampaignLeads({ id, ...query });
}

export function CampaignLeadsPage({ id }: { id: string }) {
  return (
    <CampaignFrame id={id}>
      {(campaign, { reload }) => <Leads campaign={campaign} onSettled={reload} />}
    </CampaignFrame>
  );
}

const curlOf = (id: string) =>
  curl("POST", `/campaigns/${id}/leads`, {
    leads: [{ email: "ann@example.com", first_name: "Ann" }],
  });

function Leads(props: { campaign: CampaignDetail; onSettled: () => void }) {
  const { campaign, onSettled } = props;
  const { id } = campaign;
  const selected = useSignal<Selected>(new Set());
  const total = useSignal<number | undefined>(undefined);
  const isCapped = useSignal(false);
  const explained = useSignal<Lead | undefined>(undefined);
  const turn = useSignal(0);
  /** Other filters find others: nothing stays chosen, and how many there are is not known. */
  const forget = () => {
    selected.value = new Set();
    total.value = undefined;
  };
  const isFiltered = Object.keys(filters()).length > 0 || filter("search") !== "";
  const settled = () => {
    turn.value += 1;
    onSettled();
  };
  return (
    <div class="grid">
      <OnHold campaign={campaign} onDone={settled} />
      <Card flush span={12}>
        <Filters id={id} onChange={forget} />
        <Selection
          {...{ id, selected, total }}
          isCapped={isCapped.value}
          onDone={() => {
            selected.value = new Set();
            settled();
          }}
        />
        {total.value === 0 ? (
          <NoLeads id={id} isFiltered={isFiltered} onClear={forget} />
        ) : (
          <LongTable
            key={JSON.stringify({ ...filters(), search: filter("search") })}
            label="Leads in this campaign"
            families={["lead", "email", "reply"]}
            load={async (offset) => {
              turn.value;
              const page = await loadLeads(id, offset);
              total.value = page.total;
              isCapped.value = page.total_is_capped;
              return page;
            }}
            columns={columnsOf(selected, explained)}
          />
        )}
        {explained.value !== undefined && (
          <Why
            campaignId={id}
            lead={explained.value}
            onClose={() => {
              explained.value = undefined;
            }}
          />
        )}
      </Card>
    </div>
  );
}

/** `explained` is the lead whose place is asked about. */
function columnsOf(
  selected: Signal<Selected>,
  explained: Signal<Lead | undefined>,
): Column<Lead>[] {
  return [
    ...(can("leads:write")
      ? [
          {
            title: "Selected",
            cell: (lead: Lead) => <Choice lead={lead} selected={selected} />,
            track: [20, 0] as const,
          },
        ]
      : []),
    {
      title: "Lead",
      track: [128, 2.4],
      cell: ({ lead_id, email }) => (
        <a href={to(`leads/${lead_id}`)} title={email}>
          {email}
        </a>
      ),
    },
    {
      title: "Status",
      track: STATUS_TRACK,
      cell: (lead) => <Pill tone={standingWord(lead).tone}>{standingWord(lead).name}</Pill>,
    },
    {
      title: "Reason",
      track: [110, 1.6],
      isMinor: true,
      cell: (lead) => (
        <button
          type="button"
          class="why"
          onClick={() => {
            explained.value = lead;
          }}
        >
          {whyOfLead(lead)}
        </button>
      ),
    },
    {
      title: "Step",
      isFigure: true,
      isMinor: true,
      track: [40, 0],
      cell: ({ current_step }) => count(current_step),
    },
    {
      title: "Last email",
      isMinor: true,
      cell: ({ last_sent_at: at }) => <span title={dateTime(at)}>{ago(at, now.value)}</span>,
      isFigure: true,
    },
  ];
}

/** In a few words, from the record alone. */
function whyOfLead(lead: Lead): string {
  if (lead.hold_reason !== null) {
    return holdWords(lead.hold_reason, lead.hold_detail);
  }
  if (lead.stop_reason !== null) {
    return stopWords(lead);
  }
  if (lead.next_attempt_at !== null) {
    return `Next email on or after ${dateTime(lead.next_attempt_at)}`;
  }
  return lead.status === "pending" ? "Waiting for its turn" : "See why";
}

function NoLeads(props: { id: string; isFiltered: boolean; onClear: () => void }) {
  const { id, isFiltered, onClear } = props;
  return isFiltered ? (
    <Empty
      icon="search"
      title="No matching leads"
      action={
        <Button
          onClick={() => {
            onClear();
            setFilters({ status: "", held: "", interest: "", search: "" });
          }}
        >
          Clear filters
        </Button>
      }
    >
      No leads in this campaign match these filters.
    </Empty>
  ) : (
    <Empty
      icon="leads"
      title="No leads yet"
      curl={curlOf(id)}
      action={
        can("leads:write") && (
          <a class="button primary" href={to(`campaigns/${id}/import`)}>
            Import leads
          </a>
        )
      }
    >
      Everyone this campaign emails is listed here, with their status and the reason for it.
    </Empty>
  );
}

function Filters({ id, onChange }: { id: string; onChange: () => void }) {
  return (
    <header class="lead-filters">
      <StatusPick onChange={onChange} />
      <FilterPick
        label="On hold"
        isBare
        name="held"
        any="On hold or not"
        options={HOLD_REASONS.map((name) => [name, HOLDS[name]])}
        onChange={onChange}
      />
      <InterestPick onChange={onChange} />
      <SearchField placeholder="Email or name…" onChange={onChange} />
      {can("leads:write") && (
        <a class="button" href={to(`campaigns/${id}/import`)}>
          Import leads
        </a>
      )}
    </header>
  );
}

/** Asks the planner, which knows what comes first. */
function Why(props: { campaignId: string; lead: Lead; onClose: () => void }) {
  const { campaignId, lead, onClose } = props;
  const said = useSignal<string | undefined>(undefined);
  const asked = useSignal(false);
  // What has ended has a reason, and nothing to come.
  const isOver = lead.stop_reason !== null;
  if (!asked.value && !isOver) {
    asked.value = true;
    api()
      .explainCampaignLead({ id: campaignId, leadId: lead.lead_id })
      .then(
        (answer) => {
          const next =
            answer.next_send_at === null
              ? ""
              : ` Next email ${answer.estimated ? "around " : ""}${dateTime(answer.next_send_at)}.`;
          // Of more than are counted the message speaks.
          const first = answer.ahead === AHEAD_COUNTED_MAX ? 0 : answer.ahead;
          const ahead = first ? ` ${plural(first, "new lead")} ahead of it.` : "";
          said.value = `${sentence(answer.message)}.${next}${ahead}`;
        },
        (cause: unknown) => {
          said.value = messageOf(cause);
        },
      );
  }
  return (
    <Dialog title={`Status of ${lead.email}`} onClose={onClose}>
      {!isOver && <p>{said.value ?? "Checking the schedule…"}</p>}
      <p class={isOver ? "" : "quiet"}>{whyOfLead(lead).replace(/\.?$/, ".")}</p>
      <div class="actions">
        <a class="button" href={to(`leads/${lead.lead_id}`)}>
          Open lead
        </a>
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
