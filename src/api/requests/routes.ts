/** `/requests`: what the team's keys have asked lately, and what they were answered. */

import { Type } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { requestLogOf } from "#api/plugins/request-log.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope, Id, Nullable, OneOf, Page, PageQuery, Shape, Timestamp } from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import type { LoggedRequest } from "#platform/http/request-log.ts";
import { findKey } from "#store/team/keys.ts";

const METHODS = ["GET", "HEAD", "POST", "PATCH", "PUT", "DELETE", "OPTIONS"] as const;
const OUTCOMES = ["ok", "refused", "failed"] as const;

const LoggedCall = Shape({
  id: Type.String({ description: "The X-Request-Id of the answer" }),
  created_at: Timestamp,
  method: Type.String(),
  path: Type.String({ description: "With its query" }),
  status: Type.Integer(),
  duration_ms: Type.Integer({ minimum: 0 }),
  key_id: Id,
  key_name: Nullable(Type.String({ description: "null: the key is not there any more" })),
});
const LoggedCallPage = Page(LoggedCall);

const LoggedCallQuery = Shape({
  ...PageQuery.properties,
  method: Type.Optional(OneOf(METHODS)),
  outcome: Type.Optional(
    OneOf(OUTCOMES, { description: "ok: below 400; refused: 400 to 499; failed: 500 and above" }),
  ),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Part of the path" }),
  ),
  key_id: Type.Optional(Id),
});

export const requestRoutes = resource("audit", "/requests", "requests").get(
  "",
  ({ world, caller, request }) => {
    const query = readQuery(LoggedCallQuery, request);
    const calls = requestLogOf(world)
      .of(caller.teamId)
      .filter((call) => isWanted(call, query));
    const page = calls.slice(query.offset, query.offset + query.limit).map((call) => {
      const keyId = call.actor.slice("key:".length);
      const keyName = findKey(world.db, caller.teamId, keyId)?.name ?? null;
      return present(LoggedCall, { ...call, createdAt: call.at, keyId, keyName });
    });
    return envelope(page, calls.length, query);
  },
  {
    response: { 200: LoggedCallPage },
    detail: {
      summary: "List the latest requests, newest first",
      description:
        "The last 500 that the team's keys of this environment have made since the program started. " +
        "No bodies and no headers are kept.",
      ...queryOf(LoggedCallQuery),
    },
  },
);

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
