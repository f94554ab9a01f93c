/** Addresses of the pages for developers, of the activity log and of settings. */

import type { ComponentChildren } from "preact";
import { can } from "../lib/session.ts";
import { Allowed } from "../parts/allowed.tsx";
import { Redirect } from "../parts/redirect.tsx";
import { ActivityPage } from "./activity.tsx";
import { EventsPage } from "./developers/events.tsx";
import { KeysPage } from "./developers/keys.tsx";
import { ReferencePage } from "./developers/reference.tsx";
import { RequestsPage } from "./developers/requests.tsx";
import { WebhookPage } from "./developers/webhook.tsx";
import { WebhooksPage } from "./developers/webhooks.tsx";
import { BackupsPage } from "./settings/backups.tsx";
import { BillingPage } from "./settings/billing.tsx";
import { DeletedPage } from "./settings/deleted.tsx";
import { FilesPage } from "./settings/files.tsx";
import { MembersPage } from "./settings/members.tsx";
import { RepliesPage } from "./settings/replies.tsx";
import { SendingPage } from "./settings/sending.tsx";
import { SystemPage } from "./settings/system.tsx";
import { TeamPage } from "./settings/team.tsx";
import { YouPage } from "./settings/you.tsx";

/** A page for who has `scope`; the others are told that their role does not open it. */
function closed(scope: string, title: string, Shown: () => ComponentChildren) {
  return () => (
    <Allowed scope={scope} title={title}>
      <Shown />
    </Allowed>
  );
}

type Values = Readonly<Record<string, string>>;

export const BUILD_PAGES: readonly [string, (values: Values) => ComponentChildren][] = [
  [
    "developers",
    () => <Redirect page={can("keys:read") ? "developers/keys" : "developers/webhooks"} />,
  ],
  ["developers/keys", closed("keys:read", "API keys", KeysPage)],
  ["developers/webhooks", () => <WebhooksPage />],
  ["developers/webhooks/:id", ({ id = "" }) => <WebhookPage key={id} id={id} />],
  ["developers/events", () => <EventsPage />],
  ["developers/requests", closed("audit:read", "Request log", RequestsPage)],
  ["developers/reference", () => <ReferencePage />],
  ["activity", closed("audit:read", "Activity", ActivityPage)],
  ["settings", () => <Redirect page="settings/team" />],
  ["settings/team", () => <TeamPage />],
  ["settings/members", () => <MembersPage />],
  ["settings/you", () => <YouPage />],
  ["settings/sending", () => <SendingPage />],
  ["settings/replies", () => <RepliesPage />],
  ["settings/files", () => <FilesPage />],
  ["settings/deleted", () => <DeletedPage />],
  ["settings/billing", closed("billing:read", "Billing", BillingPage)],
  ["settings/backups", closed("operator", "Backups", BackupsPage)],
  ["settings/system", closed("operator", "System", SystemPage)],
];
