/** Every page of the console and its address. */

import type { ComponentChildren } from "preact";
import { match, to } from "./lib/route.ts";
import { CampaignsPage } from "./pages/campaigns.tsx";
import { LeadsPage } from "./pages/leads.tsx";
import { OverviewPage } from "./pages/overview.tsx";
import { Empty } from "./parts/page.tsx";

type Values = Readonly<Record<string, string>>;

const PAGES: readonly [pattern: string, page: (values: Values) => ComponentChildren][] = [
  ["", () => <OverviewPage />],
  ["campaigns", () => <CampaignsPage />],
  ["leads", () => <LeadsPage />],
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
