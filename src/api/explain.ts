/** Turns a schema's complaints into fields and sentences that say what would be right. */

import type { ValueError } from "@sinclair/typebox/errors";
import { ValueErrorType } from "@sinclair/typebox/errors";
import { nearestWord } from "#domain/nearest-word.ts";
import { FAULTS_MAX, type Fault } from "#domain/problem.ts";
import { NAME_PATTERN, TEXT_PATTERN } from "./schema.ts";

/** Complaints that are looked at: each field has one or two. */
const ERRORS_MAX = 2 * FAULTS_MAX;

/**
 * What is wrong, in document order but unknown fields first, each field once. Empty where nothing is, or
 * nothing that a schema can say.
 */
export function faultsOf(errors: Iterable<ValueError>): Fault[] {
  const unknown = new Map<string, Fault>();
  const others = new Map<string, Fault>();
  for (const error of firstOf(errors)) {
    const faults = isUnknown(error) ? unknown : others;
    if (!faults.has(error.path)) {
      faults.set(error.path, explain(error));
    }
  }
  return [...unknown.values(), ...others.values()].slice(0, FAULTS_MAX);
}

function firstOf(errors: Iterable<ValueError>): ValueError[] {
  const first: ValueError[] = [];
  for (const error of errors) {
    first.push(error);
    if (first.length === ERRORS_MAX) {
      break;
    }
  }
  return first;
}

function isUnknown({ type }: ValueError): boolean {
  return type === ValueErrorType.ObjectAdditionalProperties;
}

/** `/leads/2/email` becomes `leads.2.email`; null at the root. */
export function dotted(path: string): string | null {
  const parts = path.split("/").slice(1);
  const names = parts.map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.length === 0 ? null : names.join(".");
}

function explain(error: ValueError): Fault {
  const told = meant(error);
  const field = dotted(told.path);
  return {
    field,
    message: sentence(told),
    didYouMean: isUnknown(told) ? nearestField(told) : null,
  };
}

function nearestField({ path, schema }: ValueError): string | null {
  const name = dotted(path)?.split(".").at(-1) ?? "";
  return nearestWord(name, Object.keys(schema["properties"] ?? {})) ?? null;
}

/** What says only that a value is of another form than this one. */
const FORMS: ReadonlySet<ValueErrorType> = new Set([
  ValueErrorType.Array,
  ValueErrorType.Boolean,
  ValueErrorType.Integer,
  ValueErrorType.Literal,
  ValueErrorType.Null,
  ValueErrorType.Number,
  ValueErrorType.Object,
  ValueErrorType.String,
]);

/** Of a value that may take several forms, the complaint about the one that was meant. */
function meant(error: ValueError): ValueError {
  if (error.type !== ValueErrorType.Union) {
    return error;
  }
  for (const errors of error.errors) {
    const complaints = firstOf(errors);
    const inner = complaints.find(isUnknown) ?? complaints[0];
    if (inner !== undefined && (inner.path !== error.path || !FORMS.has(inner.type))) {
      const told = meant(inner);
      return told.type === ValueErrorType.Union && told.path === error.path ? error : told;
    }
  }
  return error;
}

function sentence(error: ValueError): string {
  const schema = error.schema;
  switch (error.type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return "unknown field";
    case ValueErrorType.ObjectRequiredProperty:
      return "is required";
    case ValueErrorType.StringMinLength:
      return schema["minLength"] === 1
        ? "must not be empty"
        : `must be at least ${schema["minLength"]} characters`;
    case ValueErrorType.StringMaxLength:
      return `must be at most ${schema["maxLength"]} characters`;
    case ValueErrorType.StringFormat:
    case ValueErrorType.StringPattern:
      return textRule(schema);
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be ${bounds(schema)}`;
    case ValueErrorType.ArrayMinItems:
      return schema["minItems"] === 1
        ? "must not be empty"
        : `needs at least ${schema["minItems"]} items`;
    case ValueErrorType.ArrayMaxItems:
      return `takes at most ${schema["maxItems"]} items`;
    case ValueErrorType.ArrayUniqueItems:
      return "must not repeat an item";
    case ValueErrorType.ObjectMaxProperties:
      return `takes at most ${schema["maxProperties"]} entries`;
    default:
      return `must be ${describe(schema)}`;
  }
}

function textRule({ format, pattern }: Readonly<Record<string, unknown>>): string {
  if (format === "uuid") {
    return "must be a UUID";
  }
  if (format === "date") {
    return "must be a date, for example 2026-03-01";
  }
  if (pattern === TEXT_PATTERN) {
    return "must not hold NUL characters";
  }
  if (pattern === NAME_PATTERN) {
    return "must be one line without control characters, and not blank";
  }
  if (format === "date-time") {
    return "must be an ISO 8601 date-time from 1970 to 9999, for example 2026-03-01T09:30:00.000Z";
  }
  return "must be one line without control characters, in the documented form";
}

function bounds(schema: Readonly<Record<string, unknown>>): string {
  const { minimum, maximum } = schema;
  if (minimum !== undefined && maximum !== undefined) {
    return `${minimum} to ${maximum}`;
  }
  return minimum === undefined ? `at most ${maximum}` : `at least ${minimum}`;
}

function describe(schema: Readonly<Record<string, unknown>>): string {
  if ("const" in schema) {
    return JSON.stringify(schema["const"]);
  }
  const options = schema["anyOf"];
  if (Array.isArray(options)) {
    const forms = options.map(describe);
    const last = forms.pop();
    return forms.length === 0 ? `${last}` : `${forms.join(", ")} or ${last}`;
  }
  const type = schema["type"];
  if (type === "integer" && ("minimum" in schema || "maximum" in schema)) {
    return `an integer, ${bounds(schema)}`;
  }
  const article = type === "integer" || type === "array" || type === "object" ? "an" : "a";
  return typeof type === "string"
    ? `${article} ${type}`.replace("a null", "null")
    : "of another type";
}
