/**
 * What an assistant gives an operation: path, query and body in one flat object, each argument by its own
 * name. A name that the operation doesn't have is refused, never ignored; values are the API's to check.
 */

import type { ApiOperation, Schema } from "#api/document/read.ts";
import { nearestWord } from "#domain/nearest-word.ts";
import { invalid } from "#domain/problem.ts";
import { JSON_TYPE, type Request, ROWS_TYPE, type Values } from "./types.ts";

export const CONFIRM = "confirm";
export const FROM = "from_row";
const FORMAT = "format";
/** Of no use to whoever fills in a form; the server checks it all. */
const LEFT_OUT = new Set(["pattern", "examples", "uniqueItems"]);
const NAMES_SHOWN_MAX = 30;

const CONFIRM_ARGUMENT = {
  type: "string",
  description:
    "The `confirm` of the plan that this call returned before, to carry it out. Leave it out for a plan",
};
const FROM_ARGUMENT = {
  type: "integer",
  minimum: 0,
  default: 0,
  description: "Where the page starts: `next_row` of the page before",
};

export interface InputSchema {
  readonly [key: string]: unknown;
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: string[];
  readonly additionalProperties: false;
}

export function returnsRows({ answers }: ApiOperation): boolean {
  return answers.includes(ROWS_TYPE);
}

/** `confirms` says that the operation may send email, and so answers with a plan first. */
export function inputOf(operation: ApiOperation, confirms: boolean): InputSchema {
  const { inPath, inQuery, body } = operation;
  const rows = returnsRows(operation);
  const parameters = [...inPath, ...inQuery].filter(({ name }) => !(rows && name === FORMAT));
  const given = parameters.map(({ name, schema, description }) => [
    name,
    brief(description === "" ? schema : { ...schema, description }),
  ]);
  const fields = Object.entries(body?.properties ?? {}).map(([name, one]) => [name, brief(one)]);
  const named = parameters.filter(({ required }) => required).map(({ name }) => name);
  return {
    type: "object",
    properties: {
      ...Object.fromEntries([...given, ...fields]),
      ...(rows ? { [FROM]: FROM_ARGUMENT } : {}),
      ...(confirms ? { [CONFIRM]: CONFIRM_ARGUMENT } : {}),
    },
    required: [...named, ...(body?.required ?? [])],
    additionalProperties: false,
  };
}

/** Throws `validation_error` for a name that `schema` lacks, with the nearest it has, and for one missing. */
export function checkNames(schema: InputSchema, input: Values): void {
  const names = Object.keys(schema.properties);
  for (const name of Object.keys(input)) {
    if (!Object.hasOwn(schema.properties, name)) {
      throw invalid(name, `is not an argument of this operation${hint(name, names)}`);
    }
  }
  const missing = schema.required.find((name) => input[name] === undefined);
  if (missing !== undefined) {
    throw invalid(missing, "is required");
  }
}

function hint(name: string, names: readonly string[]): string {
  const nearest = nearestWord(name, names);
  if (nearest !== undefined) {
    return `; did you mean "${nearest}"?`;
  }
  const shown = names.slice(0, NAMES_SHOWN_MAX).join(", ");
  return names.length === 0 ? "; it takes none" : `; it takes ${shown}`;
}

/** The HTTP request that `input`, which {@link checkNames} let pass, stands for. */
export function requestOf(operation: ApiOperation, input: Values): Request {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(scalar(name, input[name])),
  );
  const query = new URLSearchParams();
  for (const { name } of operation.inQuery) {
    if (input[name] !== undefined) {
      query.set(name, scalar(name, input[name]));
    }
  }
  if (returnsRows(operation)) {
    query.set(FORMAT, "ndjson");
  }
  const target = query.size === 0 ? path : `${path}?${query}`;
  const { method, body } = operation;
  if (body === null) {
    return { path: target, init: { method } };
  }
  const names = Object.keys(body.properties ?? {}).filter((name) => input[name] !== undefined);
  const fields = Object.fromEntries(names.map((name) => [name, input[name]]));
  return {
    path: target,
    init: { method, headers: { "Content-Type": JSON_TYPE }, body: JSON.stringify(fields) },
  };
}

/** Throws `validation_error` for what cannot stand in an address. */
function scalar(name: string, value: unknown): string {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    return String(value);
  }
  throw invalid(name, "must be a string, a number or a boolean");
}

/** The row that an assistant asks to go on from. Throws `validation_error` for what is no row. */
export function readFrom(input: Values): number {
  const from = input[FROM] ?? 0;
  if (typeof from !== "number" || !Number.isSafeInteger(from) || from < 0) {
    throw invalid(FROM, "must be a whole number, 0 or more");
  }
  return from;
}

function brief(value: Schema | unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(brief);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const kept = Object.entries(value).filter(
    ([name, inner]) => !(LEFT_OUT.has(name) && isConstraint(inner)),
  );
  return Object.fromEntries(kept.map(([name, inner]) => [name, brief(inner)]));
}

/** A field may be called as a constraint is; its schema is an object. */
function isConstraint(value: unknown): boolean {
  return Array.isArray(value) || typeof value !== "object";
}
