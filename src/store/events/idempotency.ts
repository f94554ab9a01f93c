/** Responses stored for repeated requests. */

import { and, eq, lt, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { inserter } from "#store/sqlite/rows.ts";
import { type IdempotencyRow, idempotency } from "#store/tables/teams.ts";

const byKey = prepared((db) =>
  db.orm
    .select()
    .from(idempotency)
    .where(and(equals(idempotency.teamId, "teamId"), eq(idempotency.key, sql.placeholder("key"))))
    .prepare(),
);

export function findResponse(db: Db, teamId: Id, key: string): IdempotencyRow | undefined {
  return byKey(db).get({ teamId, key });
}

export const insertResponse = inserter(idempotency);

const prune = prepared((db) =>
  db.orm
    .delete(idempotency)
    .where(lt(idempotency.createdAt, placeholder(idempotency.createdAt, "before")))
    .prepare(),
);

/** Deletes responses older than `before`. */
export function pruneResponses(db: Db, before: UnixMs): void {
  prune(db).run({ before });
}

const drop = prepared((db) =>
  db.orm
    .delete(idempotency)
    .where(and(equals(idempotency.teamId, "teamId"), eq(idempotency.key, sql.placeholder("key"))))
    .prepare(),
);

export function dropResponse(db: Db, teamId: Id, key: string): void {
  drop(db).run({ teamId, key });
}
