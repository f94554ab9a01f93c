/** Lets the lanes look at everything anew: where hints may be from before a crash, or of another clock. */

import type { UnixMs } from "#domain/time.ts";
import { pullBackAccounts, wakeAccounts } from "#store/mailboxes/accounts.ts";
import { listTeams } from "#store/team/teams.ts";
import type { World } from "#world.ts";

export function wakeAll(world: World): void {
  for (const team of listTeams(world.db)) {
    wakeAccounts(world.db, team.id);
  }
}

/**
 * The clock may have been set back. What mailboxes remember of a time that is yet to come is not waited
 * for: a last send counts as one of this moment, so that a gap follows it.
 */
export function forgetFuture(world: World, now: UnixMs): void {
  pullBackAccounts(world.db, now);
  wakeAll(world);
}
