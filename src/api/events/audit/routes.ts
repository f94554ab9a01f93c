/** `/audit`: who changed what, when, and how it was before. */

import { type Static, Type } from "@sinclair/typebox";
import { type Environments, resource } from "#api/context.ts";
import { isFiltered, listQuery, readFiltered } from "#api/filter.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { FilteredCursorPage, Instant, Nullable, Shape, TimestampOf } from "#api/schema.ts";
import { type Inner, present } from "#api/wire.ts";
import { invalid } from "#domain/problem.ts";
import { type AuditRange, listAudit } from "#store/events/audit.ts";
import { AUDIT_LIST } from "#store/filter/log-lists.ts";
import type { AuditRow } from "#store/tables/events.ts";
import { actorName } from "#usecases/team/actors.ts";

const facts = (when: string) =>
  Nullable(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `Fields of the record ${when} the change, only those that differ; null for none`,
    }),
  );

const HASH = "^[0-9a-f]{64}$";

const AuditEntry = Shape({
  seq: Type.Integer({ minimum: 1, description: "Sequence number that rises with every entry" }),
  actor: Type.String({
    description:
      "Who made the change: `user:<id>`, `key:<id>`, `engine` for automatic changes, `operator` for the command line",
    examples: ["key:01952c6a-4000-7000-8000-000000000100"],
  }),
  actor_name: Nullable(
    Type.String({
      description: "Current name of the user or the key; null for the others",
      examples: ["CRM sync"],
    }),
  ),
  action: Type.String({ description: "What was done", examples: ["campaign.pause"] }),
  target: Type.String({
    description: "Record that was changed",
    examples: ["campaign:01952c6a-4000-7000-8000-000000000200"],
  }),
  created_at: TimestampOf("When it was changed"),
  request_id: Nullable(
    Type.String({
      description: "`X-Request-Id` of the request that made the change; null without one",
    }),
  ),
  before: facts("before"),
  after: facts("after"),
  position: Nullable(
    Type.Integer({
      minimum: 1,
      description:
        "Number of the entry in the team's chain, without gaps; null for entries from before there was one",
    }),
  ),
  hash: Nullable(
    Type.String({
      pattern: HASH,
      description: "SHA-256 of the entry and of the previous entry's hash, in hex",
    }),
  ),
});
const AuditPage = FilteredCursorPage(AuditEntry);

const filter = (description: string, example: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description, examples: [example] }));

const AuditQuery = listQuery(AUDIT_LIST, {
  actor: filter("Only changes by this actor, as entries name it; `key:*` for any key", "key:*"),
  action: filter("Only this action; `campaign.*` for all actions on campaigns", "campaign.*"),
  target: filter("Only changes of this record; `campaign:*` for all campaigns", "campaign:*"),
  request_id: filter("Only changes made by this request", "req_8f14e45f"),
  since: Type.Optional(Instant("Only changes made at or after this time")),
  until: Type.Optional(Instant("Only changes made before this time")),
});

export function auditRoutes(environments: Environments) {
  return resource("audit", "/audit").get(
    "",
    async ({ env, caller, request }): Promise<Static<typeof AuditPage>> => {
      const query = readQuery(AuditQuery, request);
      const shown = (entry: AuditRow) => {
        const name = actorName(environments.live, env, entry);
        return present(AuditEntry, {
          ...{ ...entry, actorName: name, createdAt: entry.at },
          hash: entry.hash?.toHex() ?? null,
        });
      };
      if (isFiltered(query)) {
        const found = await readFiltered(env, caller, AUDIT_LIST, query);
        return { data: found.rows.map(shown), ...found.page };
      }
      const { limit, offset } = query;
      const { rows, total } = listAudit(env.db, caller.teamId, query, rangeOf(query));
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return {
        data: page.map(shown),
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
        summary: "List audit entries",
        description:
          "Returns who changed what, and when, newest first: every change by a user, a key, the " +
          "command line or the engine itself. Entries contain no secrets, and only ids of " +
          "recipients.",
        ...queryOf(AuditQuery),
      },
    },
  );
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
