/** Mailboxes of a campaign as far as it says whose new leads each takes. Read at each claim, so that little is read of each. */

import { providerOfServer } from "#domain/mailboxes/mail-provider.ts";
import type { MatchedMailbox } from "#domain/sending/barred.ts";
import { idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import type { CampaignRow } from "#store/tables/campaigns.ts";

interface Found {
  domain: string;
  host: string;
  fails: number;
  sendable: number;
  health: number;
  daily: number;
  hourly: number;
  refusals: string | null;
}

/** Alike ones count once. */
const matched = prepared(({ raw }) =>
  raw.prepare<Found, [Uint8Array, string]>(
    `select distinct substr(email, instr(email, '@') + 1) as domain, coalesce(smtp ->> '$.host', '') as host,
        status = 'error' as fails,
        status = 'active' and not_ready_reason is null and unconfirmed is null as sendable,
        health ->> '$.judged' as health, daily_limit as daily, hourly_limit as hourly, refusals
      from accounts
      where team_id = ?1 and status in ('active', 'error')
        and (?2 = '[]' or lower(hex(id)) in (select replace(value, '-', '') from json_each(?2)))`,
  ),
);

export function matchedMailboxes(db: Db, { teamId, accountIds }: CampaignRow): MatchedMailbox[] {
  return matched(db)
    .all(idToBytes(teamId), JSON.stringify(accountIds))
    .map(({ domain, host, fails, sendable, health, daily, hourly, refusals }) => ({
      ...{ domain, server: providerOfServer(host), healthScore: health },
      ...{ sendable: sendable === 1, fails: fails === 1, dailyLimit: daily, hourlyLimit: hourly },
      refusals: refusals === null ? [] : JSON.parse(refusals),
    }));
}
