/** Who was shown which variant, and the sums of it. */

import { and, asc, count, eq, gt, isNotNull, lte, max, sql } from "drizzle-orm";
import { COUNT_NAMES, type Counts } from "#domain/experiments/exposure.ts";
import { VALUE_CHARS_MAX } from "#domain/experiments/segment-keys.ts";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id, idToBytes, placeholder } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { earliest } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, remover, updater } from "#store/sqlite/rows.ts";
import {
  type ExposureRow,
  exposures,
  type TallyKind,
  type TallyRow,
  tallies,
} from "#store/tables/experiments.ts";
import type { MessageRow } from "#store/tables/messages.ts";

export const insertExposure = inserter(exposures);
export const updateExposure = updater(exposures);
export const removeExposure = remover(exposures);

const exposureById = finder(exposures);

const ofEnrollment = prepared((db) =>
  db.orm
    .select({ id: exposures.id })
    .from(exposures)
    .where(equals(exposures.enrollmentId, "enrollmentId"))
    .prepare(),
);

/** One for each experiment that the enrollment is part of. */
export function exposuresOf(db: Db, enrollmentId: Id): ExposureRow[] {
  return ofEnrollment(db)
    .all({ enrollmentId })
    .flatMap(({ id }) => exposureById(db, id) ?? []);
}

/** Which variant the email of a step was made from. */
export type Assigned = Pick<
  ExposureRow,
  "enrollmentId" | "messageId" | "experimentId" | "variantId"
>;

const assigned = prepared((db) =>
  db.orm
    .select({
      enrollmentId: exposures.enrollmentId,
      messageId: exposures.messageId,
      experimentId: exposures.experimentId,
      variantId: exposures.variantId,
      sentAt: exposures.sentAt,
    })
    .from(exposures)
    .where(
      sql`${exposures.enrollmentId} in
        (select unhex(value, '-') from json_each(${sql.placeholder("enrollmentIds")}))`,
    )
    .orderBy(asc(exposures.id))
    .prepare(),
);

function assignedTo(db: Db, enrollmentIds: readonly Id[]) {
  return assigned(db).all({ enrollmentIds: JSON.stringify(enrollmentIds) });
}

/** Variants that emails were made from, by message. */
export function assignedByMessage(
  db: Db,
  rows: readonly Pick<MessageRow, "enrollmentId">[],
): Map<Id, Assigned> {
  const found = assignedTo(
    db,
    rows.flatMap(({ enrollmentId }) => enrollmentId ?? []),
  );
  return new Map(found.map((one) => [one.messageId, one]));
}

/** Variants that leads were sent, oldest first, by enrollment. */
export function assignedByEnrollment(db: Db, enrollmentIds: readonly Id[]): Map<Id, Assigned[]> {
  const sent = assignedTo(db, enrollmentIds).filter(({ sentAt }) => sentAt !== null);
  return Map.groupBy(sent, ({ enrollmentId }) => enrollmentId);
}

export function exposuresOfLead(db: Db, leadId: Id): ExposureRow[] {
  return db.orm.select().from(exposures).where(eq(exposures.leadId, leadId)).all();
}

interface Known {
  email: string;
  timezone: string | null;
  /** The beginning of the custom value that was asked for, as text. */
  value: string | null;
}

/** A lead that was emailed, with what it's known by now. */
export type EmailedLead = ExposureRow & Known;

const emailed = reader(exposures, (db) =>
  db.orm
    .select()
    .from(exposures)
    .where(
      and(
        equals(exposures.experimentId, "id"),
        gt(exposures.leadId, placeholder(exposures.leadId, "after")),
        isNotNull(exposures.sentAt),
      ),
    )
    .orderBy(asc(exposures.leadId))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** By itself: a join reads all leads for each one when the statistics are from before they came. */
const known = prepared(({ raw }) =>
  raw.query<Known, [Uint8Array, string | null]>(
    `select email, timezone, (select substr(trim(case type when 'true' then 'true' when 'false'
       then 'false' else value end), 1, ${VALUE_CHARS_MAX + 1}) from json_each(variables) where key = ?2) as value
     from leads where id = ?1`,
  ),
);

/** Those of an experiment behind a lead, in the order of their leads. `field` null: without a value. */
export function emailedLeads(
  db: Db,
  { field, ...of }: { id: Id; after: Id; field: string | null; limit: number },
): EmailedLead[] {
  const unknown = { email: "", timezone: null, value: null };
  return emailed(db, of).map((row) => {
    return { ...row, ...(known(db).get(idToBytes(row.leadId), field) ?? unknown) };
  });
}

const due = reader(exposures, (db) =>
  db.orm
    .select()
    .from(exposures)
    .where(and(isNotNull(exposures.dueAt), lte(exposures.dueAt, sql.placeholder("now"))))
    .orderBy(asc(exposures.dueAt))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Those whose window has closed and that are still to be measured. */
export function exposuresDue(db: Db, now: UnixMs, limit: number): ExposureRow[] {
  return due(db, { now, limit });
}

export const nextExposureAt = earliest(exposures.dueAt);

/** When the last window of an experiment that is still open closes; null where none is. */
export function lastWindowOf(db: Db, experimentId: Id): UnixMs | null {
  const row = db.orm
    .select({ at: max(exposures.dueAt) })
    .from(exposures)
    .where(and(eq(exposures.experimentId, experimentId), isNotNull(exposures.dueAt)))
    .get();
  return row?.at ?? null;
}

/** Leads that have been assigned, those too whose email has not been sent. */
export function countAssigned(db: Db, experimentId: Id): number {
  const where = eq(exposures.experimentId, experimentId);
  return db.orm.select({ n: count() }).from(exposures).where(where).get()?.n ?? 0;
}

const beingExposed = prepared(({ raw }) =>
  raw.query<{ id: Uint8Array }, [Uint8Array]>(
    `select x.id from exposures x join messages m on m.id = x.message_id
     where x.experiment_id = ?1 and x.sent_at is null and m.status = 'sending' limit 1`,
  ),
);

/** True while an email to somebody assigned is being handed over. */
export function isBeingExposed(db: Db, experimentId: Id): boolean {
  return beingExposed(db).get(idToBytes(experimentId)) !== null;
}

/** The counts as columns of the sums, and as parameters behind the five that name one. */
const COLUMNS = COUNT_NAMES.map((name) => tallies[name].name);
const COUNTED = COLUMNS.join(", ");
const COUNTS = COLUMNS.map((_, at) => `?${at + 6}`).join(", ");

const statements = prepared(({ raw }) => ({
  add: raw.query<null, (Uint8Array | string | number)[]>(
    `insert into experiment_tallies (team_id, experiment_id, variant_id, kind, bucket, ${COUNTED})
     values (?1, ?2, ?3, 'variant', '', ${COUNTS}), (?1, ?2, ?3, 'epoch', ?4, ${COUNTS}),
       (?1, ?2, ?3, 'stratum', ?5, ${COUNTS})
     on conflict do update set ${COLUMNS.map((name) => `${name} = ${name} + excluded.${name}`)}`,
  ),
}));

/** Adds to the three sums that an exposure is part of. Counts may be negative. */
export function addTallies(db: Db, row: ExposureRow, counts: Counts): void {
  statements(db).add.run(
    idToBytes(row.teamId),
    idToBytes(row.experimentId),
    idToBytes(row.variantId),
    String(row.epoch),
    `${row.accountId} ${row.provider}`,
    ...COUNT_NAMES.map((name) => counts[name]),
  );
}

const ofKind = reader(tallies, (db) =>
  db.orm
    .select()
    .from(tallies)
    .where(
      and(equals(tallies.experimentId, "experimentId"), eq(tallies.kind, sql.placeholder("kind"))),
    )
    .prepare(),
);

/** The sums of one kind of an experiment. */
export function talliesOf(db: Db, experimentId: Id, kind: TallyKind): TallyRow[] {
  return ofKind(db, { experimentId, kind });
}

const WRONG_TALLIES = `with counted as (
    select experiment_id, variant_id, epoch, account_id, provider, sent_at, replied_at, judged,
      replied_at is not null and interested as interested,
      replied_at is not null and declined as negative_replies, bounced, opted_out,
      case metric
        when 'bounce_rate' then not bounced
        else replied_at is not null and (window_ms = 0 or replied_at <= sent_at + window_ms)
          and (metric = 'reply_rate' or interested)
      end as success
    from exposures where team_id = ?1 and sent_at is not null),
  sums as (
    select experiment_id, variant_id, kind, bucket, count(*) as sent,
      sum(replied_at is not null) as replies, sum(interested) as interested,
      sum(negative_replies) as negative_replies,
      sum(bounced) as bounced, sum(opted_out) as opted_out, sum(judged and success) as successes,
      sum(judged and not success) as failures
    from (
      select *, 'variant' as kind, '' as bucket from counted
      union all select *, 'epoch', cast(epoch as text) from counted
      union all select *, 'stratum', lower(
        substr(hex(account_id), 1, 8) || '-' || substr(hex(account_id), 9, 4) || '-' ||
        substr(hex(account_id), 13, 4) || '-' || substr(hex(account_id), 17, 4) || '-' ||
        substr(hex(account_id), 21)) || ' ' || provider from counted)
    group by experiment_id, variant_id, kind, bucket),
  kept as (
    select experiment_id, variant_id, kind, bucket, ${COUNTED} from experiment_tallies
    where team_id = ?1 and (${COLUMNS.map((name) => `${name} <> 0`).join(" or ")}))
  select count(*) as n from (
    select * from (select * from sums except select * from kept)
    union all select * from (select * from kept except select * from sums))`;

/** Sums of a team's experiments that differ from what they sum up; 0 is what is right. */
export function wrongTallies(db: Db, teamId: Id): number {
  const query = db.raw.query<{ n: number }, [Uint8Array]>(WRONG_TALLIES);
  return query.get(idToBytes(teamId))?.n ?? Number.NaN;
}
