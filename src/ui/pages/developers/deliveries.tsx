/** Deliveries of a webhook with every attempt, and sending one again. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { WebhookDelivery } from "#client.ts";
import { api } from "../../lib/api.ts";
import { useData } from "../../lib/data.ts";
import { count, NONE } from "../../lib/format.ts";
import { filter, setFilters } from "../../lib/route.ts";
import { can } from "../../lib/session.ts";
import { Button } from "../../parts/button.tsx";
import { Code } from "../../parts/copy.tsx";
import { FilterPick } from "../../parts/form/pick.tsx";
import { Card, Empty, Loaded, Pill, type Tone } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import { told } from "../../parts/toasts.tsx";
import { When } from "../../parts/when.tsx";
import { eventName } from "./webhooks.tsx";

const STATES: readonly { status: WebhookDelivery["status"]; title: string; tone: Tone }[] = [
  { status: "pending", title: "Pending", tone: "warn" },
  { status: "succeeded", title: "Delivered", tone: "good" },
  { status: "failed", title: "Failed", tone: "bad" },
];

export const ERRORS: Readonly<Record<string, string>> = {
  dns: "Host name not found",
  address_not_allowed: "The host name points to a private address",
  refused: "Connection refused",
  tls: "Invalid TLS certificate",
  timeout: "Timed out",
  closed: "Connection lost",
  protocol: "Not an HTTP response",
  too_large: "Response too large",
  status: "Error response",
  internal: "Failed on our side",
};

const PAGE_ROWS = 50;
/** After the time at which a delivery is due. */
const LOOK_MS = 2000;

export function Deliveries({ webhookId }: { webhookId: string }) {
  const opened = filter("delivery");
  const rows = useData(() => {
    const status = STATES.find((state) => state.status === filter("status"))?.status;
    const after = filter("after");
    return api().listWebhookDeliveries({
      id: webhookId,
      limit: PAGE_ROWS,
      ...(status === undefined ? {} : { status }),
      ...(after === "" ? {} : { after }),
    });
  }, ["webhook", "email", "reply", "lead", "campaign"]);
  // A try is no event: where one is due it is looked at a moment later.
  const list = rows.value?.data;
  const dueAt = Math.min(...(list ?? []).map((row) => dueOf(row)));
  useEffect(() => {
    if (dueAt !== Number.POSITIVE_INFINITY) {
      const wait = Math.max(0, dueAt - Date.now()) + LOOK_MS;
      const timer = setTimeout(rows.reload, wait);
      return () => clearTimeout(timer);
    }
    return undefined;
  }, [list]);
  return (
    <Card title="Deliveries" flush>
      <div class="filters">
        <FilterPick
          label="Status"
          name="status"
          any="Any"
          options={STATES.map(({ status, title }) => [status, title])}
        />
      </div>
      <Loaded data={rows}>
        {({ data, total, next_cursor }) =>
          data.length === 0 ? (
            <Empty icon="developers" title="No deliveries">
              Events are delivered from now on. Send a test to see one.
            </Empty>
          ) : (
            <>
              <ul class="log">
                {data.map((delivery) => (
                  <li key={delivery.id}>
                    <details
                      open={opened === delivery.id}
                      onToggle={({ currentTarget }) => {
                        if (currentTarget.open !== (filter("delivery") === delivery.id)) {
                          setFilters({ delivery: currentTarget.open ? delivery.id : "" });
                        }
                      }}
                    >
                      <summary>
                        <When at={delivery.created_at} isWall />
                        <span class="what">
                          {eventName(delivery.event_type)} · {outcome(delivery)}
                        </span>
                        <State of={delivery.status} />
                      </summary>
                      {opened === delivery.id && (
                        <Detail
                          webhookId={webhookId}
                          id={delivery.id}
                          tried={`${delivery.attempt_count} ${delivery.status}`}
                          onSent={rows.reload}
                        />
                      )}
                    </details>
                  </li>
                ))}
              </ul>
              <Older next={next_cursor} total={total} />
            </>
          )
        }
      </Loaded>
    </Card>
  );
}

function dueOf({ next_attempt_at }: { next_attempt_at: string | null }): number {
  return next_attempt_at === null ? Number.POSITIVE_INFINITY : Date.parse(next_attempt_at);
}

function outcome(delivery: {
  last_status: number | null;
  last_error: string | null;
  attempt_count: number;
}): string {
  const { last_status, last_error, attempt_count } = delivery;
  const tries = attempt_count === 1 ? "1 attempt" : `${attempt_count} attempts`;
  if (last_status !== null) {
    return `HTTP ${last_status}, ${tries}`;
  }
  return last_error === null ? tries : `${ERRORS[last_error] ?? last_error}, ${tries}`;
}

function State({ of }: { of: string }) {
  const state = STATES.find(({ status }) => status === of);
  return <Pill tone={state?.tone ?? "plain"}>{state?.title ?? of}</Pill>;
}

/** Goes back in time; the first page has the newest. */
export function Older({ next, total }: { next: string | null; total: number }) {
  const isLater = filter("after") !== "";
  return (
    <p class="card-foot actions">
      {isLater && (
        <Button look="compact" onClick={() => setFilters({ after: "" })}>
          Newest
        </Button>
      )}
      {next !== null && (
        <Button look="compact" onClick={() => setFilters({ after: next })}>
          Older
        </Button>
      )}
      <span class="quiet small centred">{count(total)} total</span>
    </p>
  );
}

/** `tried` is another text after each try. */
function Detail(props: { webhookId: string; id: string; tried: string; onSent: () => void }) {
  const { webhookId, id, tried, onSent } = props;
  const isBusy = useSignal(false);
  const one = { id: webhookId, deliveryId: id };
  const detail = useData(() => api().getWebhookDelivery(one), ["webhook"]);
  useEffect(detail.reload, [tried]);
  const resend = async () => {
    isBusy.value = true;
    await told(api().replayWebhookDelivery(one), "Sending again");
    isBusy.value = false;
    detail.reload();
    onSent();
  };
  return (
    <div class="inside">
      <Loaded data={detail}>
        {({ attempts, payload, next_attempt_at }) => (
          <div class="stack">
            <Table
              label="Attempts"
              rows={attempts.map((attempt) => ({ id: String(attempt.number), ...attempt }))}
              columns={[
                { title: "Attempt", cell: ({ number }) => number },
                {
                  title: "When",
                  cell: ({ started_at }) => <When at={started_at} isWall />,
                },
                {
                  title: "Result",
                  cell: ({ status, error }) =>
                    status === null ? (ERRORS[error ?? ""] ?? NONE) : `HTTP ${status}`,
                },
                { title: "Response", cell: ({ response }) => <code>{response}</code> },
                {
                  title: "Duration",
                  cell: ({ duration_ms }) => `${count(duration_ms)} ms`,
                  isFigure: true,
                },
              ]}
            />
            {next_attempt_at !== null && (
              <p class="quiet small">
                Next attempt <When at={next_attempt_at} isWall />
              </p>
            )}
            <Code label="Payload" text={JSON.stringify(payload, null, 2)} />
            {can("webhooks:write") && (
              <div class="actions">
                <Button disabled={isBusy.value} onClick={resend}>
                  Send again
                </Button>
              </div>
            )}
          </div>
        )}
      </Loaded>
    </div>
  );
}
