/** Every page of the console and its address. */

import type { ComponentChildren } from "preact";
import { match, to } from "./lib/route.ts";
import { CAMPAIGN_PAGES } from "./pages/campaigns.tsx";
import { InboxPage } from "./pages/inbox/page.tsx";
import { LeadPage } from "./pages/leads/detail.tsx";
import { ImportPage, ImportStartPage } from "./pages/leads/import.tsx";
import { LeadsPage } from "./pages/leads/list.tsx";
import { OverviewPage } from "./pages/overview/page.tsx";
import { AreaComing, createArea, type Pages } from "./parts/form/area.tsx";
import { Empty, Page } from "./parts/page.tsx";

const PAGES: Pages = [
  ["", () => <OverviewPage />],
  ...CAMPAIGN_PAGES,
  ["inbox", () => <InboxPage id="" />],
  ["inbox/:id", ({ id = "" }) => <InboxPage id={id} />],
  ["import", () => <ImportStartPage />],
  ["campaigns/:id/import", ({ id = "" }) => <ImportPage key={id} id={id} />],
  ["leads", () => <LeadsPage />],
  ["leads/:id", ({ id = "" }) => <LeadPage key={id} id={id} />],
];

/** First words of addresses whose pages are loaded when the first of them is opened, or after all else. */
const LATER: readonly string[] = [
  "experiments",
  "placement",
  "accounts",
  "simulator",
  "suppressions",
  "tasks",
  "developers",
  "activity",
  "settings",
];
const area = createArea(async () => {
  const { LATER_PAGES } = await import("./pages/later.tsx");
  return LATER_PAGES;
});

/** Loads what has not been opened yet, so that it opens at once. */
export const loadLater = area.load;

export function pageAt(place: string): ComponentChildren {
  const pages = LATER.includes(place.split("/")[0] ?? "") ? area.pages.value : PAGES;
  if (pages === undefined) {
    return <AreaComing area={area} />;
  }
  for (const [pattern, page] of pages) {
    const values = match(pattern, place);
    if (values !== undefined) {
      return page(values);
    }
  }
  return (
    <Page title="Page not found">
      <Empty
        icon="search"
        title={location.pathname}
        action={
          <a class="button" href={to("")}>
            Go to overview
          </a>
        }
      >
        The link may be incomplete, or the page has moved.
      </Empty>
    </Page>
  );
}
