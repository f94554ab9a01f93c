/** What time does to the health of mailboxes: days leave the window, pauses end, runs that were wanted begin. */

import type { UnixMs } from "#domain/time.ts";
import { accountsToJudge } from "#store/campaigns/health.ts";
import { accountById, updateAccount } from "#store/mailboxes/accounts.ts";
import { refreshHealth } from "#usecases/campaigns/health.ts";
import type { World } from "#world.ts";
import { startHealthRun } from "./placement-runs.ts";

/** Judges accounts whose time has come, `limit` at most; returns how many. Runs inside a commit. */
export function turnHealth(world: World, now: UnixMs, limit: number): number {
  const ids = accountsToJudge(world.db, now, limit);
  for (const id of ids) {
    const row = accountById(world.db, id);
    if (row?.health.wantsRun === true) {
      updateAccount(world.db, { ...row, health: { ...row.health, wantsRun: false } });
      startHealthRun(world, id);
    }
    refreshHealth(world, id);
  }
  return ids.length;
}
