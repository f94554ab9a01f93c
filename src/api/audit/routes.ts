/** `/audit`: who changed what, when, and how it was before. */

import { Type } from "@sinclair/typebox";
import { resource, type Worlds } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { CursorPage, CursorQuery, Instant, Nullable, Shape, Timestamp } from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import { invalid } from "#domain/problem.ts";
import { type AuditRange, listAudit } from "#store/events/audit.ts";
import type { AuditRow } from "#store/tables/journal.ts";
import { findKey } from "#store/team/keys.ts";
import { findUser } from "#store/team/people.ts";
import type { World } from "#world.ts";

const Facts = Nullable(
  Type.Record(Type.String(), Type.Unknown(), {
    description: "Fields as the API names them; of a change only those that differ",
  }),
);

const AuditEntry = Shape({
  seq: Type.Integer({ minimum: 1, description: "Rises with time" }),
  actor: Type.String({
    description:
      "`user:<id>`, `key:<id>`, `engine` for what was done by itself, `operator` on the command line",
  }),
  actor_name: Nullable(
    Type.String({ description: "What the person or the key is called now; null for the others" }),
  ),
  action: Type.String({ description: "`<noun>.<verb>`, for example `campaign.pause`" }),
  target: Type.String({ description: "`<noun>:<id>`" }),
  created_at: Timestamp,
  request_id: Nullable(Type.String({ description: "The X-Request-Id of the request that did it" })),
  before: Facts,
  after: Facts,
});
const AuditPage = CursorPage(AuditEntry);

const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }));

const AuditQuery = Shape({
  ...CursorQuery.properties,
  actor: filter("`user:<id>`, `key:<id>`, `engine`, `operator`; `key:*` for any key"),
  action: filter("`campaign.patch`, or `campaign.*` for all that was done to campaigns"),
  target: filter("`campaign:<id>`, or `campaign:*`"),
  request_id: filter("One request's entries"),
  since: Type.Optional(Instant("From this time on")),
  until: Type.Optional(Instant("Before this time")),
});

export function auditRoutes(worlds: Worlds) {
  return resource("audit", "/audit").get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(AuditQuery, request);
      const { limit, offset } = query;
      const { rows, total } = listAudit(world.db, caller.teamId, query, rangeOf(query));
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return {
        data: page.map((entry) => {
          const actorName = nameOf(worlds.live, world, entry);
          return present(AuditEntry, { ...entry, actorName, createdAt: entry.at });
        }),
        total,
        limit,
        offset,
        hasMore,
        next_cursor: hasMore ? String(page.at(-1)?.seq) : null,
      };
    },
    {
      response: { 200: AuditPage },
      detail: {
        summary: "List the audit log, newest first",
        description:
          "Every change by a person, a key, on the command line, or by the engine's own guards. Never " +
          "a secret, and of recipients ids only.",
        ...queryOf(AuditQuery),
      },
    },
  );
}

/** People are in the live world, keys in the one that they open. */
function nameOf(live: World, world: World, { teamId, actor }: AuditRow): string | null {
  const [kind, id] = actor.split(":");
  if (id === undefined) {
    return null;
  }
  const found = kind === "user" ? findUser(live.db, id) : findKey(world.db, teamId, id);
  return found?.name ?? null;
}

const SEQ = /^[1-9]\d{0,14}$/;

/** One entry more than the page shows, to see whether it ends. */
function rangeOf({ limit, offset, after }: Inner<typeof AuditQuery>): AuditRange {
  if (after === undefined) {
    return { limit: limit + 1, offset };
  }
  if (!SEQ.test(after)) {
    throw invalid("after", "must be the next_cursor of an earlier page");
  }
  return { limit: limit + 1, offset, before: Number(after) };
}
