/** What we send to others: the document's `webhooks`, one for each kind of event, from the same schemas. */

import { dataSchema, exampleOf } from "#api/events/kinds.ts";
import { Event } from "#api/events/schema.ts";

import { EVENT_TYPES, type EventType } from "#domain/events/event.ts";
import { EVENT_MEANINGS } from "#domain/events/event-meanings.ts";
import type { JsonObject } from "./json.ts";
import { cleanSchema } from "./schema.ts";

/** The document's `webhooks`, by kind. */
export function eventWebhooks(): JsonObject {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operation(type) }]));
}

/** A component for each kind: the event with the schema of its own data. */
export function eventSchemas(): JsonObject {
  return Object.fromEntries(EVENT_TYPES.map((type) => [schemaName(type), eventSchema(type)]));
}

/** `LeadStatusChangedEvent` of `lead.status_changed`. */
function schemaName(type: EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join("")}Event`;
}

function eventSchema(type: EventType): JsonObject {
  const event = cleanSchema(JSON.parse(JSON.stringify(Event)) as JsonObject, true);
  const { additionalProperties: _closed, ...data } = dataSchema(type);
  return {
    ...event,
    description: EVENT_MEANINGS[type],
    properties: {
      ...(event["properties"] as JsonObject),
      type: { type: "string", const: type, description: "Kind of the event" },
      data: { ...data, description: "What happened" },
    },
  };
}

function operation(type: EventType): JsonObject {
  return {
    operationId: `on${schemaName(type)}`,
    tags: ["webhooks"],
    summary: EVENT_MEANINGS[type],
    parameters: ["WebhookId", "WebhookTimestamp", "WebhookSignature"].map((name) => ({
      $ref: `#/components/parameters/${name}`,
    })),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: { $ref: `#/components/schemas/${schemaName(type)}` },
          example: exampleOf(type),
        },
      },
    },
    description:
      "Sent by POST to the webhooks that are subscribed to it. Deliveries come at least once, in no " +
      "guaranteed order.",
    responses: {
      "2XX": { description: "Accepted; the body is ignored." },
      "410": { description: "Accepts no more events: the webhook is disabled." },
      default: {
        description: "Not accepted: the delivery is retried, up to ten times in three days.",
      },
    },
  };
}

/** Headers of a delivery. */
export const WEBHOOK_PARAMETERS: JsonObject = {
  WebhookId: header(
    "webhook-id",
    "The event's id, the same for every attempt, to recognize duplicates by",
    {
      type: "string",
      format: "uuid",
    },
  ),
  WebhookTimestamp: header(
    "webhook-timestamp",
    "Unix time in seconds at which this attempt was signed",
    {
      type: "string",
      pattern: "^\\d+$",
    },
  ),
  WebhookSignature: header(
    "webhook-signature",
    "Signature by Standard Webhooks: `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64; two " +
      "of them, separated by a space, while a secret is rotated",
    { type: "string" },
  ),
};

function header(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "header", required: true, description, schema };
}
