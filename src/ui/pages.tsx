/** Every page of the console and its address. */

import type { ComponentChildren } from "preact";
import { match, to } from "./lib/route.ts";
import { CAMPAIGN_PAGES } from "./pages/campaigns.tsx";
import { InboxPage } from "./pages/inbox/page.tsx";
import { LeadPage } from "./pages/leads/detail.tsx";
import { ImportPage, ImportStartPage } from "./pages/leads/import.tsx";
import { LeadsPage } from "./pages/leads/list.tsx";
import { OverviewPage } from "./pages/overview/page.tsx";
import { SuppressionsPage } from "./pages/suppressions.tsx";
import { TasksPage } from "./pages/tasks.tsx";
import { AreaComing, createArea, type Pages } from "./parts/area.tsx";
import { Empty, Page } from "./parts/page.tsx";

const PAGES: Pages = [
  ["", () => <OverviewPage />],
  ...CAMPAIGN_PAGES,
  ["suppressions", () => <SuppressionsPage />],
  ["tasks", () => <TasksPage />],
  ["inbox", () => <InboxPage id="" />],
  ["inbox/:id", ({ id = "" }) => <InboxPage id={id} />],
  ["import", () => <ImportStartPage />],
  ["campaigns/:id/import", ({ id = "" }) => <ImportPage key={id} id={id} />],
  ["leads", () => <LeadsPage />],
  ["leads/:id", ({ id = "" }) => <LeadPage key={id} id={id} />],
];

/** Pages that are loaded when the first of them is opened, or when there is nothing else to do. */
const LATER = [
  createArea(["experiments", "placement", "accounts", "simulator"], async () => {
    const { IMPROVE_PAGES } = await import("./pages/improve.tsx");
    return IMPROVE_PAGES;
  }),
  createArea(["developers", "activity", "settings"], async () => {
    const { BUILD_PAGES } = await import("./pages/build.tsx");
    return BUILD_PAGES;
  }),
];

/** Loads what has not been opened yet, so that it opens at once. */
export function loadLater(): void {
  for (const area of LATER) {
    area.load();
  }
}

export function pageAt(place: string): ComponentChildren {
  const area = LATER.find(({ words }) => words.includes(place.split("/")[0] ?? ""));
  const pages = area === undefined ? PAGES : area.pages.value;
  if (pages === undefined) {
    return area && <AreaComing area={area} />;
  }
  for (const [pattern, page] of pages) {
    const values = match(pattern, place);
    if (values !== undefined) {
      return page(values);
    }
  }
  return (
    <Page title="There is no page here">
      <Empty
        icon="search"
        title={location.pathname}
        action={
          <a class="button" href={to("")}>
            Go to the overview
          </a>
        }
      >
        The address may have been cut short, or the page has moved.
      </Empty>
    </Page>
  );
}
