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
  400: { name: "InvalidRequest", description: "The body is no valid JSON" },
  401: {
    name: "Unauthorized",
    description: "The key is missing, malformed, unknown, revoked or expired",
    headers: ["WWW-Authenticate"],
  },
  402: { name: "PlanLimit", description: "The plan's limit is reached" },
  403: { name: "Forbidden", description: "The key lacks the scope" },
  404: {
    name: "NotFound",
    description: "No such record, or one of another team or environment",
  },
  409: {
    name: "Conflict",
    description: "A duplicate, a transition that the state does not allow, or a repeat under way",
  },
  412: {
    name: "PreconditionFailed",
    description: "The record is not the one that If-Match names",
    headers: ["ETag"],
  },
  413: { name: "PayloadTooLarge", description: "The body is larger than is read" },
  415: { name: "UnsupportedMediaType", description: "The body is not JSON" },
  422: {
    name: "ValidationError",
    description: "Well formed but wrong; `field` names what is to be mended",
  },
  429: {
    name: "RateLimited",
    description: "Too many requests with this key",
    headers: ["Retry-After", "RateLimit", "RateLimit-Policy"],
  },
  500: { name: "InternalError", description: "A fault of ours; quote the X-Request-Id" },
  503: {
    name: "Unavailable",
    description: "Shutting down, or the store cannot be written just now",
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
        description: "What kind of refusal it is; stable, unlike the message",
      },
    },
  };
}

const HEADERS: Readonly<Record<string, string>> = {
  "X-Request-Id": "The request's id, yours if you sent one; quote it to support",
  "WWW-Authenticate": "How to authenticate",
  ETag: "Version of the settable fields, for If-Match",
  "Retry-After": "Seconds to wait before the next try",
  RateLimit: "Requests left and seconds until the bucket is full",
  "RateLimit-Policy": "Requests a minute for each key",
  "Idempotent-Replayed": "`true` when this is the kept answer of an earlier request",
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
