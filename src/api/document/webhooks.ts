/** What we send to others: the document's `webhooks`, one for each kind of event, from the same schemas. */

import { dataSchema, exampleOf } from "#api/events/kinds.ts";
import { Event } from "#api/events/schema.ts";
import { EVENT_MEANINGS } from "#domain/event-data.ts";
import { EVENT_TYPES, type EventType } from "#domain/events/event.ts";
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
      type: { type: "string", const: type },
      data,
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
    responses: {
      "2XX": { description: "Taken; the body is not looked at" },
      "410": { description: "Wants no more: the webhook is turned off" },
      default: { description: "Not taken: tried again, ten times in three days" },
    },
  };
}

/** Headers of a delivery. */
export const WEBHOOK_PARAMETERS: JsonObject = {
  WebhookId: header(
    "webhook-id",
    "The event's id, the same at every try: what has been seen before",
    {
      type: "string",
      format: "uuid",
    },
  ),
  WebhookTimestamp: header("webhook-timestamp", "Seconds since 1970 at which this try was signed", {
    type: "string",
    pattern: "^\\d+$",
  }),
  WebhookSignature: header(
    "webhook-signature",
    "Standard Webhooks: `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64; two, separated by " +
      "a space, while a secret is rotated",
    { type: "string" },
  ),
};

function header(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "header", required: true, description, schema };
}
