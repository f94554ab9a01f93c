/** One operation of the document: parameters, body, answers, refusals. */

import { ANY_SCOPE, declaredScope } from "#api/plugins/routes.ts";
import type { CollectedOperation, CollectedParameter, CollectedRoute } from "./collect.ts";
import { headerReferences, type Refusable, refusalResponses, refusalsOf } from "./errors.ts";
import { isObject, type JsonObject } from "./json.ts";
import { isItemPath, operationId } from "./names.ts";
import { cleanSchema } from "./schema.ts";

const JSON_TYPE = "application/json";
const MERGE_PATCH_TYPE = "application/merge-patch+json";

/** Schemas of an operation, before they get names of their own. */
export interface Operation {
  id: string;
  route: CollectedRoute;
  /** The answer that says it worked, 204 without a schema. */
  success: { status: number; schema: JsonObject | undefined }[];
  body: JsonObject | undefined;
  /** Of the parameters in the query. */
  query: JsonObject;
}

/** What the document needs to know before it can name things. */
export function readOperation(route: CollectedRoute): Operation {
  const { method, path, operation } = route;
  const success = readSuccess(route);
  const answer = success[0]?.schema;
  const id = operationId({
    method,
    path,
    creates: success.some(({ status }) => status === 201),
    lists: isList(answer),
  });
  const body = schemaOf(operation.requestBody?.content, false);
  return { id, route, success, body, query: cleanSchema(operation["x-query"] ?? {}, false) };
}

function readSuccess({ method, operation }: CollectedRoute): Operation["success"] {
  if (method === "delete" && !Object.values(operation.responses).some(({ content }) => content)) {
    return [{ status: 204, schema: undefined }];
  }
  return Object.entries(operation.responses)
    .filter(([status]) => /^2\d\d$/.test(status))
    .map(([status, { content }]) => ({
      status: Number(status),
      schema: status === "204" ? undefined : schemaOf(content, true),
    }));
}

function schemaOf(
  content: CollectedOperation["responses"][string]["content"],
  open: boolean,
): JsonObject | undefined {
  const schema = content?.[JSON_TYPE]?.schema;
  return schema === undefined ? undefined : cleanSchema(schema, open);
}

/** The list forms of the API: a bare array, or an object whose `data` is one. */
function isList(schema: JsonObject | undefined): boolean {
  const properties = schema?.["properties"];
  const data = isObject(properties) ? properties["data"] : undefined;
  return schema?.["type"] === "array" || (isObject(data) && data["type"] === "array");
}

/** The operation as the document shows it; `name` puts a reference where a schema has a name. */
export function presentOperation(
  { id, route, success, body, query: asked }: Operation,
  name: (schema: JsonObject) => JsonObject,
): JsonObject {
  const { method, path, operation } = route;
  const query = queryParameters(asked, name);
  const traits: Refusable = {
    hasPathId: path.includes("{"),
    hasBody: body !== undefined || operation["x-body-types"] !== undefined,
    hasQuery: query.length > 0,
    changes: method !== "get",
    takesIfMatch: method === "patch",
    repeats: method === "post",
  };
  const parameters = [
    ...pathParameters(operation.parameters ?? []),
    ...query,
    ...(traits.repeats ? [{ $ref: "#/components/parameters/IdempotencyKey" }] : []),
    ...(traits.takesIfMatch ? [{ $ref: "#/components/parameters/IfMatch" }] : []),
  ];
  const scope = declaredScope(method.toUpperCase(), operation);
  const answers = success.map(({ status, schema }) => [
    String(status),
    answer(route, status, schema === undefined ? undefined : name(schema)),
  ]);
  return {
    operationId: id,
    ...(operation.tags === undefined ? {} : { tags: operation.tags }),
    ...(operation.summary === undefined ? {} : { summary: operation.summary }),
    ...(operation.description === undefined ? {} : { description: operation.description }),
    ...(scope === null ? {} : { security: [{ apiKey: scope === ANY_SCOPE ? [] : [scope] }] }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(route, name(body)) }),
    ...streamedBody(operation["x-body-types"]),
    responses: {
      ...Object.fromEntries(answers),
      ...refusalResponses(refusalsOf(traits, operation["x-errors"])),
      ...(operation["x-body-types"] === undefined || query.length === 0 ? {} : LONG_QUERY),
    },
  };
}

function pathParameters(parameters: readonly CollectedParameter[]): JsonObject[] {
  return parameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name, schema, description }) => ({
      name,
      in: "path",
      required: true,
      ...(description === undefined ? {} : { description }),
      schema: cleanSchema(schema, false),
    }));
}

function queryParameters(
  { properties, required }: JsonObject,
  name: (schema: JsonObject) => JsonObject,
): JsonObject[] {
  if (!isObject(properties)) {
    return [];
  }
  return Object.entries(properties)
    .filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
    .map(([key, { description, ...property }]) => {
      const isRequired = Array.isArray(required) && required.includes(key);
      return {
        name: key,
        in: "query",
        required: isRequired && !("default" in property),
        ...(description === undefined ? {} : { description }),
        schema: name(property),
      };
    });
}

function requestBody({ method, operation }: CollectedRoute, schema: JsonObject): JsonObject {
  const types = method === "patch" ? [JSON_TYPE, MERGE_PATCH_TYPE] : [JSON_TYPE];
  const required = operation["x-optional-body"] !== true;
  return { required, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** What a file of a type is to generators of clients, where it is no text. */
const FILE_SCHEMAS: Readonly<Record<string, JsonObject>> = {
  "application/octet-stream": { type: "string", format: "binary" },
  "application/json": { type: "array", items: {} },
};

function streamedBody(types: CollectedOperation["x-body-types"]): JsonObject {
  if (types === undefined) {
    return {};
  }
  const content = Object.entries(types).map(([type, description]) => {
    return [type, { schema: { ...(FILE_SCHEMAS[type] ?? { type: "string" }), description } }];
  });
  return { requestBody: { required: true, content: Object.fromEntries(content) } };
}

/** Beside a file all that is said stands in the query. What is too long the runtime refuses, in no words. */
const LONG_QUERY = {
  431: { description: "Query and headers exceed 16 KiB. Send a shorter `map`." },
};

const MEANINGS: Readonly<Record<number, string>> = {
  200: "Success.",
  201: "Created.",
  202: "Accepted; the work continues in the background.",
  204: "Success, without a body.",
};

function answer(route: CollectedRoute, status: number, schema: JsonObject | undefined): JsonObject {
  const given = route.operation.responses[String(status)];
  const content = schema === undefined ? otherContent(given?.content) : { [JSON_TYPE]: { schema } };
  return {
    description: given?.description ?? MEANINGS[status] ?? "Success.",
    headers: headerReferences(responseHeaders(route, status)),
    ...(content === undefined ? {} : { content }),
  };
}

function responseHeaders({ method, path }: CollectedRoute, status: number): string[] {
  return [
    "X-Request-Id",
    ...(status === 201 ? ["Location"] : []),
    ...(method === "post" ? ["Idempotent-Replayed"] : []),
    ...(method === "patch" || (method === "get" && isItemPath(path)) ? ["ETag"] : []),
  ];
}

/** What a route that answers something else than JSON says of it by itself. */
function otherContent(content: CollectedOperation["responses"][string]["content"]) {
  const others = Object.entries(content ?? {}).filter(([type]) => type !== JSON_TYPE);
  return others.length === 0 ? undefined : Object.fromEntries(others);
}
