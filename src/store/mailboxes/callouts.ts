/** Turns at asking other people's mail servers, and which domains take email for any address. */

import { eq, lt, sql } from "drizzle-orm";
import type { Turns } from "#domain/mailboxes/callout.ts";
import type { UnixMs } from "#domain/time.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { dueRows, earliest } from "#store/sqlite/earliest.ts";
import { accounts, type CalloutRow, callouts } from "#store/tables/accounts.ts";

const byName = prepared((db) =>
  db.orm
    .select()
    .from(callouts)
    .where(eq(callouts.name, sql.placeholder("name")))
    .prepare(),
);

/** Undefined: it was never asked, or not lately. */
export function findCallouts(db: Db, name: string): CalloutRow | undefined {
  return byName(db).get({ name });
}

const record = prepared((db) =>
  db.raw.prepare<null, [string, number, number, number, boolean]>(
    `insert into callouts (name, next_at, day, count, catch_all) values (?1, ?2, ?3, ?4, ?5)
       on conflict (name) do update set next_at = ?2, day = ?3, count = ?4, catch_all = ?5`,
  ),
);

export function recordCallouts(db: Db, name: string, turns: Turns, catchAll: boolean): void {
  record(db).run(name, turns.nextAt, turns.day, turns.count, catchAll);
}

const prune = prepared((db) =>
  db.orm
    .delete(callouts)
    .where(lt(callouts.nextAt, sql.placeholder("before")))
    .prepare(),
);

/** Forgets those that may be asked again, and have not been for a day. */
export function pruneCallouts(db: Db, before: UnixMs): void {
  prune(db).run({ before });
}

/** Mailboxes whose turn to ask it is. */
export const accountsToAsk = dueRows(accounts, accounts.calloutAt);

export const nextCalloutAt = earliest(accounts.calloutAt);
