/** What time does to the health of mailboxes: days leave the window, pauses end, runs that were wanted begin. */

import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { accountsToAssess } from "#store/campaigns/health.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { refreshHealth } from "#usecases/campaigns/health.ts";
import { startHealthRun } from "./placement-runs.ts";

/** Assesses accounts whose time has come, `limit` at most; returns how many. Runs inside a commit. */
export function turnHealth(env: Environment, now: UnixMs, limit: number): number {
  const ids = accountsToAssess(env.db, now, limit);
  for (const id of ids) {
    const row = accountById(env.db, id);
    if (row?.health.wantsRun === true) {
      updateAccount(env.db, { ...row, health: { ...row.health, wantsRun: false } });
      startHealthRun(env, id);
    }
    refreshHealth(env, id);
  }
  return ids.length;
}
