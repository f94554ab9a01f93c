/** What was deleted and can still be brought back: for thirty days, unless it is purged before. */

import { found, Problem } from "#domain/problem.ts";
import { permits } from "#domain/team/api-key.ts";
import { DAY_MS, plus, type UnixMs } from "#domain/time.ts";
import { type Caller, type Environment, engineCaller } from "#environment.ts";
import { ownTurn } from "#platform/turns.ts";
import { removeFigures } from "#store/campaigns/figures.ts";
import { removeHealth } from "#store/campaigns/health.ts";
import { accountById } from "#store/mailboxes/accounts.ts";
import { deletedBefore, dropAside, findDeleted, removeDeleted } from "#store/operations/deleted.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { DeletedKind, DeletedRow } from "#store/tables/deleted.ts";
import { audit } from "#usecases/events/record.ts";
import { purgeWebhook } from "#usecases/events/webhooks.ts";

const KEPT_MS = 30 * DAY_MS;
/** A slice takes a few milliseconds. */
const SLICE_MAX = 500;
/** Purged in one go; the rest an hour later. */
const PURGES_MAX = 100;

/** The resource whose scopes a key needs. */
export const RESOURCE_OF = {
  campaign: "campaigns",
  account: "accounts",
  webhook: "webhooks",
} as const satisfies Record<DeletedKind, string>;

/** When nobody can bring it back any more. */
export function purgeAt({ deletedAt }: DeletedRow): UnixMs {
  return plus(deletedAt, KEPT_MS);
}

/** Forgets it for good. Throws `not_found`, and `permission_error` for a key that may not delete it. */
export async function purgeByHand(env: Environment, caller: Caller, id: Id): Promise<void> {
  const row = found(findDeleted(env.db, caller.teamId, id), "deleted record");
  const resource = RESOURCE_OF[row.kind];
  if (!permits(caller.scopes, resource, "write")) {
    throw new Problem("permission_error", `the key needs the scope ${resource}:write`);
  }
  await purge(env, caller, row);
}

/** Upkeep: forgets what was deleted thirty days ago. */
export async function purgeDeleted(env: Environment, now: UnixMs): Promise<void> {
  for (let purges = 0; purges < PURGES_MAX; purges += 1) {
    const row = deletedBefore(env.db, plus(now, -KEPT_MS));
    if (row === undefined) {
      return;
    }
    await purge(env, engineCaller(row.teamId), row);
  }
}

/** Secrets first. What is interrupted is purged by the next call. */
async function purge(env: Environment, caller: Caller, { id, kind, name }: DeletedRow) {
  while ((await env.commit(() => dropAside(env.db, id, SLICE_MAX))) === SLICE_MAX) {
    await ownTurn();
  }
  await env.commit(() => {
    const row = findDeleted(env.db, caller.teamId, id);
    if (row === undefined) {
      return;
    }
    if (kind === "account" && accountById(env.db, id) === undefined) {
      removeHealth(env.db, id);
      removeFigures(env.db, id);
    }
    if (kind === "webhook") {
      purgeWebhook(env, id);
    }
    removeDeleted(env.db, id);
    audit(env, caller, { action: `${kind}.purge`, target: `${kind}:${id}`, before: { name } });
  });
}
