/** What happened to each mailbox of a team in each hour, summed up from its events. */

import type { UnixMs } from "#domain/time.ts";
import { HOUR_MS } from "#domain/time.ts";
import { lastSeqBefore } from "#store/events/events.ts";
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

const HOURS = `select data ->> 'account_id' as accountId,
    created_at - created_at % ${HOUR_MS} as hour,
    sum(type = 'email.sent') as sent, sum(type = 'email.deferred') as deferred,
    sum(type = 'email.failed') as failed, sum(type = 'email.bounced') as bounced,
    sum(type = 'account.error') as errors
  from events indexed by events_type
  where team_id = +?1 and type in
    ('email.sent', 'email.deferred', 'email.failed', 'email.bounced', 'account.error')
    and seq > +?2 and created_at >= +?3
  group by 1, 2 order by 2`;

/** Hours since `from` in which something happened, in their order. */
export function activityHours(db: Db, teamId: Id, from: UnixMs): ActivityHour[] {
  const query = db.raw.query<ActivityHour, [Uint8Array, number, number]>(HOURS);
  return query.all(idToBytes(teamId), lastSeqBefore(db, from), from);
}
