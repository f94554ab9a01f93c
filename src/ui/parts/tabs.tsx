/** Pages beside each other, each with an address of its own. */

import { place, to } from "../lib/route.ts";

interface Tab {
  page: string;
  title: string;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map(({ page, title }) => (
        <a key={page} href={to(page)} aria-current={place.value === page ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
