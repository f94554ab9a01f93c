/** Pieces of schema that resources share. Objects are closed: an unknown field is refused by name. */

import {
  type Static,
  type TInteger,
  type TLiteral,
  type TObject,
  type TProperties,
  type TSchema,
  type TString,
  type TUnion,
  Type,
} from "@sinclair/typebox";
import { COMPLETED_WARNING, leavesAlone } from "#domain/campaigns/campaign.ts";
import { FAULTS_MAX } from "#domain/problem.ts";
import { TOTAL_MAX } from "#store/sqlite/total.ts";

const UUID = "^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$";

const ID_EXAMPLE = "01952c6a-4000-7000-8000-000000000100";

export const Id = Type.String({ format: "uuid", pattern: UUID });

export function IdOf(description: string): TString {
  return Type.String({ ...Id, description, examples: [ID_EXAMPLE] });
}

export const TeamId = IdOf("Team that owns the record");

/** A string on the wire, `UnixMs` inside (`wire.ts`). */
export type TInstant = TString & { readonly format: "date-time" };

export const Timestamp = TimestampOf("ISO 8601, UTC, milliseconds");

/** An instant that a response names. */
export function TimestampOf(description: string): TInstant {
  return Type.String({
    format: "date-time",
    description,
    examples: ["2026-03-01T09:30:00.000Z"],
  }) as TInstant;
}

export const CreatedAt = TimestampOf("When the record was created");
export const UpdatedAt = TimestampOf("When the record last changed");

/** How many there are of something. */
export function Count(description: string): TInteger {
  return Type.Integer({ minimum: 0, description });
}

/** `schema` with the words for the place where it stands. */
export function Described<Schema extends TSchema>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema {
  return { ...schema, description, ...(examples.length === 0 ? {} : { examples }) };
}

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
  options: { description?: string; default?: Values[number] } = {},
) {
  const literals = values.map((value) => Type.Literal(value));
  return Type.Union(literals, options) as unknown as TUnion<{
    -readonly [Index in keyof Values]: TLiteral<Values[Index]>;
  }>;
}

export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()]);
}

/** What the response to a stop says beside the record. */
export const inFlight = {
  in_flight: Type.Optional(
    Count(
      "Emails that were already being handed to a mail server when sending stopped; they may still arrive. Only after a stop",
    ),
  ),
};

/** What the response says where leads were added to a campaign or resumed there. */
export const leftAlone = {
  warning: Type.Optional(
    Type.String({
      description:
        "Why these leads get no email: their campaign is completed and not evergreen. Absent otherwise",
      examples: [COMPLETED_WARNING],
    }),
  ),
};

/** What a response warns of; the request was carried out all the same. */
export function warned(description: string, example: string) {
  const text = Type.String({
    description: `${description}. Absent otherwise`,
    examples: [example],
  });
  return { warning: Type.Optional(text) };
}

/** Told where `isGiven` and the campaign is one that sends nothing more. */
export function warningOf(
  isGiven: boolean,
  campaign: Parameters<typeof leavesAlone>[0],
): { warning?: string } {
  return isGiven && leavesAlone(campaign) ? { warning: COMPLETED_WARNING } : {};
}

/**
 * Tells the document's readers more than is validated here: the use case checks it, and has better words
 * for what is wrong than a schema. `format` may be one of ours. A `default` belongs here, and not to the
 * schema itself: Elysia would fill it in before the use case sees what was given.
 */
export function Documented<Schema extends TSchema>(
  schema: Schema,
  keywords: {
    format?: "email" | "email-or-domain" | "host" | "timezone";
    pattern?: string;
    enum?: readonly string[];
    propertyNames?: { minLength: number; maxLength: number };
    default?: unknown;
  },
): Schema {
  const known = schema["x-document"] as object | undefined;
  return { ...schema, "x-document": { ...known, ...keywords } };
}

/**
 * The schema of a body, with what the use case fills in where a field is left out: `defaults`, with the
 * names of the inside (`wire.ts`). Of an object that may be given in part, its fields have them.
 */
export function withDefaults<Schema extends TObject>(schema: Schema, defaults: object): Schema {
  const known = new Map(Object.entries(defaults));
  const properties = Object.entries(schema.properties).map(([name, property]) => {
    const value: unknown = known.get(name.replace(/_(.)/g, (_all, letter) => letter.toUpperCase()));
    if (value === undefined) {
      return [name, property];
    }
    return typeof value === "object" && value !== null && "properties" in property
      ? [name, withDefaults(property as TObject, value)]
      : [name, Documented(property, { default: value })];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** Names and other short texts on one line. */
export function Line(
  maxLength: number,
  options: { minLength?: number; description?: string; examples?: string[] } = {},
) {
  return Type.String({
    minLength: 1,
    ...options,
    maxLength,
    pattern: "^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$",
  });
}

/** What {@link Name} has to hold: a character that is seen. */
export const NAME_PATTERN =
  "^[^\\u0000-\\u001f\\u007f\\u2028\\u2029]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f\\u2028\\u2029]*$";

/** A line that somebody has to recognize something by: not only of spaces. */
export function Name(maxLength: number, options: { description: string; examples: string[] }) {
  return Type.String({ minLength: 1, ...options, maxLength, pattern: NAME_PATTERN });
}

/** What a list is searched for. */
export function Search(of: string) {
  return Type.Optional(
    Line(200, {
      description: `Words, or their beginnings, all of which have to occur in ${of}. A new record is found a moment after it is stored`,
      examples: ["acme"],
    }),
  );
}

/** What {@link Text} may hold: anything but NUL. */
export const TEXT_PATTERN = "^[^\\u0000]*$";

/** Longer texts, of as many lines as they like. */
export function Text(
  maxLength: number,
  options: { minLength?: number; description?: string; examples?: string[] } = {},
) {
  return Type.String({ ...options, maxLength, pattern: TEXT_PATTERN });
}

const place = {
  total: Count("Records that match, on all pages"),
  limit: Type.Integer({ minimum: 1, description: "Page size that was applied" }),
  offset: Count("Records that were skipped"),
  hasMore: Type.Boolean({ description: "Whether another page follows" }),
};

/** The seed's list envelope. */
export function Page<Schema extends TSchema>(item: Schema) {
  return Shape({
    data: Type.Array(item, { description: "The records of this page" }),
    ...place,
  });
}

const next_cursor = Nullable(
  Type.String({ description: "Pass it as `after` to get the next page; null on the last one" }),
);

/** Large lists: the same envelope with a cursor to what follows. */
export function CursorPage<Schema extends TSchema>(item: Schema) {
  return Shape({
    data: Type.Array(item, { description: "The records of this page" }),
    ...place,
    next_cursor,
  });
}

export const filtered = {
  next_cursor: Type.Optional(
    Described(next_cursor, "Where the next page goes on; only with `filter` or `sort`"),
  ),
  total_is_capped: Type.Optional(
    Type.Boolean({
      description:
        "Whether more records may match than `total` says, which counts as far as this page; only with `filter` or `sort`",
    }),
  ),
};

/** The seed's envelope, with a cursor where a filter or a sort asks for one. */
export function FilteredPage<Schema extends TSchema>(item: Schema) {
  return Shape({ ...Page(item).properties, ...filtered });
}

/** The same of a large list. */
export function FilteredCursorPage<Schema extends TSchema>(item: Schema) {
  const { total_is_capped } = filtered;
  return Shape({ ...CursorPage(item).properties, total_is_capped });
}

/** The same for lists that may have too many to count. */
export function CappedPage<Schema extends TSchema>(item: Schema) {
  return Shape({
    ...CursorPage(item).properties,
    total_is_capped: Type.Boolean({
      description: `Whether more records may match than \`total\` says: a search or filter, and a list of events, counts up to ${TOTAL_MAX.toLocaleString("en")}`,
    }),
  });
}

const PAGE_LIMIT_DEFAULT = 50;
const PAGE_LIMIT_MAX = 100;

export const PageQuery = Shape({
  limit: Type.Integer({
    minimum: 1,
    maximum: PAGE_LIMIT_MAX,
    default: PAGE_LIMIT_DEFAULT,
    description: "Records per page",
  }),
  offset: Type.Integer({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    default: 0,
    description: "Records to skip",
  }),
});

export const CursorQuery = Shape({
  ...PageQuery.properties,
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "`next_cursor` of the previous page",
    }),
  ),
});

const fault = {
  message: Type.String({
    description: "What was wrong and what would be right, in plain words",
    examples: ["must be at most 255 characters"],
  }),
  field: Nullable(
    Type.String({
      description:
        "Dotted path of the field in the body or the query; null when no single field is at fault",
      examples: ["send_window.timezone"],
    }),
  ),
};

const FieldError = Shape(
  {
    ...fault,
    did_you_mean: Nullable(
      Type.String({
        description: "The known name nearest to an unknown one; null otherwise",
        examples: ["send_window"],
      }),
    ),
  },
  { description: "One thing that is wrong with a request" },
);

export const ErrorBody = Shape(
  {
    type: Type.String(),
    ...fault,
    status: Type.Integer({ description: "The response's HTTP status", examples: [422] }),
    errors: Type.Array(FieldError, {
      minItems: 1,
      maxItems: FAULTS_MAX,
      description:
        "Everything that is wrong, each field once; the first entry is that of `field` and `message`",
    }),
    docs_url: Nullable(
      Type.String({
        description:
          "Where this server explains the type of error, absolute where `public_url` is set; null if its documentation is off",
        examples: ["/docs/guide/errors#validation-error"],
      }),
    ),
  },
  { description: "The body of every error response" },
);

export const IdParams = Shape({ id: Id });
export type IdParams = Static<typeof IdParams>;

/** The path of one record. */
export function IdParamsOf(description: string): typeof IdParams {
  return Shape({ id: IdOf(description) });
}

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
