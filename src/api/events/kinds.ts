/** The kinds of event as they are published: what each means, its schema, and an example. */

import type { Static } from "@sinclair/typebox";
import type { JsonObject } from "#api/document/json.ts";
import { cleanSchema } from "#api/document/schema.ts";
import { EVENT_DATA } from "#domain/event-data.ts";
import { EVENT_TYPES, type EventType, familyOf } from "#domain/events/event.ts";
import { EVENT_EXAMPLES } from "#domain/events/event-examples.ts";
import { EVENT_MEANINGS } from "#domain/events/event-meanings.ts";
import type { Event, EventKind } from "./schema.ts";

/** The JSON Schema of what an event of a kind tells. */
export function dataSchema(type: EventType): JsonObject {
  return cleanSchema(plain(EVENT_DATA[type]), false);
}

/** A whole event as an example. */
export function exampleOf(type: EventType): Event {
  return {
    id: "01952c6a-4000-7000-8000-000000000100",
    seq: 4711 + EVENT_TYPES.indexOf(type),
    type,
    created_at: "2026-03-02T09:30:00.000Z",
    team_id: "01952c6a-4000-7000-8000-000000000200",
    env: "live",
    data: EVENT_EXAMPLES[type],
  };
}

export function presentKinds(): Static<typeof EventKind>[] {
  return EVENT_TYPES.map((type) => ({
    type,
    description: EVENT_MEANINGS[type],
    family: familyOf(type),
    data_schema: dataSchema(type),
    example: exampleOf(type),
  }));
}

/** Without what a schema carries for its own library. */
function plain(schema: object): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
