/** Seed mailboxes of placement tests. */

import { and, asc, count, eq, sql } from "drizzle-orm";
import { equals, type Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { dueRows, earliest } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { placementSeeds, type SeedRow } from "#store/tables/placement.ts";

export const insertSeed = inserter(placementSeeds);
/** Writes the whole row: read it in the same transaction. */
export const updateSeed = updater(placementSeeds);
export const removeSeed = remover(placementSeeds);
export const findSeed = teamFinder(placementSeeds);
export const seedById = finder(placementSeeds);

const ofTeam = reader(placementSeeds, (db) =>
  db.orm
    .select()
    .from(placementSeeds)
    .where(equals(placementSeeds.teamId, "teamId"))
    .orderBy(asc(placementSeeds.id))
    .prepare(),
);

/** All seeds of a team, oldest first. */
export function seedsOf(db: Db, teamId: Id): SeedRow[] {
  return ofTeam(db, { teamId });
}

const byEmail = reader(placementSeeds, (db) =>
  db.orm
    .select()
    .from(placementSeeds)
    .where(
      and(
        equals(placementSeeds.teamId, "teamId"),
        eq(placementSeeds.email, sql.placeholder("email")),
      ),
    )
    .prepare(),
);

/** The team's seed with this address, in its stored form. */
export function seedByEmail(db: Db, teamId: Id, email: string): SeedRow | undefined {
  return byEmail(db, { teamId, email })[0];
}

export function countSeeds(db: Db, teamId: Id): number {
  const mine = eq(placementSeeds.teamId, teamId);
  return db.orm.select({ n: count() }).from(placementSeeds).where(mine).get()?.n ?? 0;
}

/** Seeds whose provider is to be asked for. */
export const seedsToResolve = dueRows(placementSeeds, placementSeeds.mxAt);

export const nextResolveAt = earliest(placementSeeds.mxAt);
