/** What happened to each mailbox of a team in each hour, summed up from its events. */

import type { UnixMs } from "#domain/time.ts";
import { HOUR_MS } from "#domain/time.ts";
import { type Id, idToBytes } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";

export interface ActivityHour {
  accountId: Id;
  /** The hour's beginning. */
  hour: UnixMs;
  sent: number;
  deferred: number;
  failed: number;
  bounced: number;
  errors: number;
}

// Ids begin with their time, so that the index on them finds where the stretch begins.
const HOURS = `select json_extract(data, '$.account_id') as accountId,
    created_at - created_at % ${HOUR_MS} as hour,
    sum(type = 'email.sent') as sent, sum(type = 'email.deferred') as deferred,
    sum(type = 'email.failed') as failed, sum(type = 'email.bounced') as bounced,
    sum(type = 'account.error') as errors
  from events indexed by events_id
  where id >= +?1 and team_id = +?2 and created_at >= +?3 and type in
    ('email.sent', 'email.deferred', 'email.failed', 'email.bounced', 'account.error')
  group by 1, 2 order by 2`;

/** Hours since `from` in which something happened, in their order. */
export function activityHours(db: Db, teamId: Id, from: UnixMs): ActivityHour[] {
  const first = `${from.toString(16).padStart(12, "0")}`;
  const id = `${first.slice(0, 8)}-${first.slice(8)}-7000-8000-000000000000`;
  const query = db.raw.query<ActivityHour, [Uint8Array, Uint8Array, number]>(HOURS);
  return query.all(idToBytes(id), idToBytes(teamId), from);
}
