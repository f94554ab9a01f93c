/** Pages beside each other, each with an address of its own. */

import { useLayoutEffect, useRef } from "preact/hooks";
import { place, to } from "../lib/route.ts";

/** What stays in sight of the tab before. */
const EDGE_PX = 40;

interface Tab {
  page: string;
  title: string;
}

export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const bar = useRef<HTMLElement>(null);
  // On a phone the page's own tab may be beyond the edge.
  useLayoutEffect(() => {
    const here = bar.current?.querySelector<HTMLElement>("[aria-current]");
    bar.current?.scrollTo({ left: (here?.offsetLeft ?? 0) - bar.current.offsetLeft - EDGE_PX });
  }, [place.value]);
  return (
    <nav class="tabs" aria-label={label} ref={bar}>
      {tabs.map(({ page, title }) => (
        <a key={page} href={to(page)} aria-current={place.value === page ? "page" : undefined}>
          {title}
        </a>
      ))}
    </nav>
  );
}
