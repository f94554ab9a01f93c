/** What the pages for developers have in common. */

import type { ComponentChildren } from "preact";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";

const TABS = [
  { page: "developers/keys", title: "API keys", scope: "keys:read" },
  { page: "developers/webhooks", title: "Webhooks" },
  { page: "developers/events", title: "Events" },
  { page: "developers/requests", title: "Requests", scope: "audit:read" },
  { page: "developers/reference", title: "API reference" },
];

export function DevelopersPage(props: {
  title: string;
  about: string;
  badge?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <Page {...props}>
      <Tabs label="Developers" tabs={TABS} />
      {props.children}
    </Page>
  );
}
