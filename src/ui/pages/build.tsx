/** Addresses of the pages for developers, of the activity log and of settings. */

import type { ComponentChildren } from "preact";
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
import { MembersPage } from "./settings/members.tsx";
import { SendingPage } from "./settings/sending.tsx";
import { SystemPage } from "./settings/system.tsx";
import { TeamPage } from "./settings/team.tsx";
import { YouPage } from "./settings/you.tsx";

type Values = Readonly<Record<string, string>>;

export const BUILD_PAGES: readonly [string, (values: Values) => ComponentChildren][] = [
  ["developers", () => <Redirect page="developers/keys" />],
  ["developers/keys", () => <KeysPage />],
  ["developers/webhooks", () => <WebhooksPage />],
  ["developers/webhooks/:id", ({ id = "" }) => <WebhookPage key={id} id={id} />],
  ["developers/events", () => <EventsPage />],
  ["developers/requests", () => <RequestsPage />],
  ["developers/reference", () => <ReferencePage />],
  ["activity", () => <ActivityPage />],
  ["settings", () => <Redirect page="settings/team" />],
  ["settings/team", () => <TeamPage />],
  ["settings/members", () => <MembersPage />],
  ["settings/you", () => <YouPage />],
  ["settings/sending", () => <SendingPage />],
  ["settings/billing", () => <BillingPage />],
  ["settings/backups", () => <BackupsPage />],
  ["settings/system", () => <SystemPage />],
];
