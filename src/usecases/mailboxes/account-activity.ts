/** The latest hours of a team's mailboxes: who sent, and what went wrong. */

import { HOUR_MS, plus, type UnixMs, unixMs } from "#domain/time.ts";
import type { Caller, Environment } from "#environment.ts";
import { type ActivityHour, activityHours } from "#store/mailboxes/account-activity.ts";
import { accountsOf } from "#store/mailboxes/accounts.ts";

export interface AccountActivity {
  accountId: string;
  /** Every hour of the stretch, the quiet ones too, oldest first. */
  hours: readonly Omit<ActivityHour, "accountId">[];
}

const QUIET = { sent: 0, deferred: 0, failed: 0, bounced: 0, errors: 0 };

/** The `count` hours that end with the present one, of every account, oldest account first. */
export function accountActivity(
  env: Environment,
  caller: Caller,
  count: number,
): AccountActivity[] {
  const now = env.clock.now();
  const first = plus(unixMs(now - (now % HOUR_MS)), -(count - 1) * HOUR_MS);
  const hours = Array.from({ length: count }, (_, at): UnixMs => plus(first, at * HOUR_MS));
  const found = Map.groupBy(
    activityHours(env.db, caller.teamId, first),
    ({ accountId }) => accountId,
  );
  return accountsOf(env.db, caller.teamId).map(({ id }) => {
    const byHour = new Map(found.get(id)?.map((entry) => [entry.hour, entry]));
    return { accountId: id, hours: hours.map((hour) => byHour.get(hour) ?? { ...QUIET, hour }) };
  });
}
