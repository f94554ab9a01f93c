/**
 * What an operation answers, for an assistant: as structured content that fits its `outputSchema`, and
 * never more than it can take in at once. A list that is too long is asked for again in shorter pages; of
 * a single record the long texts are shortened.
 */

import type { ApiOperation, Schema } from "#api/document/read.ts";
import { returnsRows } from "./arguments.ts";
import { PLAN_SCHEMA } from "./plan.ts";

/** What an assistant can take in at once. */
export const ANSWER_CHARS_MAX = 100_000;
/** Alternatives beyond these are of no help to a reader: an event has 31. */
const ALTERNATIVES_MAX = 8;
/** Deeper, and it is any object. */
const DEPTH_MAX = 7;
const TEXT_CHARS_MIN = 200;

export const ROWS_SCHEMA = {
  type: "object",
  properties: {
    rows: { type: "array", items: { type: "object" }, description: "Whole records" },
    from_row: { type: "integer", description: "Row of the first one, from 0" },
    next_row: {
      type: ["integer", "null"],
      description: "Where the next page starts, for `from_row`; null on the last page",
    },
  },
  required: ["rows", "from_row", "next_row"],
};
const DONE_SCHEMA = {
  type: "object",
  properties: { done: { const: true } },
  required: ["done"],
};

/** `confirms`: the first answer is a plan, the second the result. */
export function outputOf(
  operation: ApiOperation,
  schemas: Readonly<Record<string, Schema>>,
  confirms: boolean,
): { type: "object" } & Record<string, unknown> {
  const result = resultOf(operation, schemas);
  const output = confirms
    ? {
        type: "object",
        properties: {
          plan: PLAN_SCHEMA,
          confirm: { type: "string", description: "Repeat the call with it to carry out the plan" },
          expires_at: { type: "string", description: "Until when it can be confirmed" },
          result,
        },
        oneOf: [{ required: ["plan", "confirm", "expires_at"] }, { required: ["result"] }],
        additionalProperties: false,
      }
    : result;
  return output as { type: "object" } & Record<string, unknown>;
}

function resultOf(
  operation: ApiOperation,
  schemas: Readonly<Record<string, Schema>>,
): Record<string, unknown> {
  if (returnsRows(operation)) {
    return ROWS_SCHEMA;
  }
  if (operation.answer === null) {
    return DONE_SCHEMA;
  }
  const schema = outline(operation.answer, schemas, 0);
  return schema["type"] === "object"
    ? schema
    : { type: "object", properties: { data: schema }, required: ["data"] };
}

/** A record as it is; a list or nothing as a record. */
export function recordOf(value: unknown): Record<string, unknown> {
  if (value === undefined) {
    return { done: true };
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : { data: value };
}

/**
 * The names, types and sets of values of `schema`, without words: many clients show all of it to a model.
 * New fields may come at any time.
 */
function outline(
  schema: Schema,
  schemas: Readonly<Record<string, Schema>>,
  depth: number,
): Record<string, unknown> {
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) {
    const named = schemas[$ref.split("/").at(-1) ?? ""] ?? {};
    return outline({ ...named, ...beside }, schemas, depth);
  }
  const { type, enum: values, const: value } = schema;
  const alternatives = schema.anyOf ?? schema.oneOf;
  const inner = (one: Schema) => outline(one, schemas, depth + 1);
  if (alternatives !== undefined) {
    return alternatives.length > ALTERNATIVES_MAX
      ? { type: "object" }
      : { anyOf: alternatives.map(inner) };
  }
  return {
    ...(type === undefined ? {} : { type }),
    ...(values === undefined ? {} : { enum: values }),
    ...(value === undefined ? {} : { const: value }),
    ...(depth < DEPTH_MAX ? partsOf(schema, inner) : {}),
  };
}

function partsOf(schema: Schema, inner: (one: Schema) => unknown): Record<string, unknown> {
  const { properties, items, required, additionalProperties } = schema;
  const fields = Object.entries(properties ?? {}).map(([name, one]) => [name, inner(one)]);
  return {
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...(required === undefined ? {} : { required }),
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(typeof additionalProperties === "object"
      ? { additionalProperties: inner(additionalProperties) }
      : {}),
  };
}

/** `value` with its texts cut, the longest most, until it can be taken in; and whether any was. */
export function shortened<Value>(value: Value): { value: Value; isCut: boolean } {
  let cut = value;
  let charsMax = ANSWER_CHARS_MAX / 2;
  while (JSON.stringify(cut).length > ANSWER_CHARS_MAX && charsMax >= TEXT_CHARS_MIN) {
    cut = cutTexts(value, charsMax) as Value;
    charsMax /= 2;
  }
  return { value: cut, isCut: cut !== value };
}

function cutTexts(value: unknown, charsMax: number): unknown {
  if (typeof value === "string") {
    return value.length > charsMax ? `${value.slice(0, charsMax)}… (cut)` : value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => cutTexts(one, charsMax));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const entries = Object.entries(value).map(([name, one]) => [name, cutTexts(one, charsMax)]);
  return Object.fromEntries(entries);
}
