/** Every page of the console and its address. */

import type { ComponentChildren } from "preact";
import { match, to } from "./lib/route.ts";
import { CAMPAIGN_PAGES } from "./pages/campaigns.tsx";
import { InboxPage } from "./pages/inbox/page.tsx";
import { LeadPage } from "./pages/leads/detail.tsx";
import { LeadsPage } from "./pages/leads/list.tsx";
import { OverviewPage } from "./pages/overview/page.tsx";
import { AreaComing, createArea, type Pages } from "./parts/form/area.tsx";
import { Empty, Page } from "./parts/page.tsx";

/** Those that come with the first script. */
const PAGES: Pages = [
  ["", () => <OverviewPage />],
  ...CAMPAIGN_PAGES,
  ["inbox", () => <InboxPage id="" />],
  ["inbox/:id", ({ id = "" }) => <InboxPage id={id} />],
  ["leads", () => <LeadsPage />],
  ["leads/:id", ({ id = "" }) => <LeadPage key={id} id={id} />],
];

/** An address that would be taken for one of them. */
const OF_LATER: readonly string[] = ["campaigns/new", "leads/duplicates"];

/** All others are loaded when the first of them is opened, or after all else. */
const area = createArea(async () => {
  const { LATER_PAGES } = await import("./pages/later.tsx");
  return LATER_PAGES;
});

/** Loads what has not been opened yet, so that it opens at once. */
export const loadLater = area.load;

function pageIn(pages: Pages, place: string): ComponentChildren | undefined {
  for (const [pattern, page] of pages) {
    const values = match(pattern, place);
    if (values !== undefined) {
      return page(values);
    }
  }
  return undefined;
}

export function pageAt(place: string): ComponentChildren {
  const first = OF_LATER.includes(place) ? undefined : pageIn(PAGES, place);
  if (first !== undefined) {
    return first;
  }
  const { value: later } = area.pages;
  if (later === undefined) {
    return <AreaComing area={area} />;
  }
  return pageIn(later, place) ?? <Lost />;
}

function Lost() {
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
