/** The head of every page of one campaign: its name, its status and why, what can be done, its pages. */

import type { ComponentChildren } from "preact";
import type { CampaignDetail } from "#client.ts";
import { type Data, useData } from "../../lib/data.ts";
import { dateTime, words } from "../../lib/format.ts";
import { place } from "../../lib/route.ts";
import { Failed, Loading, Page, Pill } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { CampaignActions } from "./actions.tsx";
import { readCampaign } from "./data.ts";
import { whyOf } from "./list.tsx";
import { STATUSES } from "./words.ts";

const TITLES: Readonly<Record<string, string>> = { "": "Summary", "/check": "Launch checklist" };

const pagesOf = (id: string) =>
  ["", "/sequence", "/leads", "/schedule", "/rules", "/check"].map((page) => ({
    page: `campaigns/${id}${page}`,
    title: TITLES[page] ?? words(page.slice(1)),
  }));

export function CampaignFrame(props: {
  id: string;
  children: (campaign: CampaignDetail, data: Data<CampaignDetail>) => ComponentChildren;
}) {
  const { id } = props;
  const campaign = useData(() => readCampaign(id), ["campaign", "email"]);
  const { value, error } = campaign;
  if (value === undefined) {
    return (
      <Page title="Campaign">
        {error === undefined ? <Loading /> : <Failed error={error} retry={campaign.reload} />}
      </Page>
    );
  }
  const tabs = pagesOf(id);
  return (
    <Page
      title={value.name}
      part={tabs.find(({ page }) => page === place.value)?.title}
      badge={<Pill tone={STATUSES[value.status].tone}>{STATUSES[value.status].name}</Pill>}
      about={<Why campaign={value} />}
      actions={<CampaignActions campaign={value} onDone={campaign.reload} />}
    >
      <Tabs label="Campaign pages" tabs={tabs} />
      <div data-stale={campaign.isStale || undefined}>{props.children(value, campaign)}</div>
    </Page>
  );
}

function Why({ campaign }: { campaign: CampaignDetail }) {
  const { status, started_at: startedAt, next_send_at: next } = campaign;
  const why = whyOf(campaign);
  const parts = [
    why,
    next === null ? "" : `Next email ${dateTime(next)}`,
    startedAt === null ? "Not started yet" : `Started ${dateTime(startedAt)}`,
    status === "completed" ? "No leads left to email" : "",
  ];
  return <>{parts.filter((part) => part !== "").join(" · ")}</>;
}
