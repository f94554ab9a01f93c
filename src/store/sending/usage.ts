/** How often something was done in a stretch of local time: what caps are checked against. */

import type { Statement } from "bun:sqlite";
import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import { slotsOf } from "#domain/campaigns/counters.ts";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, idToBytes } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { usage } from "#store/tables/accounts.ts";

export interface Bucket {
  owner: Id;
  kind: string;
  bucket: string;
}

const read = prepared((db) =>
  db.orm
    .select({ count: usage.count })
    .from(usage)
    .where(
      and(
        equals(usage.owner, "owner"),
        eq(usage.kind, sql.placeholder("kind")),
        eq(usage.bucket, sql.placeholder("bucket")),
      ),
    )
    .prepare(),
);

export function usageOf(db: Db, bucket: Bucket): number {
  return read(db).get({ ...bucket })?.count ?? 0;
}

type Change = Statement<null, (Uint8Array | string | number)[]>;

/** By how many buckets they count at once. */
const reserving = prepared(() => new Map<number, Change>());

function reserveIn(db: Db, buckets: number): Change {
  const made = reserving(db);
  let statement = made.get(buckets);
  if (statement === undefined) {
    const rows = Array(buckets).fill("(?, ?, ?, ?, ?)").join(", ");
    statement = db.raw.prepare(
      `insert into usage (owner, kind, bucket, count, touched_at) values ${rows}
         on conflict do update set count = count + excluded.count`,
    );
    made.set(buckets, statement);
  }
  return statement;
}

const givingBack = prepared(
  ({ raw }): Change =>
    raw.prepare(
      `update usage set count = max(0, count - 1)
         where owner = ?1 and kind = ?2 and bucket = ?3`,
    ),
);

/**
 * Counts so many more (1 and up reserves) or one less (−1 releases, never below 0) in each of a few buckets, and in
 * the slots of real time that they stand for. `at`: when it was reserved.
 */
export function addUsage(db: Db, given: readonly Bucket[], by: number, at: UnixMs): void {
  const buckets = [...given, ...slotsOf(given, at)];
  const values = buckets.map(({ owner, kind, bucket }) => [idToBytes(owner), kind, bucket]);
  if (by < 0) {
    for (const one of values) {
      db.rows.writeTables([], () => givingBack(db).run(...one));
    }
  } else if (values.length > 0) {
    const statement = reserveIn(db, values.length);
    db.rows.writeTables([], () => statement.run(...values.flatMap((one) => [...one, by, at])));
  }
}

const capped = prepared((db) =>
  db.orm
    .select({ bucket: usage.bucket })
    .from(usage)
    .where(
      and(
        equals(usage.owner, "campaignId"),
        eq(usage.kind, sql`'campaign_domain'`),
        gte(usage.bucket, sql.placeholder("from")),
        lt(usage.bucket, sql.placeholder("to")),
        gte(usage.count, sql.placeholder("cap")),
      ),
    )
    .prepare(),
);

/** Domains of a campaign that have had `cap` messages on `date`. Buckets are `<date>:<domain>`. */
export function cappedDomains(db: Db, campaignId: Id, date: string, cap: number): string[] {
  return capped(db)
    .all({ campaignId, from: `${date}:`, to: `${date};`, cap })
    .map(({ bucket }) => bucket.slice(date.length + 1));
}

const prune = prepared((db) =>
  db.orm
    .delete(usage)
    .where(
      and(
        lt(usage.touchedAt, sql.placeholder("before")),
        sql`(${usage.kind} not in ('team_month', 'found_email')
          or ${usage.touchedAt} < ${sql.placeholder("monthsBefore")})`,
      ),
    )
    .prepare(),
);

/**
 * Forgets buckets that were first counted before `before`; those of whole months, and marks of emails that were found,
 * before `monthsBefore`.
 */
export function pruneUsage(db: Db, before: UnixMs, monthsBefore: UnixMs): void {
  prune(db).run({ before, monthsBefore });
}

/** Marks whoever got an email that only a Sent folder knows; `hash`: SHA-256 of the address. */
export function foundEmail(teamId: Id, hash: Uint8Array): Bucket {
  return { kind: "found_email", owner: teamId, bucket: hash.toHex() };
}

/** True for whoever is marked, the first time that it is asked. */
export function takeFound(db: Db, teamId: Id, hash: Uint8Array): boolean {
  const mark = foundEmail(teamId, hash);
  const isMarked = usageOf(db, mark) > 0;
  if (isMarked) {
    db.orm
      .delete(usage)
      .where(and(eq(usage.owner, teamId), eq(usage.kind, mark.kind), eq(usage.bucket, mark.bucket)))
      .run();
  }
  return isMarked;
}

/** The buckets of one kind that begin with `prefix`, in order. */
export function bucketsOf(
  db: Db,
  { owner, kind, prefix }: { owner: Id; kind: string; prefix: string },
): { bucket: string; count: number }[] {
  return db.orm
    .select({ bucket: usage.bucket, count: usage.count })
    .from(usage)
    .where(
      and(
        eq(usage.owner, owner),
        eq(usage.kind, kind),
        gte(usage.bucket, prefix),
        lt(usage.bucket, `${prefix}\uffff`),
      ),
    )
    .orderBy(usage.bucket)
    .all();
}

/** The buckets of one kind from `from` on, in order. */
export function bucketsFrom(
  db: Db,
  { owner, kind, from }: { owner: Id; kind: string; from: string },
): { bucket: string; count: number }[] {
  return db.orm
    .select({ bucket: usage.bucket, count: usage.count })
    .from(usage)
    .where(and(eq(usage.owner, owner), eq(usage.kind, kind), gte(usage.bucket, from)))
    .orderBy(usage.bucket)
    .all();
}

const filling = prepared((db) =>
  db.raw.prepare<null, [Uint8Array, number, string]>(
    `insert into usage (owner, kind, bucket, count, touched_at)
       select ?1, value ->> 0, value ->> 1, value ->> 2, ?2 from json_each(?3)`,
  ),
);

/** Puts `counts` in the place of an owner's buckets of these kinds from `from` on. */
export function replaceUsage(
  db: Db,
  { owner, kinds, from }: { owner: Id; kinds: readonly string[]; from: string },
  counts: readonly { kind: string; bucket: string; count: number }[],
  now: UnixMs,
): void {
  db.orm
    .delete(usage)
    .where(and(eq(usage.owner, owner), inArray(usage.kind, [...kinds]), gte(usage.bucket, from)))
    .run();
  const rows = counts.map(({ kind, bucket, count }) => [kind, bucket, count]);
  filling(db).run(idToBytes(owner), now, JSON.stringify(rows));
}
