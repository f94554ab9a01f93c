/** `/requests`: what the team's keys have asked lately, and what they were answered. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { requestLogOf } from "#api/plugins/request-log.ts";
import { queryOf, readQuery } from "#api/query.ts";
import {
  Count,
  envelope,
  IdOf,
  Nullable,
  OneOf,
  Page,
  PageQuery,
  Shape,
  TimestampOf,
} from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import { holds } from "#domain/team/api-key.ts";
import { BODY_CHARS_MAX, type LoggedRequest } from "#platform/http/request-log.ts";
import { findKey } from "#store/team/keys.ts";

const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"] as const;
const OUTCOMES = ["ok", "refused", "failed"] as const;

const body = (what: string) =>
  Nullable(
    Type.String({
      description: `${what}, as JSON: its first ${BODY_CHARS_MAX.toLocaleString("en")} characters, without secrets. Null unless the operator has set \`request_body_hours\`, for keys without \`admin\`, for files, and for what may contain secrets, such as accounts, keys, and webhooks`,
      examples: ['{"name":"Spring"}'],
    }),
  );

const LoggedCall = Shape({
  id: Type.String({ description: "`X-Request-Id` of the response", examples: ["req_8f14e45f"] }),
  created_at: TimestampOf("When the request was received"),
  method: Type.String({ description: "HTTP method", examples: ["GET"] }),
  path: Type.String({
    description: "Path with the query",
    examples: ["/api/v1/campaigns?limit=10"],
  }),
  status: Type.Integer({ description: "HTTP status of the response", examples: [200] }),
  duration_ms: Count("How long it took, in milliseconds"),
  key_id: IdOf("Key that made the request"),
  key_name: Nullable(
    Type.String({ description: "Name of the key; null when the key no longer exists" }),
  ),
  request_body: body("What was sent"),
  response_body: body("What was returned"),
});
const LoggedCallPage = Page(LoggedCall);

const LoggedCallQuery = Shape({
  ...PageQuery.properties,
  method: Type.Optional(OneOf(METHODS, { description: "Only requests with this method" })),
  outcome: Type.Optional(
    OneOf(OUTCOMES, {
      description:
        "Only requests with this outcome: `ok` below 400, `refused` from 400 to 499, `failed` from 500",
    }),
  ),
  path: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Only requests whose path contains this",
      examples: ["/campaigns"],
    }),
  ),
  key_id: Type.Optional(IdOf("Only requests of this key")),
});

export const requestRoutes = resource("audit", "/requests", "requests").get(
  "",
  ({ env, caller, request }) => {
    const query = readQuery(LoggedCallQuery, request);
    // A body may hold what the key has no scope for.
    const mayReadAll = holds(caller.scopes, "admin");
    const calls = requestLogOf(env)
      .of(caller.teamId, env.wall.now())
      .filter((call) => isWanted(call, query));
    const page = calls.slice(query.offset, query.offset + query.limit).map((call) => {
      const keyId = call.actor.slice("key:".length);
      const keyName = findKey(env.db, caller.teamId, keyId)?.name ?? null;
      const { request: requestBody, response: responseBody } = mayReadAll ? call.bodies : NONE;
      const bodies = { requestBody, responseBody };
      return present(LoggedCall, { ...call, ...bodies, createdAt: call.at, keyId, keyName });
    });
    return envelope(page, calls.length, query);
  },
  {
    response: { 200: LoggedCallPage },
    detail: {
      summary: "List recent requests",
      description:
        "Returns the last 500 requests of the team's keys in this environment since the server " +
        "started, newest first. Headers are not stored, and bodies only in memory, where the operator has " +
        "set how long.",
      ...queryOf(LoggedCallQuery),
    },
  },
);

const NONE = { request: null, response: null };

function isWanted(call: LoggedRequest, query: Inner<typeof LoggedCallQuery>): boolean {
  const { method, outcome, path, keyId } = query;
  return (
    (method === undefined || call.method === method) &&
    (outcome === undefined || outcomeOf(call.status) === outcome) &&
    (path === undefined || call.path.includes(path)) &&
    (keyId === undefined || call.actor === `key:${keyId.toLowerCase()}`)
  );
}

function outcomeOf(status: number): "ok" | "refused" | "failed" {
  if (status < 400) {
    return "ok";
  }
  return status < 500 ? "refused" : "failed";
}
