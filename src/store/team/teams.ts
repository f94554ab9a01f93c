/** Teams. */

import { asc } from "drizzle-orm";
import { equals } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { finder, inserter, updater } from "#store/sqlite/rows.ts";
import { type TeamRow, teams } from "#store/tables/teams.ts";

export const insertTeam = inserter(teams);

/** Unless it is there: another process may have been quicker. */
export function insertTeamOnce(db: Db, row: TeamRow): void {
  db.orm.insert(teams).values(row).onConflictDoNothing().run();
}
export const updateTeam = updater(teams);
export const findTeam = finder(teams);

/** All teams, oldest first. */
export function listTeams(db: Db): TeamRow[] {
  return db.orm.select().from(teams).orderBy(asc(teams.id)).all();
}

const byTrackingHost = prepared((db) =>
  db.orm
    .select({ id: teams.id })
    .from(teams)
    .where(equals(teams.trackingHost, "host"))
    .limit(1)
    .prepare(),
);

export function isTrackingHost(db: Db, host: string): boolean {
  return byTrackingHost(db).get({ host }) !== undefined;
}
