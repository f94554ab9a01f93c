/**
 * Reads what a delivery carries beside its event. At each attempt anew: whoever was erased while it waited is
 * not in it, and nothing of them is stored a second time.
 */

import type { Include } from "#domain/event-include.ts";
import type { Included } from "#domain/event-included.ts";
import { toIso } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { findCampaign } from "#store/campaigns/campaigns.ts";
import { findInbound } from "#store/inbox/inbound.ts";
import { findLead } from "#store/leads/leads.ts";
import { findMessage } from "#store/sending/messages.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { EventRow } from "#store/tables/events.ts";
import type { WebhookRow } from "#store/tables/webhooks.ts";

/** Nothing where the webhook asks for nothing. */
export function includedIn(
  env: Environment,
  { include }: WebhookRow,
  event: EventRow,
): { included?: Included } {
  const parts = include.map((name) => READERS[name](env, event));
  return parts.length === 0 ? {} : { included: Object.assign({}, ...parts) };
}

const READERS: { readonly [Name in Include]: (env: Environment, event: EventRow) => Included } = {
  lead: (env, event) => ({ lead: leadOf(env, event) }),
  campaign: (env, event) => ({ campaign: campaignOf(env, event) }),
  "reply.text": (env, event) => ({ reply: replyOf(env, event) }),
  message: (env, event) => ({ message: messageOf(env, event) }),
};

/** The record that the event's data names, of its team. */
function named<Row>(
  find: (db: Environment["db"], teamId: Id, id: Id) => Row | undefined,
  { db }: Environment,
  { teamId, data }: EventRow,
  field: "lead_id" | "campaign_id" | "mail_id" | "email_id",
): Row | undefined {
  const id = data[field];
  return typeof id === "string" ? find(db, teamId, id) : undefined;
}

function leadOf(env: Environment, event: EventRow): NonNullable<Included["lead"]> | null {
  const row = named(findLead, env, event, "lead_id");
  if (row === undefined) {
    return null;
  }
  const { id, email, company, website, phone, timezone, variables } = row;
  const names = { first_name: row.firstName, last_name: row.lastName };
  return { id, email, ...names, company, website, phone, timezone, variables: { ...variables } };
}

function campaignOf(env: Environment, event: EventRow): NonNullable<Included["campaign"]> | null {
  const row = named(findCampaign, env, event, "campaign_id");
  return row === undefined ? null : { id: row.id, name: row.name, status: row.status };
}

/** An erasure empties the text; it clears the sender of an event whose email it leaves to a colleague. */
function replyOf(env: Environment, event: EventRow): NonNullable<Included["reply"]> | null {
  const isErased = event.data["from"] === null;
  const mail = isErased ? undefined : named(findInbound, env, event, "mail_id");
  return mail === undefined || mail.text === "" ? null : { text: mail.text };
}

function messageOf(env: Environment, event: EventRow): NonNullable<Included["message"]> | null {
  const row = named(findMessage, env, event, "email_id");
  if (row === undefined || row.recipient === "") {
    return null;
  }
  const { id, recipient: to, subject, text } = row;
  return { id, to, subject, text, sent_at: row.sentAt === null ? null : toIso(row.sentAt) };
}
