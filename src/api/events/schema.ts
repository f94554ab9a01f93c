import { type Static, Type } from "@sinclair/typebox";
import { CursorPage, Id, OneOf, PageQuery, Shape, Timestamp } from "#api/schema.ts";
import { EVENT_TYPES } from "#domain/events/event.ts";
import { ENVS } from "#domain/team/api-key.ts";

const JsonObject = Type.Record(Type.String(), Type.Unknown());

export const Event = Shape({
  id: Id,
  seq: Type.Integer({ minimum: 1, description: "Rises with every event; has gaps" }),
  type: OneOf(EVENT_TYPES),
  created_at: Timestamp,
  team_id: Id,
  env: OneOf(ENVS),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: "As the schema of its kind says, see `GET /event-types`",
  }),
});
export type Event = Static<typeof Event>;

export const EventPage = CursorPage(Event);

/** Kinds and families that one query may name. */
const TYPES_LENGTH_MAX = 1_000;

const after = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 36,
    description: "`seq` or `id` of the last event that is known, or `next_cursor`",
  }),
);
const type = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: TYPES_LENGTH_MAX,
    description: "Kinds and families, separated by commas: `email.sent,reply.*`",
    examples: ["email.sent"],
  }),
);

export const EventQuery = Shape({
  ...PageQuery.properties,
  after,
  type,
});

export const StreamQuery = Shape({ after, type });

export const EventKind = Shape({
  type: OneOf(EVENT_TYPES),
  description: Type.String(),
  family: Type.String({ description: "Means all kinds of the family: `email.*`" }),
  data_schema: { ...JsonObject, description: "JSON Schema of `data`" },
  example: Event,
});

export const EventKindList = Shape({ data: Type.Array(EventKind) });
