/** Campaigns: what runs, how far each is, and why one does not send. */

import type { Campaign, CampaignDetail, CampaignStats } from "#client.ts";
import { CAMPAIGN_STATUSES } from "#domain/campaigns/campaign.ts";
import { Spark } from "../../charts/spark.tsx";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { FILTER_FIELDS } from "../../lib/filter-fields.ts";
import { count, dateTime, percent, plural } from "../../lib/format.ts";
import { filter, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { SearchField } from "../../parts/form/search-field.tsx";
import { Menu } from "../../parts/menu.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { CampaignActions } from "./actions.tsx";
import { readCampaign, readStats } from "./data.ts";
import { Progress } from "./progress.tsx";
import { PAUSE_REASONS, SENDING, STATUSES } from "./words.ts";

const PAGE_ROWS = 25;

const CURL = curl("POST", "/campaigns", { name: "Warehouses in Rotterdam" });

interface Row extends Campaign {
  stats: CampaignStats;
  detail: CampaignDetail;
  days: readonly { sent: number }[];
}

async function loadRows(status: string, search: string, offset: number) {
  const wanted = CAMPAIGN_STATUSES.find((each) => each === status);
  const asked = { limit: PAGE_ROWS, offset, status: wanted };
  const page = await api().listCampaigns(search === "" ? asked : { ...asked, filter: search });
  const rows = await Promise.all(
    page.data.map(async (campaign): Promise<Row> => {
      const { id } = campaign;
      const timezone = campaign.send_window.timezone;
      const [stats, detail, { days }] = await Promise.all([
        readStats(id),
        readCampaign(id),
        api().getStats({ campaign_id: id, timezone }),
      ]);
      return { ...campaign, stats, detail, days };
    }),
  );
  return { rows, total: page.total };
}

export function CampaignsPage() {
  const list = useData(
    () => loadRows(filter("status"), filter("search"), Number(filter("from")) || 0),
    ["campaign", "email", "reply"],
  );
  return (
    <Page
      title="Campaigns"
      about="What’s running, how far along it is, and what’s holding it up"
      actions={
        can("campaigns:write") && (
          <a class="button primary" href={to("campaigns/new")}>
            New campaign
          </a>
        )
      }
    >
      <div class="lead-filters">
        <StatusTabs />
        <SearchField
          placeholder="Search, or filter: name:spring"
          fields={FILTER_FIELDS.campaigns}
          onChange={() => setFilters({ from: "" })}
        />
      </div>
      <Card flush>
        <Loaded data={list}>
          {({ rows, total }) => (
            <>
              {rows.length === 0 ? (
                <NoCampaigns />
              ) : (
                <Rows rows={rows} total={total} onDone={list.reload} />
              )}
            </>
          )}
        </Loaded>
      </Card>
    </Page>
  );
}

function StatusTabs() {
  const selected = filter("status");
  const names = ["", ...CAMPAIGN_STATUSES] as const;
  return (
    <fieldset class="segments">
      <legend class="unseen">Status</legend>
      {names.map((status) => (
        <button
          key={status}
          type="button"
          class="segment"
          aria-pressed={selected === status}
          onClick={() => setFilters({ status, from: "" })}
        >
          {status === "" ? "All" : STATUSES[status].name}
        </button>
      ))}
    </fieldset>
  );
}

function NoCampaigns() {
  const status = CAMPAIGN_STATUSES.find((name) => name === filter("status"));
  if (filter("search") !== "") {
    return (
      <Empty
        icon="search"
        title="No matching campaigns"
        action={
          <Button onClick={() => setFilters({ search: "", status: "" })}>Show all campaigns</Button>
        }
      >
        No campaigns match your search.
      </Empty>
    );
  }
  if (status !== undefined) {
    return (
      <Empty
        icon="campaigns"
        title={`No ${STATUSES[status].name.toLowerCase()} campaigns`}
        action={<Button onClick={() => setFilters({ status: "" })}>Show all campaigns</Button>}
      >
        This list shows only one status. Your other campaigns may have another.
      </Empty>
    );
  }
  return (
    <Empty
      icon="campaigns"
      title="No campaigns yet"
      curl={CURL}
      action={
        can("campaigns:write") && (
          <a class="button primary" href={to("campaigns/new")}>
            Create campaign
          </a>
        )
      }
    >
      A campaign is a sequence of emails, the leads who get them, and the hours when they’re sent.
    </Empty>
  );
}

function Rows(props: { rows: readonly Row[]; total: number; onDone: () => void }) {
  const { rows, total, onDone } = props;
  return (
    <>
      <Table
        label="Campaigns"
        rows={rows}
        columns={[
          { title: "Campaign", cell: (row) => <Name row={row} /> },
          {
            title: "Leads",
            cell: ({ stats }) => (
              <>
                <Progress stats={stats} />
                {stats.enrolled > 0 && <p class="small quiet">{plural(stats.enrolled, "lead")}</p>}
              </>
            ),
          },
          { title: "Sent today", cell: (row) => <Today row={row} />, isFigure: true },
          {
            title: "Last 30 days",
            cell: ({ days }) => <Spark label="Sent" values={days.map(({ sent }) => sent)} />,
          },
          { title: "Reply rate", cell: ({ stats }) => <Rate stats={stats} />, isFigure: true },
          {
            title: "Next email",
            cell: ({ detail }) => dateTime(detail.next_send_at),
            isFigure: true,
          },
          ...(can("campaigns:write") ? [actionsOf(onDone)] : []),
        ]}
      />
      <Pager shown={rows.length} total={total} />
    </>
  );
}

function actionsOf(onDone: () => void): Column<Row> {
  return {
    title: "Actions",
    cell: (row) => (
      <Menu label={`Actions for ${row.name}`}>
        <CampaignActions campaign={row} onDone={onDone} isCompact />
      </Menu>
    ),
  };
}

function Name({ row }: { row: Row }) {
  return (
    <div class="campaign-name">
      <a href={to(`campaigns/${row.id}`)}>{row.name}</a>
      <p class="small quiet">
        <Pill tone={STATUSES[row.status].tone}>{STATUSES[row.status].name}</Pill>
        <span>{whyOf(row.detail)}</span>
        {row.on_hold.total > 0 && (
          <a href={to(`campaigns/${row.id}/leads`)}>{plural(row.on_hold.total, "lead")} on hold</a>
        )}
      </p>
    </div>
  );
}

/** Why a campaign does or does not send, in a few words; nothing where its status says it all. */
export function whyOf({
  status,
  status_reason: reason,
  sending_status: sending,
}: Pick<CampaignDetail, "status" | "status_reason" | "sending_status">): string {
  if (status === "paused") {
    return reason === null || reason === "manual" ? "" : PAUSE_REASONS[reason];
  }
  return status === "active" ? SENDING[sending] : "";
}

function Today({ row: { days, daily_limit: limit, max_leads_per_day: newLeads } }: { row: Row }) {
  const sent = days.at(-1)?.sent ?? 0;
  return limit === null ? (
    <span title={`Up to ${plural(newLeads, "new lead")} a day, no limit on emails`}>
      {count(sent)}
    </span>
  ) : (
    <span title={`${count(sent)} of ${plural(limit, "email")} today`}>
      {count(sent)} of {count(limit)}
    </span>
  );
}

function Rate({ stats }: { stats: CampaignStats }) {
  return (
    <span title={`${count(stats.replied)} of ${plural(stats.contacted, "lead")} emailed replied`}>
      {percent(stats.reply_rate)}
    </span>
  );
}

function Pager({ shown, total }: { shown: number; total: number }) {
  const from = Number(filter("from")) || 0;
  if (total <= PAGE_ROWS) {
    return null;
  }
  const step = (offset: number) => setFilters({ from: offset === 0 ? "" : String(offset) });
  return (
    <footer class="pager small">
      <span class="quiet">
        {count(from + 1)} to {count(from + shown)} of {count(total)}
      </span>
      <Button
        look="compact"
        disabled={from === 0}
        onClick={() => step(Math.max(0, from - PAGE_ROWS))}
      >
        Previous
      </Button>
      <Button
        look="compact"
        disabled={from + shown >= total}
        onClick={() => step(from + PAGE_ROWS)}
      >
        Next
      </Button>
    </footer>
  );
}
