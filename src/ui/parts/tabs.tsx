/** Sub-pages of a page, each with an address of its own. */

import { place, to } from "../lib/route.ts";
import { can } from "../lib/session.ts";

export interface Tab {
  page: string;
  title: string;
  /** What it takes to open it; nothing where it is left out. */
  scope?: string;
}

export function isOpen({ scope }: { scope?: string }): boolean {
  return scope === undefined || can(scope);
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  // The longest that fits: the page of `placement/seeds` lies below that of `placement`.
  const here = tabs
    .filter(({ page }) => place.value === page || place.value.startsWith(`${page}/`))
    .toSorted((a, b) => b.page.length - a.page.length)[0];
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.filter(isOpen).map((tab) => (
        <a key={tab.page} href={to(tab.page)} aria-current={tab === here ? "page" : undefined}>
          {tab.title}
        </a>
      ))}
    </nav>
  );
}
