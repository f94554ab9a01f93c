/** How often something was done in a stretch of local time: what caps are checked against. */

import { and, eq, gte, lt, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, placeholder } from "./columns.ts";
import { type Db, prepared } from "./database.ts";
import { usage } from "./tables/accounts.ts";

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

const change = prepared((db) =>
  db.orm
    .insert(usage)
    .values({
      owner: placeholder(usage.owner, "owner"),
      kind: sql.placeholder("kind"),
      bucket: sql.placeholder("bucket"),
      count: sql.placeholder("by"),
      touchedAt: placeholder(usage.touchedAt, "now"),
    })
    .onConflictDoUpdate({
      target: [usage.owner, usage.kind, usage.bucket],
      set: {
        count: sql`max(0, ${usage.count} + excluded.count)`,
        touchedAt: sql`excluded.touched_at`,
      },
    })
    .prepare(),
);

/** Adds `by` (1 reserves, −1 gives back) to a bucket; never below 0. */
export function addUsage(db: Db, bucket: Bucket, by: 1 | -1, now: UnixMs): void {
  change(db).run({ ...bucket, by, now });
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
        sql`(${usage.kind} <> 'team_month' or ${usage.touchedAt} < ${sql.placeholder("monthsBefore")})`,
      ),
    )
    .prepare(),
);

/** Forgets buckets untouched since `before`; those of whole months, since `monthsBefore`. */
export function pruneUsage(db: Db, before: UnixMs, monthsBefore: UnixMs): void {
  prune(db).run({ before, monthsBefore });
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
