/**
 * The API's operations, read from the document that this program serves: what commands and an
 * assistant's tools are made of, so that neither can lack an operation or a field.
 */

import type { JsonObject } from "./json.ts";

/** As much of JSON Schema as the document uses. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly maxLength?: number;
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly additionalProperties?: boolean | Schema;
  readonly default?: unknown;
  readonly $ref?: string;
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
}

export interface ApiOperation {
  /** `createCampaign`. */
  readonly id: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** `/campaigns/{id}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  /** What its summary leaves out; empty where it says all. */
  readonly description: string;
  /** What a key needs: one of these. */
  /** None: those of the requests that it carries. */
  readonly scopes: readonly string[];
  readonly inPath: readonly Parameter[];
  readonly inQuery: readonly Parameter[];
  readonly inHeader: readonly Parameter[];
  /** Of a JSON body, whole, without references. Null where it takes none. */
  readonly body: Schema | null;
  /** Media types of a body that is a file; empty where it takes none. */
  readonly takesFile: readonly string[];
  /** Media types of its answer; empty where it answers without a body. */
  readonly answers: readonly string[];
  /** Of a JSON answer, with references. Null where there is none. */
  readonly answer: Schema | null;
  readonly isList: boolean;
}

export interface ApiTag {
  readonly name: string;
  readonly description: string;
}

export interface Api {
  readonly operations: readonly ApiOperation[];
  readonly tags: readonly ApiTag[];
  /** What references name. */
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** Deeper than any schema of ours goes; a schema that holds itself ends here. */
const DEPTH_MAX = 12;
const JSON_TYPE = "application/json";
/** What a body that is no file is sent as. */
const BODY_TYPES: ReadonlySet<string> = new Set([JSON_TYPE, "application/merge-patch+json"]);

interface Media {
  readonly schema?: Schema;
}

interface PresentedOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  security?: Record<string, string[]>[];
  parameters?: (Partial<Parameter> & { in?: string; $ref?: string })[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { content?: Record<string, Media> }>;
}

interface ApiDocument {
  tags: ApiTag[];
  paths: Record<string, Record<string, PresentedOperation>>;
  components: {
    schemas: Record<string, Schema>;
    parameters: Record<string, Partial<Parameter> & { in?: string }>;
  };
}

/** Every operation of the document (`buildDocument`), in its order. */
export function readApi(given: JsonObject): Api {
  const document = given as unknown as ApiDocument;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => read(document, path, method, operation)),
  );
  return { operations, tags: document.tags, schemas: document.components.schemas };
}

function read(
  document: ApiDocument,
  path: string,
  method: string,
  operation: PresentedOperation,
): ApiOperation {
  const { schemas, parameters } = document.components;
  const given = (operation.parameters ?? []).map((one) =>
    one.$ref === undefined ? one : (parameters[one.$ref.split("/").at(-1) ?? ""] ?? one),
  );
  const within = (place: string) =>
    given.filter((one) => one.in === place).map((one) => parameterOf(one, schemas));
  const content = operation.requestBody?.content ?? {};
  // Beside other types, JSON is one that a file may be of.
  const takesFile = Object.keys(content).some((type) => !BODY_TYPES.has(type));
  const body = takesFile ? undefined : content[JSON_TYPE]?.schema;
  const done = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"));
  return {
    id: operation.operationId,
    method: method.toUpperCase() as ApiOperation["method"],
    path,
    tag: operation.tags[0] ?? "",
    summary: operation.summary,
    description: operation.description ?? "",
    scopes: (operation.security ?? []).flatMap(({ apiKey = [] }) => apiKey),
    inPath: within("path"),
    inQuery: within("query"),
    inHeader: within("header"),
    body: body === undefined ? null : whole(body, schemas, 0),
    takesFile: takesFile ? Object.keys(content) : [],
    answer: done.flatMap(([, { content = {} }]) => content[JSON_TYPE]?.schema ?? [])[0] ?? null,
    answers: [...new Set(done.flatMap(([, response]) => Object.keys(response.content ?? {})))],
    isList: operation.operationId.startsWith("list"),
  };
}

function parameterOf(
  { name = "", required = false, description, schema = {} }: Partial<Parameter>,
  schemas: Readonly<Record<string, Schema>>,
): Parameter {
  return {
    name,
    required,
    description: description ?? schema.description ?? "",
    schema: whole(schema, schemas, 0),
  };
}

/** `schema` with what its references name in their place. */
function whole(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth: number): Schema {
  if (depth > DEPTH_MAX) {
    return {};
  }
  const { $ref, ...beside } = schema;
  if ($ref !== undefined) {
    return { ...whole(schemas[$ref.split("/").at(-1) ?? ""] ?? {}, schemas, depth + 1), ...beside };
  }
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    wholeValue(value, schemas, depth),
  ]);
  return withNull(Object.fromEntries(entries) as Schema);
}

/** What may be null, a set of values or an object, as one schema. */
function withNull(schema: Schema): Schema {
  const { anyOf = [], ...beside } = schema;
  const [some, none] = anyOf;
  if (some?.type === undefined || none?.type !== "null") {
    return schema;
  }
  const values = some.enum === undefined ? {} : { enum: [...some.enum, null] };
  return { ...some, ...beside, ...values, type: [some.type, "null"].flat() };
}

function wholeValue(
  value: unknown,
  schemas: Readonly<Record<string, Schema>>,
  depth: number,
): unknown {
  if (Array.isArray(value)) {
    return value.map((one) => wholeValue(one, schemas, depth + 1));
  }
  return typeof value === "object" && value !== null
    ? whole(value as Schema, schemas, depth + 1)
    : value;
}
