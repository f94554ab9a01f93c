/** Experiments, their variants, the stretches of one allocation, and the links to their reports. */

import {
  and,
  asc,
  count,
  desc,
  eq,
  isNotNull,
  isNull,
  lt,
  lte,
  ne,
  type SQL,
  sql,
} from "drizzle-orm";
import { EXPERIMENTS_MAX, type ExperimentStatus } from "#domain/experiments/experiment.ts";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { earliest } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import {
  type EpochRow,
  type ExperimentRow,
  epochs,
  experimentShares,
  experiments,
  type ShareRow,
  type VariantRow,
  variants,
} from "#store/tables/experiments.ts";

export const insertExperiment = inserter(experiments);
/** Writes the whole row: read it in the same transaction. */
export const updateExperiment = updater(experiments);
export const findExperiment = teamFinder(experiments);
export const experimentById = finder(experiments);

export interface ExperimentFilter {
  campaignId?: Id;
  status?: ExperimentStatus;
}

/** Newest first. Without a limit all that a team may have. */
export function listExperiments(
  db: Db,
  teamId: Id,
  range: ExperimentFilter & { limit?: number; offset: number },
): ExperimentRow[] {
  const conditions: SQL[] = [eq(experiments.teamId, teamId)];
  if (range.campaignId !== undefined) {
    conditions.push(eq(experiments.campaignId, range.campaignId));
  }
  if (range.status !== undefined) {
    conditions.push(eq(experiments.status, range.status));
  }
  return db.orm
    .select()
    .from(experiments)
    .where(and(...conditions))
    .orderBy(desc(experiments.id))
    .limit(range.limit ?? EXPERIMENTS_MAX)
    .offset(range.offset)
    .all();
}

export function countExperiments(db: Db, teamId: Id): number {
  const where = eq(experiments.teamId, teamId);
  return db.orm.select({ n: count() }).from(experiments).where(where).get()?.n ?? 0;
}

const open = reader(experiments, (db) =>
  db.orm
    .select()
    .from(experiments)
    .where(and(equals(experiments.campaignId, "campaignId"), isNull(experiments.closedAt)))
    .orderBy(asc(experiments.id))
    .prepare(),
);

/** Those of a campaign that are neither completed nor cancelled, oldest first. */
export function openExperiments(db: Db, campaignId: Id): ExperimentRow[] {
  return open(db, { campaignId });
}

/** Other experiments of the team on the same metric that completed before an instant, newest first; no bandits. */
export function experimentsEnded(
  db: Db,
  { id, teamId, primaryMetric }: ExperimentRow,
  before: UnixMs,
  limit: number,
): { id: Id }[] {
  return db.orm
    .select({ id: experiments.id })
    .from(experiments)
    .where(
      and(
        eq(experiments.teamId, teamId),
        eq(experiments.status, "completed"),
        eq(experiments.primaryMetric, primaryMetric),
        ne(experiments.optimizationMode, "thompson_sampling"),
        ne(experiments.id, id),
        lt(experiments.closedAt, before),
      ),
    )
    .orderBy(desc(experiments.id))
    .limit(limit)
    .all();
}

const due = reader(experiments, (db) =>
  db.orm
    .select()
    .from(experiments)
    .where(and(isNotNull(experiments.dueAt), lte(experiments.dueAt, sql.placeholder("now"))))
    .orderBy(asc(experiments.dueAt), asc(experiments.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

export function experimentsDue(db: Db, now: UnixMs, limit: number): ExperimentRow[] {
  return due(db, { now, limit });
}

export const nextExperimentAt = earliest(experiments.dueAt);

export const insertVariant = inserter(variants);
export const updateVariant = updater(variants);
export const removeVariant = remover(variants);

const ofExperiment = reader(variants, (db) =>
  db.orm
    .select()
    .from(variants)
    .where(equals(variants.experimentId, "experimentId"))
    .orderBy(asc(variants.place))
    .prepare(),
);

/** In their order. */
export function variantsOf(db: Db, experimentId: Id): VariantRow[] {
  return ofExperiment(db, { experimentId });
}

const epochsOfExperiment = reader(epochs, (db) =>
  db.orm
    .select()
    .from(epochs)
    .where(equals(epochs.experimentId, "experimentId"))
    .orderBy(asc(epochs.number))
    .prepare(),
);

/** Oldest first. */
export function epochsOf(db: Db, experimentId: Id): EpochRow[] {
  return epochsOfExperiment(db, { experimentId });
}

const epochByNumber = reader(epochs, (db) =>
  db.orm
    .select()
    .from(epochs)
    .where(
      and(
        equals(epochs.experimentId, "experimentId"),
        eq(epochs.number, sql.placeholder("number")),
      ),
    )
    .prepare(),
);

export function epochOf(db: Db, experimentId: Id, number: number): EpochRow | undefined {
  return epochByNumber(db, { experimentId, number })[0];
}

/** Writes an epoch, over the one with its number where nobody has been assigned in it. */
export function putEpoch(db: Db, row: EpochRow): void {
  db.orm
    .insert(epochs)
    .values(row)
    .onConflictDoUpdate({
      target: [epochs.experimentId, epochs.number],
      set: { allocation: row.allocation, since: row.since },
    })
    .run();
}

const insertShare = inserter(experimentShares);

/** In place of the experiment's link before it. */
export function putShare(db: Db, row: ShareRow): void {
  removeShare(db, row.experimentId);
  insertShare(db, row);
}

export function removeShare(db: Db, experimentId: Id): void {
  db.orm.delete(experimentShares).where(eq(experimentShares.experimentId, experimentId)).run();
}

export function shareOfExperiment(db: Db, experimentId: Id): ShareRow | undefined {
  const where = eq(experimentShares.experimentId, experimentId);
  return db.orm.select().from(experimentShares).where(where).get();
}

export function shareById(db: Db, id: Id): ShareRow | undefined {
  return db.orm.select().from(experimentShares).where(eq(experimentShares.id, id)).get();
}
