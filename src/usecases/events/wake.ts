/** Lets the workers look at everything anew: where hints may be from before a crash, or of another clock. */

import type { UnixMs } from "#domain/time.ts";
import type { Environment } from "#environment.ts";
import { pullBackAccounts, wakeAccounts } from "#store/mailboxes/accounts.ts";
import { listTeams } from "#store/team/teams.ts";

export function wakeAll(env: Environment): void {
  for (const team of listTeams(env.db)) {
    wakeAccounts(env.db, team.id);
  }
}

/**
 * The clock may have been set back. What mailboxes remember of a time that is yet to come is not waited
 * for: a last send counts as one of this moment, so that a gap follows it.
 */
export function forgetFuture(env: Environment, now: UnixMs): void {
  pullBackAccounts(env.db, now);
  wakeAll(env);
}
