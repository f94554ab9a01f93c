/**
 * Checks a receiver: sends it the plan of `domain/events/webhook-check.ts`, one request after the other, and
 * reads its responses. In the sandbox only, because the events are made up; nothing is stored but an audit entry,
 * and the webhook's own deliveries and failures are not touched.
 */

import { EVENT_TYPES, type EventType, wantsEvent } from "#domain/events/event.ts";
import { EVENT_EXAMPLES } from "#domain/events/event-examples.ts";
import {
  CHECK_EVENTS,
  CHECK_PLAN,
  type CheckVerdict,
  type Observation,
  type PlannedRequest,
  readReport,
  type Sending,
  verdictsOf,
} from "#domain/events/webhook-check.ts";
import { conflict, Problem } from "#domain/problem.ts";
import { HOUR_MS, plus, SECOND_MS, type UnixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { newSecret, signedHeaders } from "#platform/http/webhook-signature.ts";
import { lastSeq } from "#store/events/events.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EventRow } from "#store/tables/events.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";
import { deliveryHeaders, presentEvent } from "./deliveries.ts";
import { includedIn } from "./included.ts";
import { audit } from "./record.ts";
import { requireWebhook, secretsOf } from "./webhooks.ts";

/** After this, nothing more is sent; a request under way may take its own 15 seconds. */
const CHECK_MS_MAX = 30 * SECOND_MS;
/** Requests in a row without a response after which it ends. */
const SILENCES_MAX = 2;
/** Between two events: eighteen of them fill a month. */
const EVENT_EVERY_MS = 40 * HOUR_MS;
const OLD_MS = HOUR_MS;

/** Teams whose receiver is being checked: one at a time. */
const underWay = new Set<Id>();

export interface CheckedWebhook {
  requests: number;
  verdicts: CheckVerdict[];
}

/** Throws `permission_error` in the live environment, `conflict` while another check of the team runs. */
export async function checkWebhook(
  env: Environment,
  caller: Caller,
  webhookId: Id,
): Promise<CheckedWebhook> {
  const webhook = requireWebhook(env, caller, webhookId);
  if (env.name !== "test") {
    throw new Problem(
      "permission_error",
      "the check sends made-up events, so it needs a test key; create a webhook with this URL in the sandbox",
    );
  }
  if (underWay.has(webhook.teamId)) {
    throw conflict("another check is running; wait until it ends, at most a minute");
  }
  underWay.add(webhook.teamId);
  try {
    const observations = await observe(env, webhook);
    const verdicts = verdictsOf(observations);
    await env.commit(() =>
      audit(env, caller, {
        action: "webhook.check",
        target: `webhook:${webhookId}`,
        after: Object.fromEntries(verdicts.map(({ check, verdict }) => [check, verdict])),
      }),
    );
    return { requests: observations.length, verdicts };
  } finally {
    underWay.delete(webhook.teamId);
  }
}

async function observe(env: Environment, webhook: WebhookRow): Promise<Observation[]> {
  const month = monthOf(env, webhook);
  const until = plus(env.wall.now(), CHECK_MS_MAX);
  const observations: Observation[] = [];
  let silences = 0;
  for (const planned of CHECK_PLAN) {
    const event = month[planned.event - 1];
    if (event === undefined || silences >= SILENCES_MAX || env.wall.now() > until) {
      break;
    }
    const outcome = await env.http.post(requestOf(env, webhook, event, planned));
    const isSilent = outcome.kind === "failed";
    silences = isSilent ? silences + 1 : 0;
    observations.push({
      ...planned,
      seq: event.seq,
      status: isSilent ? null : outcome.status,
      ...readReport(isSilent ? "" : outcome.excerpt),
    });
  }
  return observations;
}

/** Events that the webhook wants, of two leads that nobody knows. Their `seq` lies before that of the next real one. */
function monthOf(env: Environment, webhook: WebhookRow): EventRow[] {
  const wanted = EVENT_TYPES.filter(
    (type) => type !== "webhook.test" && wantsEvent(webhook.events, type),
  );
  const ofLeads = wanted.filter((type) => "lead_id" in EVENT_EXAMPLES[type]);
  const types: readonly EventType[] = ofLeads.length > 0 ? ofLeads : wanted;
  const now = env.clock.now();
  const leads = [env.ids.next(now), env.ids.next(now)];
  const before = Math.max(0, lastSeq(env.db) - CHECK_EVENTS);
  return Array.from({ length: CHECK_EVENTS }, (_, at): EventRow => {
    const type = types[at % types.length] ?? "webhook.test";
    const data = EVENT_EXAMPLES[type];
    const lead = leads[(at + 1) % leads.length];
    return {
      id: env.ids.next(now),
      seq: before + at + 1,
      teamId: webhook.teamId,
      type,
      createdAt: plus(now, (at - CHECK_EVENTS) * EVENT_EVERY_MS),
      data: { ...data, ...("lead_id" in data ? { lead_id: lead } : {}) },
    };
  });
}

function requestOf(
  env: Environment,
  webhook: WebhookRow,
  event: EventRow,
  { sending }: PlannedRequest,
) {
  const now = env.wall.now();
  const more = sending === "unknown_fields" ? { new_field: { of: "a later version" } } : {};
  const shown = { ...presentEvent(env, event), ...includedIn(env, webhook, event), ...more };
  const signedBody = JSON.stringify(shown);
  // The same JSON, other bytes: who signs what was parsed and written anew takes it.
  const body = sending === "altered_body" ? `${signedBody} ` : signedBody;
  const at = sending === "old_timestamp" ? plus(now, -OLD_MS) : now;
  const signed = signedHeaders(signingSecrets(env, webhook, now, sending), {
    id: event.id,
    at,
    body: signedBody,
  });
  const { "webhook-signature": signature = "", ...unsigned } = signed;
  const headers = {
    ...deliveryHeaders(env, webhook),
    ...(sending === "no_signature" ? unsigned : { ...unsigned, "webhook-signature": signature }),
  };
  return { teamId: webhook.teamId, url: webhook.url, headers, body };
}

/** While a secret is rotated, there are two; the receiver may know either. */
function signingSecrets(
  env: Environment,
  webhook: WebhookRow,
  now: UnixMs,
  sending: Sending,
): string[] {
  const own = secretsOf(env, webhook, now);
  if (sending === "wrong_signature") {
    return [newSecret()];
  }
  return sending === "two_signatures" ? [newSecret(), ...own] : own;
}
