/**
 * Query strings. Elysia's own coercion loses the name of the wrong field, so a route hands its schema to
 * `queryOf` for the document and reads with {@link readQuery}.
 */

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { nearestWord } from "#domain/nearest-word.ts";
import { type Fault, invalidAll } from "#domain/problem.ts";
import { faultsOf } from "./explain.ts";
import { type Inner, read } from "./wire.ts";

const INTEGER = /^-?\d{1,16}$/;
const NUMBER = /^-?\d{1,16}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;

/**
 * The query of `request` as `schema` says, with the names of the inside (`wire.ts`). Throws
 * `validation_error` naming each parameter that is unknown, given twice, or out of bounds.
 */
export function readQuery<Schema extends TObject>(schema: Schema, request: Request): Inner<Schema> {
  const given: Record<string, unknown> = {};
  const faults: Fault[] = [];
  const known = Object.keys(schema.properties);
  for (const [name, text] of new URL(request.url).searchParams) {
    const property = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    if (property === undefined) {
      faults.push(unknownParameter(name, known));
    } else if (Object.hasOwn(given, name)) {
      faults.push({ field: name, message: "is used twice; use it once", didYouMean: null });
    } else {
      given[name] = coerce(property, text);
    }
  }
  const filled = Value.Default(schema, given);
  const [first, ...others] = [...faults, ...faultsOf(Value.Errors(schema, filled))];
  if (first !== undefined) {
    throw invalidAll([{ ...first, field: first.field ?? "query" }, ...others]);
  }
  return read(schema, filled as Static<Schema>);
}

function unknownParameter(name: string, known: readonly string[]): Fault {
  const message =
    known.length === 0 ? "takes no query" : `unknown parameter; there is ${known.join(", ")}`;
  return { field: name, message, didYouMean: nearestWord(name, known) ?? null };
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
