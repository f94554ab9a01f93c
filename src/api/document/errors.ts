/** The refusals of every operation, said once under `components` and named by each operation. */

import { PROBLEM_STATUS } from "#domain/problem.ts";
import { ErrorBody } from "../schema.ts";
import type { JsonObject } from "./json.ts";
import { cleanSchema } from "./schema.ts";

interface Refusal {
  name: string;
  description: string;
  headers?: readonly string[];
}

const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: { name: "InvalidRequest", description: "The body is not valid JSON." },
  401: {
    name: "Unauthorized",
    description: "The key is missing, malformed, unknown, revoked or expired.",
    headers: ["WWW-Authenticate"],
  },
  402: { name: "PlanLimit", description: "A limit of the plan is reached; `field` names it." },
  403: { name: "Forbidden", description: "The key lacks the scope that the operation needs." },
  404: {
    name: "NotFound",
    description: "There is no such record, or it belongs to another team or environment.",
  },
  405: { name: "MethodNotAllowed", description: "The path doesn't take the method." },
  409: {
    name: "Conflict",
    description:
      "The record exists already, its state does not allow the change, or the first request with this Idempotency-Key is still running.",
  },
  412: {
    name: "PreconditionFailed",
    description: "The record has changed since it was read: its ETag is not the one in If-Match.",
    headers: ["ETag"],
  },
  413: { name: "PayloadTooLarge", description: "The body is too large." },
  415: {
    name: "UnsupportedMediaType",
    description: "The body has another media type than the operation takes.",
  },
  422: {
    name: "ValidationError",
    description:
      "A field or parameter is wrong; `field` names it, and `message` says what would be right.",
  },
  429: {
    name: "RateLimited",
    description: "Too many requests with this key. Try again after `Retry-After` seconds.",
    headers: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  },
  500: {
    name: "InternalError",
    description: "An error on the server. Quote `X-Request-Id` when you report it.",
  },
  503: {
    name: "Unavailable",
    description:
      "The server is shutting down or cannot write at the moment. Try again after `Retry-After` seconds.",
    headers: ["Retry-After"],
  },
};

/** What an operation is, as far as its refusals follow from it. */
export interface Refusable {
  hasPathId: boolean;
  hasBody: boolean;
  hasQuery: boolean;
  changes: boolean;
  takesIfMatch: boolean;
  /** The operation is a POST, and so takes an `Idempotency-Key`. */
  repeats: boolean;
}

/** The statuses that an operation may refuse with, besides `extra` ones that its route names. */
export function refusalsOf(operation: Refusable, extra: readonly number[] = []): number[] {
  const takesInput = operation.hasBody || operation.hasQuery || operation.hasPathId;
  const statuses = [
    ...(operation.hasBody ? [400, 413, 415] : []),
    401,
    403,
    ...(operation.hasPathId ? [404] : []),
    ...(operation.changes ? [409] : []),
    ...(operation.takesIfMatch ? [412] : []),
    ...(takesInput || operation.repeats ? [422] : []),
    429,
    500,
    503,
    ...extra,
  ];
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** Responses of an operation, as references to {@link refusalComponents}. */
export function refusalResponses(statuses: readonly number[]): JsonObject {
  const entries = statuses.flatMap((status) => {
    const refusal = REFUSALS[status];
    return refusal === undefined
      ? []
      : [[String(status), { $ref: `#/components/responses/${refusal.name}` }]];
  });
  return Object.fromEntries(entries) as JsonObject;
}

/** `components.responses`. */
export function refusalComponents(): JsonObject {
  const entries = Object.values(REFUSALS).map(({ name, description, headers = [] }) => [
    name,
    {
      description,
      headers: headerReferences(["X-Request-Id", ...headers]),
      content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } },
    },
  ]);
  return Object.fromEntries(entries) as JsonObject;
}

/** The shape of every refusal, with the closed set of its types. */
export function errorBody(): JsonObject {
  const schema = cleanSchema(ErrorBody as unknown as JsonObject, true);
  return {
    ...schema,
    properties: {
      ...(schema["properties"] as JsonObject),
      type: {
        type: "string",
        enum: Object.keys(PROBLEM_STATUS),
        description: "What kind of error it is; stable, unlike the message",
      },
    },
  };
}

const HEADERS: Readonly<Record<string, string>> = {
  "X-Request-Id": "Id of the request, your own if you sent one",
  "WWW-Authenticate": "How to authenticate",
  ETag: "Version of the record, for If-Match",
  "Retry-After": "Seconds to wait before trying again",
  RateLimit: "Remaining requests, and seconds until the limit is full again",
  "RateLimit-Policy": "Requests per minute and key",
  "Idempotent-Replayed": "`true` when the response to an earlier request is repeated",
};

/** `components.headers`. */
export function headerComponents(): JsonObject {
  const entries = Object.entries(HEADERS).map(([name, description]) => [
    name,
    { description, schema: { type: "string" } },
  ]);
  return Object.fromEntries([
    ...entries,
    [
      "Location",
      { description: "Path of the new record", required: true, schema: { type: "string" } },
    ],
  ]) as JsonObject;
}

export function headerReferences(names: readonly string[]): JsonObject {
  const entries = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
  return Object.fromEntries(entries) as JsonObject;
}
