import { type Static, Type } from "@sinclair/typebox";
import { filterQuery } from "#api/filter.ts";
import {
  CappedPage,
  IdOf,
  IdParamsOf,
  OneOf,
  PageQuery,
  Shape,
  TeamId,
  TimestampOf,
} from "#api/schema.ts";
import { EVENT_ORDERS, EVENT_TYPES } from "#domain/events/event.ts";
import { ENVS } from "#domain/team/api-key.ts";
import { EVENT_LIST } from "#store/filter/log-lists.ts";

const JsonObject = Type.Record(Type.String(), Type.Unknown());

/** The document has one schema for each kind, with its data (`document/webhooks.ts`). */
export const Event = Shape({
  id: IdOf("The event's id"),
  seq: Type.Integer({
    minimum: 1,
    description: "Sequence number that rises with every event, with gaps",
    examples: [4711],
  }),
  type: OneOf(EVENT_TYPES, { description: "Kind of the event" }),
  created_at: TimestampOf("When it happened"),
  team_id: TeamId,
  env: OneOf(ENVS, { description: "Environment that it happened in" }),
  data: Type.Record(Type.String(), Type.Unknown(), { description: "What happened" }),
});

export const EventParams = IdParamsOf("The event's id");
export type Event = Static<typeof Event>;

export const EventPage = CappedPage(Event);

/** Kinds and families that one query may name. */
const TYPES_LENGTH_MAX = 1_000;

const after = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 36,
    description: "`seq` or `id` of the last event that you know, or `next_cursor`",
    examples: ["4711"],
  }),
);
const type = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: TYPES_LENGTH_MAX,
    description: "Only events of these kinds and families, separated by commas",
    examples: ["email.sent,reply.*"],
  }),
);

export const EventQuery = Shape({
  ...PageQuery.properties,
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "`seq` or `id` of the last event that you know, or `next_cursor`",
      examples: ["4711"],
    }),
  ),
  type,
  order: OneOf(EVENT_ORDERS, {
    description: "`asc`: oldest first; `desc`: newest first, and `after` continues with older ones",
    default: "asc",
  }),
  ...filterQuery(EVENT_LIST, "As `order` says if left out"),
});

export const StreamQuery = Shape({ after, type });

export const EventKind = Shape({
  type: OneOf(EVENT_TYPES, { description: "The kind" }),
  description: Type.String({ description: "When such an event is recorded" }),
  family: Type.String({ description: "Stands for all kinds of its family", examples: ["email.*"] }),
  data_schema: { ...JsonObject, description: "JSON Schema of `data`" },
  example: Event,
});

export const EventKindList = Shape({ data: Type.Array(EventKind, { description: "The kinds" }) });
