/** API keys, found by the hash of what a client sends. */

import { and, asc, count, eq, isNull, ne, or } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import type { Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { inserter, teamFinder, uniqueFinder, updater } from "#store/sqlite/rows.ts";
import { type ApiKeyRow, apiKeys } from "#store/tables/teams.ts";

export const insertKey = inserter(apiKeys);
export const findKey = teamFinder(apiKeys);

export const findKeyByHash = uniqueFinder(apiKeys, "hash");

/** What was sent in this turn of the event loop, and the key that it is. */
const sentNow = prepared(() => new Map<string, ApiKeyRow>());

/**
 * The key that `sent` is, as `find` says, or as it has said in this turn: requests that come together ask
 * once. The next turn asks again, since another process may revoke a key.
 */
export function keySent(
  db: Db,
  sent: string,
  find: () => ApiKeyRow | undefined,
): ApiKeyRow | undefined {
  const known = sentNow(db);
  const before = known.get(sent);
  if (before !== undefined) {
    return before;
  }
  const row = find();
  if (row !== undefined) {
    if (known.size === 0) {
      setImmediate(() => known.clear());
    }
    known.set(sent, row);
  }
  return row;
}

const update = updater(apiKeys);

export function updateKey(db: Db, row: ApiKeyRow): void {
  sentNow(db).clear();
  update(db, row);
}

/** Keys of a team, oldest first, revoked ones too. */
export function listKeys(
  db: Db,
  teamId: Id,
  page: { limit: number; offset: number },
): { rows: ApiKeyRow[]; total: number } {
  const mine = eq(apiKeys.teamId, teamId);
  const rows = db.orm
    .select()
    .from(apiKeys)
    .where(mine)
    .orderBy(asc(apiKeys.id))
    .limit(page.limit)
    .offset(page.offset)
    .all();
  const total = db.orm.select({ n: count() }).from(apiKeys).where(mine).get()?.n ?? 0;
  return { rows, total };
}

/** Keys of the team beside `except` that are neither revoked nor limited in time. */
export function otherLastingKeys(db: Db, teamId: Id, except: Id): ApiKeyRow[] {
  return db.orm
    .select()
    .from(apiKeys)
    .where(
      and(
        eq(apiKeys.teamId, teamId),
        ne(apiKeys.id, except),
        isNull(apiKeys.revokedAt),
        isNull(apiKeys.expiresAt),
      ),
    )
    .all();
}

/** Notes the use of a key, at most once in `everyMs`. */
export function touchKey(db: Db, row: ApiKeyRow, now: UnixMs): void {
  db.orm
    .update(apiKeys)
    .set({ lastUsedAt: now })
    .where(and(eq(apiKeys.id, row.id), or(isNull(apiKeys.lastUsedAt), ne(apiKeys.lastUsedAt, now))))
    .run();
}
