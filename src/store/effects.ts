/** What occurrences have changed, kept so that it can be undone. */

import { and, asc, desc, eq, sql } from "drizzle-orm";
import { equals, type Id } from "./columns.ts";
import type { Db } from "./database.ts";
import { inserter, reader, remover, updater } from "./rows.ts";
import { type EffectRow, type EffectType, effects } from "./tables/inbox.ts";

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
