/** What the pages of settings have in common. */

import type { ComponentChildren } from "preact";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";

const TABS = [
  { page: "settings/team", title: "Team" },
  { page: "settings/members", title: "Members" },
  { page: "settings/you", title: "You" },
  { page: "settings/sending", title: "Sending rules" },
  { page: "settings/replies", title: "Canned replies" },
  { page: "settings/billing", title: "Billing", scope: "billing:read" },
  { page: "settings/backups", title: "Backups", scope: "operator" },
  { page: "settings/system", title: "System", scope: "operator" },
];

export function SettingsPage(props: {
  title: string;
  about: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <Page {...props}>
      <Tabs label="Settings" tabs={TABS} />
      {props.children}
    </Page>
  );
}
