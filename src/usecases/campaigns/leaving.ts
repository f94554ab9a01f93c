/** Drafts that this process is deleting or bringing back, which nobody starts meanwhile. */

import { conflict } from "#domain/problem.ts";
import type { Environment } from "#environment.ts";
import type { Id } from "#store/sqlite/columns.ts";

const leaving = new WeakMap<Environment, Set<Id>>();

/** Throws `conflict` for one that leaves or comes back. */
export function checkStays(env: Environment, campaignId: Id): void {
  if (leaving.get(env)?.has(campaignId)) {
    throw conflict("this campaign is being deleted or restored", "status");
  }
}

/** It leaves until `work` has ended. Throws `conflict` while it leaves already. */
export async function whileLeaving<Result>(
  env: Environment,
  campaignId: Id,
  work: () => Promise<Result>,
): Promise<Result> {
  checkStays(env, campaignId);
  const known = leaving.get(env) ?? new Set();
  leaving.set(env, known.add(campaignId));
  try {
    return await work();
  } finally {
    known.delete(campaignId);
  }
}
