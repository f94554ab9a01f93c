/** Pieces of schema that resources share. Objects are closed: an unknown field is refused by name. */

import {
  type Static,
  type TLiteral,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from "@sinclair/typebox";
import { COMPLETED_WARNING, leavesAlone } from "#domain/campaigns/campaign.ts";

const UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

export const Id = Type.String({ format: "uuid", pattern: UUID });

/** A string on the wire, `UnixMs` inside (`wire.ts`). */
export type TInstant = TString & { readonly format: "date-time" };

export const Timestamp = Type.String({
  format: "date-time",
  description: "ISO 8601, UTC, milliseconds",
  examples: ["2026-03-01T09:30:00.000Z"],
}) as TInstant;

/** An instant that a request names. */
export function Instant(description: string): TInstant {
  return Type.String({
    format: "date-time",
    maxLength: 64,
    description: `${description}. From 1970 to 9999`,
    examples: ["2026-03-01T09:30:00.000Z"],
  }) as TInstant;
}

export const AS_IS: unique symbol = Symbol("the same on both sides");

/** An object whose fields have the same names inside: they are values of a set, or somebody else's. */
export function AsIs<Schema extends TObject>(schema: Schema): Schema & { [AS_IS]: true } {
  return { ...schema, [AS_IS]: true };
}

/** A closed object. */
export function Shape<Properties extends TProperties>(
  properties: Properties,
  options: { description?: string; minProperties?: number } = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export function OneOf<const Values extends readonly string[]>(
  values: Values,
  options: { description?: string } = {},
) {
  const literals = values.map((value) => Type.Literal(value));
  return Type.Union(literals, options) as unknown as TUnion<{
    -readonly [Index in keyof Values]: TLiteral<Values[Index]>;
  }>;
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** What the answer to a stop says beside the record. */
export const inFlight = {
  in_flight: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        "Where sending was stopped: emails that it came too late for, because their bodies were being handed over. They may still arrive",
    }),
  ),
};

/** What the answer says where leads were given to a campaign or let go on there. */
export const leftAlone = {
  warning: Type.Optional(
    Type.String({
      description:
        "Where nothing is sent to these leads, why: their campaign is completed and not evergreen",
    }),
  ),
};

/** Told where `isGiven` and the campaign is one that sends nothing more. */
export function warningOf(
  isGiven: boolean,
  campaign: Parameters<typeof leavesAlone>[0],
): { warning?: string } {
  return isGiven && leavesAlone(campaign) ? { warning: COMPLETED_WARNING } : {};
}

/**
 * Tells the document's readers more than is validated here: the use case checks it, and has better words
 * for what is wrong than a schema. `format` may be one of ours.
 */
export function Documented<Schema extends TSchema>(
  schema: Schema,
  keywords: {
    format?: "email" | "email-or-domain" | "host" | "timezone";
    pattern?: string;
    enum?: readonly string[];
    propertyNames?: { minLength: number; maxLength: number };
  },
): Schema {
  return { ...schema, "x-document": keywords };
}

/** Names and other short texts on one line. */
export function Line(
  maxLength: number,
  options: { minLength?: number; description?: string } = {},
) {
  return Type.String({
    minLength: options.minLength ?? 1,
    maxLength,
    pattern: "^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$",
    ...(options.description === undefined ? {} : { description: options.description }),
  });
}

/** What a list is searched for. */
export function Search(of: string) {
  return Type.Optional(
    Line(200, {
      description: `Words, or how they begin, all of which ${of} holds; found a moment after they were written`,
    }),
  );
}

/** What {@link Text} may hold: anything but NUL. */
export const TEXT_PATTERN = "^[^\\u0000]*$";

/** Longer texts, of as many lines as they like. */
export function Text(
  maxLength: number,
  options: { minLength?: number; description?: string } = {},
) {
  return Type.String({ ...options, maxLength, pattern: TEXT_PATTERN });
}

/** The seed's list envelope. */
export function Page<Schema extends TSchema>(item: Schema) {
  return Shape({
    data: Type.Array(item),
    total: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: 1 }),
    offset: Type.Integer({ minimum: 0 }),
    hasMore: Type.Boolean(),
  });
}

/** Large lists: the same envelope with a cursor to what follows. */
export function CursorPage<Schema extends TSchema>(item: Schema) {
  return Shape({
    data: Type.Array(item),
    total: Type.Integer({ minimum: 0 }),
    limit: Type.Integer({ minimum: 1 }),
    offset: Type.Integer({ minimum: 0 }),
    hasMore: Type.Boolean(),
    next_cursor: Nullable(Type.String()),
  });
}

export const PAGE_LIMIT_DEFAULT = 50;

export const PageQuery = Shape({
  limit: Type.Integer({ minimum: 1, maximum: 100, default: PAGE_LIMIT_DEFAULT }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
});

export const CursorQuery = Shape({
  ...PageQuery.properties,
  after: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "The page before's next_cursor" }),
  ),
});

export const ErrorBody = Shape(
  {
    type: Type.String(),
    message: Type.String({ description: "What was wrong and what would be right" }),
    field: Nullable(Type.String({ description: "Dotted path into the body or the query" })),
    status: Type.Integer(),
  },
  { description: "Every refusal has this shape" },
);

export const IdParams = Shape({ id: Id });
export type IdParams = Static<typeof IdParams>;

/** The envelope of a page read with `limit` and `offset`. */
export function envelope<Item>(
  data: Item[],
  total: number,
  range: { limit: number; offset: number },
) {
  return {
    data,
    total,
    limit: range.limit,
    offset: range.offset,
    hasMore: range.offset + data.length < total,
  };
}
