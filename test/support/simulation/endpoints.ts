/**
 * Endpoints of webhooks in a simulation: they fail as the weather wills, by a hash that no draw is spent
 * on, and remember what they have taken. A process may die before one is asked, and after it has taken.
 */

import { typesWanted } from "#domain/events/event.ts";
import { hash01 } from "#domain/random.ts";
import type { Caller, Environment } from "#environment.ts";
import type { Http } from "#platform/ports/http.ts";
import { checkDeliveries } from "#usecases/events/check-deliveries.ts";
import { createWebhook } from "#usecases/events/webhooks.ts";
import type { Life } from "./life.ts";
import type { Tally } from "./tally.ts";

export interface Endpoints {
  /** How many of all requests fail, 0 to 1. */
  failing: number;
  /** Ids of events that an endpoint has taken, by URL. */
  taken: Map<string, Set<string>>;
  port(life: Life): Http;
}

export function createEndpoints(seed: number, tally: Tally): Endpoints {
  let requests = 0;
  const endpoints: Endpoints = {
    failing: 0,
    taken: new Map(),
    port: (life) => ({
      check: () => null,
      post: async ({ url, headers }) => {
        await life.pass();
        requests += 1;
        const luck = hash01(seed, "endpoint", requests);
        tally.webhook += luck < endpoints.failing ? 1 : 0;
        if (luck < endpoints.failing / 2) {
          return { kind: "failed", reason: "timeout" };
        }
        if (luck < endpoints.failing) {
          return { kind: "answered", status: 503, retryAfter: "30", excerpt: "" };
        }
        const taken = endpoints.taken.get(url) ?? new Set();
        endpoints.taken.set(url, taken.add(headers["webhook-id"] ?? ""));
        await life.pass();
        return { kind: "answered", status: 200, retryAfter: null, excerpt: "" };
      },
    }),
  };
  return endpoints;
}

/** One that wants everything, and one that wants a part. */
export async function addWebhooks(env: Environment, caller: Caller): Promise<void> {
  const wanted = { all: ["*"], part: ["email.*", "lead.status_changed"] };
  for (const [name, events] of Object.entries(wanted)) {
    const url = `https://${name}.example.com/`;
    await env.commit(() => createWebhook(env, caller, { url, events, active: true }));
  }
}

interface Row {
  url: string;
  events: string;
  event: string;
  type: string;
  status: string;
}

/** Deliveries that broke a promise; with `ended` also those that are still under way. */
export function checkTold(
  env: Environment,
  teamId: string,
  endpoints: Endpoints,
  ended: boolean,
): string[] {
  const { missing, stranded } = checkDeliveries(env, teamId);
  const rows = env.db.raw
    .query<Row, []>(
      `select w.url, w.events, lower(hex(e.id)) event, e.type, d.status from deliveries d
       join webhooks w on w.id = d.webhook_id join events e on e.seq = d.event_seq`,
    )
    .all();
  const takenBy = new Map(
    [...endpoints.taken].map(([url, ids]) => {
      return [url, new Set([...ids].map((id) => id.replaceAll("-", "")))];
    }),
  );
  const wrong = rows.flatMap(({ url, events, event, type, status }) => {
    const unwanted = !typesWanted(JSON.parse(events)).some((kind) => kind === type);
    const untrue = status === "succeeded" && !takenBy.get(url)?.has(event);
    const open = ended && status !== "succeeded";
    return unwanted || untrue || open ? [`${type} for ${url} is ${status}`] : [];
  });
  return [
    ...(missing > 0 ? [`${missing} events were never queued`] : []),
    ...(stranded > 0 ? [`${stranded} deliveries wait for nothing`] : []),
    ...wrong,
  ];
}
