/** What the lists of what has happened can be filtered and sorted by. */

import { ne, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { EVENT_TYPES } from "#domain/events/event.ts";
import { DELIVERY_STATUSES } from "#domain/events/webhook.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { audit, events } from "#store/tables/events.ts";
import { sandboxMessages } from "#store/tables/sandbox.ts";
import { deliveries } from "#store/tables/webhooks.ts";
import { ofAccount, valueIn } from "./fields.ts";
import type { FilterList } from "./filter.ts";

const EVENT_FIELDS = {
  type: { kind: "text", column: events.type },
  created: { kind: "date", column: events.createdAt },
  "data.": valueIn(events.data),
} as const;

export const EVENT_LIST = {
  table: events,
  key: events.seq,
  fields: EVENT_FIELDS,
  words: sql`${events.type} || ' ' || ${events.data}`,
  sorts: { created: events.seq },
} as const satisfies FilterList;

/** Events that a webhook is told of. They are walked by the team's events: a delivery is found by event and webhook. */
export function deliveryList(webhookId: Id) {
  const ofEvent = sql`from ${deliveries} where ${deliveries.eventSeq} = ${events.seq}
    and ${deliveries.webhookId} = ${sql.param(webhookId, deliveries.webhookId)}`;
  const of = (column: SQLiteColumn) => ({ column: sql`(select ${column} ${ofEvent})` });
  return {
    ...EVENT_LIST,
    only: sql`exists (select 1 ${ofEvent})`,
    fields: {
      ...EVENT_FIELDS,
      type: { kind: "choice", values: EVENT_TYPES, column: events.type },
      status: { kind: "choice", values: DELIVERY_STATUSES, ...of(deliveries.status) },
      attempts: { kind: "number", ...of(deliveries.attempts) },
      created: { kind: "date", ...of(deliveries.createdAt) },
    },
  } as const satisfies FilterList;
}

export const AUDIT_LIST = {
  table: audit,
  key: audit.seq,
  fields: {
    actor: { kind: "text", column: audit.actor },
    action: { kind: "text", column: audit.action },
    target: { kind: "text", column: audit.target },
    request_id: { kind: "text", column: audit.requestId },
    created: { kind: "date", column: audit.at },
  },
  words: sql`${audit.actor} || ' ' || ${audit.action} || ' ' || ${audit.target}`,
  sorts: { created: audit.seq },
} as const satisfies FilterList;

export const SANDBOX_MESSAGE_LIST = {
  table: sandboxMessages,
  // A copy of what was sent is no message.
  only: ne(sandboxMessages.verdict, sql`'copy'`),
  fields: {
    sender: { kind: "text", column: sandboxMessages.sender },
    recipient: { kind: "text", column: sandboxMessages.recipient },
    subject: { kind: "text", column: sandboxMessages.subject },
    mailbox: ofAccount(sandboxMessages.accountId),
    verdict: {
      kind: "choice",
      values: ["delivered", "bounced", "spam"],
      column: sandboxMessages.verdict,
    },
    sent: { kind: "date", column: sandboxMessages.sentAt },
  },
  words: sql`${sandboxMessages.sender} || ' ' || ${sandboxMessages.recipient} || ' ' || ${sandboxMessages.subject}`,
  sorts: { sent: sandboxMessages.id },
} as const satisfies FilterList;
