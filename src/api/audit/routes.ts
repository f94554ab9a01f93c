/** `/audit`: who changed what, when, and how it was before. */

import type { Static } from "@sinclair/typebox";
import { resource, type Worlds } from "#api/context.ts";
import { queryOf, readQuery } from "#api/query.ts";
import { invalid } from "#domain/problem.ts";
import { fromIso } from "#domain/time.ts";
import { type AuditFilter, type AuditRange, listAudit } from "#store/events/audit.ts";
import type { AuditRow } from "#store/tables/journal.ts";
import { findKey } from "#store/team/keys.ts";
import { findUser } from "#store/team/people.ts";
import type { World } from "#world.ts";
import { AuditPage, AuditQuery, presentEntry } from "./schema.ts";

export function auditRoutes(worlds: Worlds) {
  return resource("audit", "/audit").get(
    "",
    ({ world, caller, request }) => {
      const query = readQuery(AuditQuery, request);
      const { limit, offset } = query;
      const { rows, total } = listAudit(world.db, caller.teamId, filterOf(query), rangeOf(query));
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return {
        data: page.map((entry) => presentEntry(entry, nameOf(worlds.live, world, entry))),
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

type Query = Static<typeof AuditQuery>;

function filterOf({ actor, action, target, request_id, since, until }: Query): AuditFilter {
  return {
    ...(actor === undefined ? {} : { actor }),
    ...(action === undefined ? {} : { action }),
    ...(target === undefined ? {} : { target }),
    ...(request_id === undefined ? {} : { requestId: request_id }),
    ...(since === undefined ? {} : { since: fromIso(since, "since") }),
    ...(until === undefined ? {} : { until: fromIso(until, "until") }),
  };
}

const SEQ = /^[1-9]\d{0,14}$/;

/** One entry more than the page shows, to see whether it ends. */
function rangeOf({ limit, offset, after }: Query): AuditRange {
  if (after === undefined) {
    return { limit: limit + 1, offset };
  }
  if (!SEQ.test(after)) {
    throw invalid("after", "must be the next_cursor of an earlier page");
  }
  return { limit: limit + 1, offset, before: Number(after) };
}
