/** What we send to others: the document's `webhooks`, one for each kind of event, from the same schemas. */

import { dataSchema, exampleOf } from "#api/events/kinds.ts";
import { Event } from "#api/events/schema.ts";
import { Included } from "#domain/event-included.ts";
import { EVENT_TYPES, type EventType } from "#domain/events/event.ts";
import { EVENT_MEANINGS } from "#domain/events/event-meanings.ts";
import type { JsonObject } from "./json.ts";
import { cleanSchema } from "./schema.ts";

/** The document's `webhooks`, by kind. */
export function eventWebhooks(): JsonObject {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: operation(type) }]));
}

export interface EventSchema {
  /** `LeadStatusChangedEvent` of `lead.status_changed`. */
  name: string;
  /** The same without `Event`, for the names of sets in its data. */
  owner: string;
  /** The event with the schema of its own data. */
  schema: JsonObject;
  data: JsonObject;
}

/** A component for each kind. */
export function eventSchemas(): EventSchema[] {
  const event = cleanSchema(JSON.parse(JSON.stringify(Event)) as JsonObject, true);
  return EVENT_TYPES.map((type) => {
    const { additionalProperties: _closed, ...data } = dataSchema(type);
    const schema = {
      ...event,
      description: EVENT_MEANINGS[type],
      properties: {
        ...(event["properties"] as JsonObject),
        type: { type: "string", const: type, description: "Kind of the event" },
        data: { ...data, description: "What happened" },
        included: { $ref: `#/components/schemas/${INCLUDED}` },
      },
    };
    return { name: schemaName(type), owner: ownerName(type), schema, data };
  });
}

/** The component for what a delivery carries beside its event. */
export const INCLUDED = "IncludedRecords";

export function includedSchema(): JsonObject {
  return cleanSchema(JSON.parse(JSON.stringify(Included)) as JsonObject, true);
}

/** Any event: one of the kinds, told apart by `type`. */
export function anyEvent(): JsonObject {
  const references = EVENT_TYPES.map((type) => [type, `#/components/schemas/${schemaName(type)}`]);
  return {
    description: "Something that happened",
    oneOf: references.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: "type", mapping: Object.fromEntries(references) },
  };
}

function schemaName(type: EventType): string {
  return `${ownerName(type)}Event`;
}

function ownerName(type: EventType): string {
  return type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function operation(type: EventType): JsonObject {
  return {
    operationId: `on${schemaName(type)}`,
    tags: [DELIVERIES_TAG],
    summary: EVENT_MEANINGS[type],
    parameters: HEADERS,
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

/** A tag of their own: generators make a class of each, and `webhooks` is one already. */
export const DELIVERIES_TAG = "deliveries";

/** Headers of a delivery, in each operation, since some generators overlook those that are shared. */
const HEADERS: readonly JsonObject[] = [
  header("webhook-id", "The event's id, the same for every attempt, to recognize duplicates by", {
    type: "string",
    format: "uuid",
  }),
  header("webhook-timestamp", "Unix time in seconds at which this attempt was signed", {
    type: "string",
    pattern: "^\\d+$",
  }),
  header(
    "webhook-signature",
    "Signature by Standard Webhooks: `v1,` and the HMAC-SHA-256 of `id.timestamp.body` in base64; two " +
      "of them, separated by a space, while a secret is rotated",
    { type: "string" },
  ),
];

function header(name: string, description: string, schema: JsonObject): JsonObject {
  return { name, in: "header", required: true, description, schema };
}
