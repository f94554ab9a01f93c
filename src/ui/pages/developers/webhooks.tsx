/** Webhooks: where events are sent, and how the latest deliveries went. */

import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.ts";
import { curl } from "../../lib/curl.ts";
import { useData } from "../../lib/data.ts";
import { plural, words } from "../../lib/format.ts";
import { filter, go, setFilters, to } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { OnceDialog } from "../../parts/copy.tsx";
import { Card, Empty, Loaded, Page, Pill } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { When } from "../../parts/when.tsx";
import { WebhookForm } from "./webhook-form.tsx";

export interface Webhook {
  id: string;
  url: string;
  name: string | null;
  events: string[];
  secret: string;
  active: boolean;
  disabled_reason: string | null;
  failing_since: string | null;
  consecutive_failures: number;
  previous_secret_expires_at: string | null;
  created_at: string;
}

interface Made {
  id: string;
  secret: string;
}

export function WebhooksPage() {
  const webhooks = useData(() => api().listWebhooks({ limit: 100 }), ["webhook", "email", "reply"]);
  const made = useSignal<Made | undefined>(undefined);
  const button = can("webhooks:write") && (
    <Button look="primary" onClick={() => setFilters({ new: "1" })}>
      Add webhook
    </Button>
  );
  return (
    <Page
      title="Webhooks"
      about="Send events to your own URLs. Deliveries are signed, and retried for three days."
      actions={button}
    >
      <Card flush>
        <Loaded data={webhooks}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty
                icon="developers"
                title="No webhooks yet"
                action={button}
                curl={curl("POST", "/webhooks", {
                  url: "https://example.com/hooks",
                  events: ["reply.*"],
                })}
              >
                A webhook sends a POST request to your URL for each event, such as a reply, a
                bounce, or an interested lead.
              </Empty>
            ) : (
              <WebhookTable webhooks={data} />
            )
          }
        </Loaded>
      </Card>
      {filter("new") === "1" && can("webhooks:write") && (
        <WebhookForm
          title="Add webhook"
          action="Add webhook"
          save={async (input) => {
            const { id, secret } = await api().createWebhook({
              body: { ...input, headers: setIn(input.headers) },
            });
            setFilters({ new: "" });
            webhooks.reload();
            made.value = { id, secret };
          }}
          onClose={() => setFilters({ new: "" })}
        />
      )}
      {made.value && <MadeSecret {...made.value} />}
    </Page>
  );
}

/** Headers of a new webhook: there are none to remove. */
function setIn(headers: Readonly<Record<string, string | null>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}

function MadeSecret({ id, secret }: Made) {
  const leave = () => go(to(`developers/webhooks/${id}`));
  return (
    <OnceDialog
      title="Copy the signing secret"
      label="Signing secret"
      value={secret}
      onClose={leave}
    >
      Your program uses it to verify that a delivery came from Outrider. The webhook’s page has
      sample code.
    </OnceDialog>
  );
}

function WebhookTable({ webhooks }: { webhooks: readonly Webhook[] }) {
  return (
    <Table
      label="Webhooks"
      rows={webhooks}
      columns={[
        {
          title: "URL",
          cell: ({ id, url, name }) => (
            <>
              <a href={to(`developers/webhooks/${id}`)}>{name ?? url}</a>
              {name !== null && <p class="faint">{url}</p>}
            </>
          ),
        },
        { title: "Events", cell: ({ events }) => toldOf(events) },
        { title: "Status", cell: (webhook) => <WebhookState of={webhook} /> },
        { title: "Latest deliveries", cell: ({ id }) => <Strip webhookId={id} /> },
        {
          title: "Added",
          cell: ({ created_at }) => <When at={created_at} />,
          isFigure: true,
        },
      ]}
    />
  );
}

export function toldOf(events: readonly string[]): string {
  if (events.includes("*")) {
    return "All events";
  }
  const [first = ""] = events;
  if (events.length <= 2) {
    return events.map(eventName).join(", ");
  }
  return `${eventName(first)} and ${plural(events.length - 1, "other type")}`;
}

/** `email.*` is "Email: all", `lead.status_changed` "Lead: status changed". */
export function eventName(type: string): string {
  const [family = "", kind = ""] = type.split(".");
  return `${words(family)}: ${kind === "*" ? "all" : kind.replaceAll("_", " ")}`;
}

export function WebhookState({ of }: { of: Webhook }) {
  if (!of.active) {
    const why = {
      gone: "Off: it responded 410 Gone",
      failing: "Off: failed for five days",
    }[of.disabled_reason ?? ""];
    return <Pill tone={why === undefined ? "plain" : "bad"}>{why ?? "Off"}</Pill>;
  }
  return of.failing_since === null ? (
    <Pill tone="good">On</Pill>
  ) : (
    <Pill tone="warn">Failing: {plural(of.consecutive_failures, "attempt")} in a row</Pill>
  );
}

const STRIP_DELIVERIES = 30;

/** The latest deliveries, the newest at the right. */
export function Strip({ webhookId }: { webhookId: string }) {
  const deliveries = useData(
    () => api().listWebhookDeliveries({ id: webhookId, limit: STRIP_DELIVERIES }),
    ["webhook", "email", "reply", "lead"],
  );
  const shown = deliveries.value?.data.toReversed() ?? [];
  if (shown.length === 0) {
    return <span class="faint">{deliveries.isFirst ? "" : "None yet"}</span>;
  }
  const failed = shown.filter(({ status }) => status === "failed").length;
  const waiting = shown.filter(({ status }) => status === "pending").length;
  const label = `Latest ${plural(shown.length, "delivery", "deliveries")}: ${failed} failed, ${waiting} pending`;
  return (
    <span class="strip" role="img" aria-label={label} title={label}>
      {shown.map(({ id, status }) => (
        <i key={id} data-tone={{ succeeded: "good", failed: "bad", pending: "warn" }[status]} />
      ))}
    </span>
  );
}
