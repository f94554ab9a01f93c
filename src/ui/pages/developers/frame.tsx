/** What the pages for developers have in common. */

import type { ComponentChildren } from "preact";
import { Page } from "../../parts/page.tsx";
import { Tabs } from "../../parts/tabs.tsx";

const TABS = [
  { page: "developers/keys", title: "Keys" },
  { page: "developers/webhooks", title: "Webhooks" },
  { page: "developers/events", title: "Events" },
  { page: "developers/requests", title: "Requests" },
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

/** How a command names this installation and a key, to be pasted after both were set. */
export function curl(method: string, path: string, body?: unknown): string {
  const lines = [
    `curl${method === "GET" ? "" : ` -X ${method}`} "$OUTRIDER_URL/api/v1${path}"`,
    `-H "Authorization: Bearer $OUTRIDER_KEY"`,
  ];
  if (body !== undefined) {
    lines.push(`-H "Content-Type: application/json"`, `-d '${quoted(JSON.stringify(body))}'`);
  }
  return lines.join(" \\\n  ");
}

/** For the inside of single quotes in a shell. */
function quoted(text: string): string {
  return text.replaceAll("'", `'\\''`);
}
