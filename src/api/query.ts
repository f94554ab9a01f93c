/**
 * Query strings. Elysia's own coercion loses the name of the wrong field, so a route hands its schema to
 * `queryOf` for the document and reads with {@link readQuery}.
 */

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { invalid } from "#domain/problem.ts";
import { explain, firstError } from "./explain.ts";
import { type Inner, read } from "./wire.ts";

const INTEGER = /^-?\d{1,16}$/;
const NUMBER = /^-?\d{1,16}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;

/**
 * The query of `request` as `schema` says, with the names of the inside (`wire.ts`). Throws
 * `validation_error` naming the parameter that is unknown, given twice, or out of bounds.
 */
export function readQuery<Schema extends TObject>(schema: Schema, request: Request): Inner<Schema> {
  const given: Record<string, unknown> = {};
  for (const [name, text] of new URL(request.url).searchParams) {
    const property = schema.properties[name];
    if (property === undefined) {
      const known = Object.keys(schema.properties).join(", ");
      throw invalid(name, known === "" ? "takes no query" : `unknown parameter; there is ${known}`);
    }
    if (name in given) {
      throw invalid(name, "is used twice; use it once");
    }
    given[name] = coerce(property, text);
  }
  const filled = Value.Default(schema, given);
  const error = firstError(Value.Errors(schema, filled));
  if (error !== undefined) {
    const { field, message } = explain(error);
    throw invalid(field ?? "query", message);
  }
  return read(schema, filled as Static<Schema>);
}

function coerce(schema: TSchema, text: string): unknown {
  if (schema["type"] === "integer" && INTEGER.test(text)) {
    return Number(text);
  }
  if (schema["type"] === "number" && NUMBER.test(text)) {
    return Number(text);
  }
  if (schema["type"] === "boolean" && (text === "true" || text === "false")) {
    return text === "true";
  }
  return text;
}

/** For a route's `detail`: the document turns it into parameters. */
export function queryOf(schema: TObject): Record<string, unknown> {
  return { "x-query": schema };
}
