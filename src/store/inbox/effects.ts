/** What occurrences have changed, kept so that it can be undone. */

import { and, asc, between, desc, eq, sql } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { inserter, reader, remover, updater } from "#store/sqlite/rows.ts";
import {
  type EffectRow,
  type EffectType,
  effects,
  type LiftRow,
  lifts,
} from "#store/tables/inbox.ts";

export const insertEffect = inserter(effects);
export const updateEffect = updater(effects);
export const removeEffect = remover(effects);

const ofCause = reader(effects, (db) =>
  db.orm
    .select()
    .from(effects)
    .where(equals(effects.causeId, "causeId"))
    .orderBy(desc(effects.id))
    .prepare(),
);

/** Newest first: the order in which they are undone. */
export function effectsOf(db: Db, causeId: Id): EffectRow[] {
  return ofCause(db, { causeId });
}

const chain = reader(effects, (db) =>
  db.orm
    .select()
    .from(effects)
    .where(and(equals(effects.subjectId, "subjectId"), eq(effects.type, sql.placeholder("type"))))
    .orderBy(asc(effects.id))
    .prepare(),
);

/** What was done to one thing, oldest first. */
export function effectsOn(db: Db, type: EffectType, subjectId: Id): EffectRow[] {
  return chain(db, { type, subjectId });
}

const endsOfCause = reader(effects, (db) =>
  db.orm
    .select()
    .from(effects)
    .where(and(equals(effects.causeId, "causeId"), eq(effects.type, "enrollment")))
    .orderBy(asc(effects.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** What a cause did to enrollments, oldest first, `limit` at most. */
export function someEndsOf(db: Db, causeId: Id, limit: number): EffectRow[] {
  return endsOfCause(db, { causeId, limit });
}

/** What was done to suppressions under ids from `firstId` to `lastId`, newest first. */
export function suppressionEffects(db: Db, firstId: Id, lastId: Id): EffectRow[] {
  return db.orm
    .select()
    .from(effects)
    .where(and(between(effects.id, firstId, lastId), eq(effects.type, "suppression")))
    .orderBy(desc(effects.id))
    .all();
}

export const insertLift = inserter(lifts);
export const removeLift = remover(lifts);

/** The oldest lift that is under way. */
export function nextLift(db: Db): LiftRow | undefined {
  return firstLift(db, {})[0];
}

const firstLift = reader(lifts, (db) =>
  db.orm.select().from(lifts).orderBy(asc(lifts.id)).limit(1).prepare(),
);
