/** The simulated internet's rows: captured messages, email on its way, settings; and how all of it goes. */

import { and, asc, count, desc, eq, gte, lt, ne, type SQL, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { writeApart } from "#store/sqlite/apart.ts";
import { equals, type Id, idToBytes, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { readFact, writeFact } from "#store/sqlite/facts.ts";
import { inserter, teamFinder } from "#store/sqlite/rows.ts";
import {
  type SandboxMailRow,
  type SandboxMessageRow,
  sandboxMails,
  sandboxMessages,
  sandboxSettings,
} from "#store/tables/sandbox.ts";

export const insertSandboxMessage = inserter(sandboxMessages);
export const findSandboxMessage = teamFinder(sandboxMessages);

const captured = ne(sandboxMessages.verdict, sql`'copy'`);

const countOf = prepared((db) =>
  db.orm
    .select({ n: count() })
    .from(sandboxMessages)
    .where(
      and(
        equals(sandboxMessages.teamId, "teamId"),
        eq(sandboxMessages.recipient, sql.placeholder("recipient")),
        captured,
      ),
    )
    .prepare(),
);

/** How many messages the team's accounts have sent to an address. */
export function countSentTo(db: Db, teamId: Id, recipient: string): number {
  return countOf(db).get({ teamId, recipient })?.n ?? 0;
}

/** The last message that the team's accounts have sent to an address. */
export function lastSentTo(db: Db, teamId: Id, recipient: string): SandboxMessageRow | undefined {
  return db.orm
    .select()
    .from(sandboxMessages)
    .where(
      and(eq(sandboxMessages.teamId, teamId), eq(sandboxMessages.recipient, recipient), captured),
    )
    .orderBy(desc(sandboxMessages.id))
    .limit(1)
    .get();
}

const byHeader = prepared((db) =>
  db.orm
    .select()
    .from(sandboxMessages)
    .where(
      and(
        equals(sandboxMessages.accountId, "accountId"),
        eq(sandboxMessages.messageId, sql.placeholder("messageId")),
      ),
    )
    .orderBy(asc(sandboxMessages.id))
    .limit(1)
    .prepare(),
);

/** By the header with its angle brackets, in an account's Sent folder. */
export function sandboxMessageByHeader(
  db: Db,
  accountId: Id,
  messageId: string,
): SandboxMessageRow | undefined {
  return byHeader(db).get({ accountId, messageId });
}

/** What an account has handed over or filed since an instant, oldest first. */
export function sandboxMessagesSince(
  db: Db,
  accountId: Id,
  since: UnixMs,
  limit: number,
): SandboxMessageRow[] {
  return db.orm
    .select()
    .from(sandboxMessages)
    .where(and(eq(sandboxMessages.accountId, accountId), gte(sandboxMessages.sentAt, since)))
    .orderBy(asc(sandboxMessages.id))
    .limit(limit)
    .all();
}

export interface SandboxMessageFilter {
  recipient?: string;
  accountId?: Id;
}

/** A page of what the team's accounts have sent, newest first. With `after`, older than that id. */
export function listSandboxMessages(
  db: Db,
  teamId: Id,
  range: SandboxMessageFilter & { limit: number; offset: number; after?: Id },
): { rows: SandboxMessageRow[]; total: number } {
  const conditions: SQL[] = [eq(sandboxMessages.teamId, teamId), captured];
  if (range.recipient !== undefined) {
    conditions.push(eq(sandboxMessages.recipient, range.recipient));
  }
  if (range.accountId !== undefined) {
    conditions.push(eq(sandboxMessages.accountId, range.accountId));
  }
  const all = and(...conditions);
  const total = db.orm.select({ n: count() }).from(sandboxMessages).where(all).get()?.n ?? 0;
  const seek = range.after === undefined ? all : and(all, lt(sandboxMessages.id, range.after));
  const rows = db.orm
    .select()
    .from(sandboxMessages)
    .where(seek)
    .orderBy(desc(sandboxMessages.id))
    .limit(range.limit)
    .offset(range.after === undefined ? range.offset : 0)
    .all();
  return { rows, total };
}

const insertMail = prepared((db) =>
  db.orm
    .insert(sandboxMails)
    .values({
      teamId: placeholder(sandboxMails.teamId, "teamId"),
      accountId: placeholder(sandboxMails.accountId, "accountId"),
      folder: placeholder(sandboxMails.folder, "folder"),
      raw: placeholder(sandboxMails.raw, "raw"),
      arrivesAt: placeholder(sandboxMails.arrivesAt, "arrivesAt"),
    })
    .prepare(),
);

/** Puts an email on its way. `arrivesAt` must not lie in the past: a cursor may have gone by. */
export function insertSandboxMail(db: Db, row: Omit<SandboxMailRow, "seq">): void {
  insertMail(db).run({ ...row });
}

const arrived = prepared((db) =>
  db.orm
    .select()
    .from(sandboxMails)
    .where(
      and(
        equals(sandboxMails.accountId, "accountId"),
        sql`(${sandboxMails.arrivesAt}, ${sandboxMails.seq}) > (${sql.placeholder("at")}, ${sql.placeholder("seq")})`,
        sql`${sandboxMails.arrivesAt} <= ${sql.placeholder("now")}`,
      ),
    )
    .orderBy(asc(sandboxMails.arrivesAt), asc(sandboxMails.seq))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Emails of an account that have arrived by `now`, after (`at`, `seq`), in the order of arrival. */
export function mailsArrived(
  db: Db,
  accountId: Id,
  range: { at: number; seq: number; now: UnixMs; limit: number },
): SandboxMailRow[] {
  return arrived(db).all({ accountId, ...range });
}

const ahead = prepared((db) =>
  db.orm
    .select({ at: sandboxMails.arrivesAt })
    .from(sandboxMails)
    .where(
      and(
        equals(sandboxMails.accountId, "accountId"),
        sql`${sandboxMails.arrivesAt} > ${sql.placeholder("now")}`,
      ),
    )
    .orderBy(asc(sandboxMails.arrivesAt))
    .limit(1)
    .prepare(),
);

/** When the next email arrives that is on its way to the account. */
export function nextMailAt(db: Db, accountId: Id, now: UnixMs): UnixMs | undefined {
  return ahead(db).get({ accountId, now })?.at;
}

const last = prepared((db) =>
  db.orm
    .select({ seq: sandboxMails.seq })
    .from(sandboxMails)
    .orderBy(desc(sandboxMails.seq))
    .limit(1)
    .prepare(),
);

/** The highest `seq` given so far. */
export function lastMailSeq(db: Db): number {
  return last(db).get()?.seq ?? 0;
}

const recent = prepared((db) =>
  db.orm
    .select()
    .from(sandboxMails)
    .where(
      and(
        equals(sandboxMails.accountId, "accountId"),
        sql`${sandboxMails.arrivesAt} <= ${sql.placeholder("until")}`,
      ),
    )
    .orderBy(desc(sandboxMails.arrivesAt), desc(sandboxMails.seq))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** The newest emails of a mailbox that arrive by `until`, newest first. */
export function newestMails(
  db: Db,
  accountId: Id,
  range: { until: number; limit: number },
): SandboxMailRow[] {
  return recent(db).all({ accountId, ...range });
}

export function removeSandboxMail(db: Db, seq: number): void {
  db.orm.delete(sandboxMails).where(eq(sandboxMails.seq, seq)).run();
}

const history = prepared((db) =>
  db.orm
    .select({ sentAt: sandboxMessages.sentAt, verdict: sandboxMessages.verdict })
    .from(sandboxMessages)
    .where(and(equals(sandboxMessages.accountId, "accountId"), captured))
    .orderBy(desc(sandboxMessages.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** When an account's last messages were sent and where they ended, newest first. */
export function sendingHistory(
  db: Db,
  accountId: Id,
  limit: number,
): { sentAt: UnixMs; verdict: string }[] {
  return history(db).all({ accountId, limit });
}

const settings = prepared((db) =>
  db.orm
    .select({ settings: sandboxSettings.settings })
    .from(sandboxSettings)
    .where(equals(sandboxSettings.teamId, "teamId"))
    .prepare(),
);

/** What the team has set, as it was given to {@link putSettings}. */
export function findSettings(db: Db, teamId: Id): Record<string, unknown> | undefined {
  return settings(db).get({ teamId })?.settings;
}

export function putSettings(db: Db, teamId: Id, given: Record<string, unknown>): void {
  db.orm
    .insert(sandboxSettings)
    .values({ teamId, settings: given })
    .onConflictDoUpdate({ target: sandboxSettings.teamId, set: { settings: given } })
    .run();
}

const SEED_FACT = "sandbox.seed";
const SEED_DEFAULT = 1;

/** The seed of teams that have set none. */
export function sandboxSeed(db: Db): number {
  return Number(readFact(db, SEED_FACT) ?? SEED_DEFAULT);
}

export function setSandboxSeed(db: Db, seed: number): void {
  writeFact(db, SEED_FACT, String(seed));
}

/** Tables with a `team_id` whose rows outlive `DELETE /sandbox`. */
export const KEPT_TABLES: readonly string[] = ["api_keys", "audit", "audit_anchors", "webhooks"];

/** Every other table with a `team_id`, whatever later versions add; `teams` has none. */
const clearable = prepared((db) =>
  db.raw
    .query<{ name: string }, []>(
      "select t.name from sqlite_master t join pragma_table_info(t.name) c " +
        "where t.type = 'table' and c.name = 'team_id' order by t.name",
    )
    .all()
    .map(({ name }) => name)
    .filter((name) => !KEPT_TABLES.includes(name)),
);

/**
 * Removes all that a team has but the team itself, its keys, webhooks and audit log, at once. A hundred
 * thousand leads take more than a second of another thread.
 */
export function clearTeam(db: Db, teamId: Id): Promise<void> {
  const values = [idToBytes(teamId)];
  const owned = ["accounts", "campaigns"].flatMap((owners) =>
    ["usage", "figures"].map(
      (table) => `delete from ${table} where owner in (select id from ${owners} where team_id = ?)`,
    ),
  );
  const mine = clearable(db).map((table) => `delete from "${table}" where team_id = ?`);
  const all = [...owned, "delete from figures where owner = ?", ...mine];
  return writeApart(
    db,
    all.map((sql) => ({ sql, values })),
  );
}
