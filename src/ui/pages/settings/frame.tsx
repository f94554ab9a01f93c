/** What the pages of settings have in common. */

import type { ComponentChildren } from "preact";
import { can } from "../../lib/session.ts";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";

const TABS = [
  { page: "settings/team", title: "Team" },
  { page: "settings/members", title: "Members" },
  { page: "settings/you", title: "You" },
  { page: "settings/sending", title: "Sending rules" },
  { page: "settings/billing", title: "Billing" },
];

/** Of the installation: only for who sees to it. */
const OPERATOR_TABS = [
  { page: "settings/backups", title: "Backups" },
  { page: "settings/system", title: "System" },
];

export function SettingsPage(props: {
  title: string;
  about: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <Page {...props}>
      <Tabs label="Settings" tabs={can("operator") ? [...TABS, ...OPERATOR_TABS] : TABS} />
      {props.children}
    </Page>
  );
}
