/** Answers kept for repeated requests. */

import { and, eq, lt, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { type IdempotencyRow, idempotency } from "./tables/teams.ts";

const byKey = prepared((db) =>
  db.orm
    .select()
    .from(idempotency)
    .where(and(equals(idempotency.teamId, "teamId"), eq(idempotency.key, sql.placeholder("key"))))
    .prepare(),
);

export function findAnswer(db: Db, teamId: Id, key: string): IdempotencyRow | undefined {
  return byKey(db).get({ teamId, key });
}

export function insertAnswer(db: Db, row: IdempotencyRow): void {
  db.orm.insert(idempotency).values(row).run();
}

/** Forgets answers older than `before`. */
export function pruneAnswers(db: Db, before: UnixMs): void {
  db.orm.delete(idempotency).where(lt(idempotency.createdAt, before)).run();
}

export function dropAnswer(db: Db, teamId: Id, key: string): void {
  db.orm
    .delete(idempotency)
    .where(and(eq(idempotency.teamId, teamId), eq(idempotency.key, key)))
    .run();
}
