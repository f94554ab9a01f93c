/** Lets the lanes look at everything anew: at start, when hints may be from before a crash. */

import { wakeAccounts } from "#store/accounts.ts";
import { listTeams } from "#store/teams.ts";
import type { World } from "#world.ts";

export function wakeAll(world: World): void {
  for (const team of listTeams(world.db)) {
    wakeAccounts(world.db, team.id);
  }
}
