/** `/requests`: what the team's keys have asked lately, and what they were answered. */

import type { Static } from "@sinclair/typebox";
import { resource } from "#api/context.ts";
import { requestLogOf } from "#api/plugins/request-log.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { envelope } from "#api/schema.ts";
import type { LoggedRequest } from "#platform/http/request-log.ts";
import { findKey } from "#store/team/keys.ts";
import { LoggedCallPage, LoggedCallQuery, presentCall } from "./schema.ts";

export const requestRoutes = resource("audit", "/requests", "requests").get(
  "",
  ({ world, caller, request }) => {
    const query = readQuery(LoggedCallQuery, request);
    const calls = requestLogOf(world)
      .of(caller.teamId)
      .filter((call) => isWanted(call, query));
    const nameOf = (keyId: string) => findKey(world.db, caller.teamId, keyId)?.name ?? null;
    return envelope(
      calls
        .slice(query.offset, query.offset + query.limit)
        .map((call) => presentCall(call, nameOf)),
      calls.length,
      query,
    );
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

function isWanted(call: LoggedRequest, query: Static<typeof LoggedCallQuery>): boolean {
  const { method, outcome, path, key_id } = query;
  return (
    (method === undefined || call.method === method) &&
    (outcome === undefined || outcomeOf(call.status) === outcome) &&
    (path === undefined || call.path.includes(path)) &&
    (key_id === undefined || call.actor === `key:${key_id.toLowerCase()}`)
  );
}

function outcomeOf(status: number): "ok" | "refused" | "failed" {
  if (status < 400) {
    return "ok";
  }
  return status < 500 ? "refused" : "failed";
}
