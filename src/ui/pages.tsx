/** Every page of the console and its address. */

import type { ComponentChildren } from "preact";
import { match, to } from "./lib/route.ts";
import { BUILD_PAGES } from "./pages/build.tsx";
import { CAMPAIGN_PAGES } from "./pages/campaigns.tsx";
import { IMPROVE_PAGES } from "./pages/improve.tsx";
import { InboxPage } from "./pages/inbox/page.tsx";
import { LeadPage } from "./pages/leads/detail.tsx";
import { ImportPage, ImportStartPage } from "./pages/leads/import.tsx";
import { LeadsPage } from "./pages/leads/list.tsx";
import { OverviewPage } from "./pages/overview/page.tsx";
import { SuppressionsPage } from "./pages/suppressions.tsx";
import { TasksPage } from "./pages/tasks.tsx";
import { Empty } from "./parts/page.tsx";

type Values = Readonly<Record<string, string>>;

const PAGES: readonly [pattern: string, page: (values: Values) => ComponentChildren][] = [
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
  ...IMPROVE_PAGES,
  ...BUILD_PAGES,
];

export function pageAt(place: string): ComponentChildren {
  for (const [pattern, page] of PAGES) {
    const values = match(pattern, place);
    if (values !== undefined) {
      return page(values);
    }
  }
  return (
    <Empty
      icon="search"
      title="There is no page here"
      action={
        <a class="button" href={to("")}>
          Go to the overview
        </a>
      }
    >
      The address may have been cut short, or the page has moved.
    </Empty>
  );
}
