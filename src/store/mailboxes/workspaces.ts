/** Workspaces, and what one says of all its mailboxes at once. */

import { and, asc, count, eq, ne, sql } from "drizzle-orm";
import type { UnixMs } from "#domain/time.ts";
import { equals, type Id } from "#store/sqlite/columns.ts";
import { type Db, prepared } from "#store/sqlite/database.ts";
import { dueRows, earliest } from "#store/sqlite/earliest.ts";
import { finder, inserter, reader, remover, teamFinder, updater } from "#store/sqlite/rows.ts";
import { type AccountRow, accounts } from "#store/tables/accounts.ts";
import { type WorkspaceRow, workspaces } from "#store/tables/workspaces.ts";

export const insertWorkspace = inserter(workspaces);
/** Writes the whole row: read it in the same transaction. */
export const updateWorkspace = updater(workspaces);
export const removeWorkspace = remover(workspaces);
export const findWorkspace = teamFinder(workspaces);
export const workspaceById = finder(workspaces);

const ofTeam = reader(workspaces, (db) =>
  db.orm
    .select()
    .from(workspaces)
    .where(equals(workspaces.teamId, "teamId"))
    .orderBy(asc(workspaces.id))
    .prepare(),
);

/** A team's, oldest first. */
export function workspacesOf(db: Db, teamId: Id): WorkspaceRow[] {
  return ofTeam(db, { teamId });
}

export function listAllWorkspaces(db: Db): WorkspaceRow[] {
  return db.orm.select().from(workspaces).all();
}

/** Those of all teams that no token is granted to any more. */
export function refusedWorkspaces(db: Db): WorkspaceRow[] {
  return db.orm.select().from(workspaces).where(eq(workspaces.status, "refused")).all();
}

/** Those that are to be asked for a token. */
export const workspacesToCheck = dueRows(workspaces, workspaces.checkAt);

export const nextCheckAt = earliest(workspaces.checkAt);

const members = reader(accounts, (db) =>
  db.orm
    .select()
    .from(accounts)
    .where(equals(accounts.workspaceId, "workspaceId"))
    .orderBy(asc(accounts.id))
    .limit(sql.placeholder("limit"))
    .prepare(),
);

/** Its mailboxes, oldest first. */
export function accountsOfWorkspace(db: Db, workspaceId: Id, limit: number): AccountRow[] {
  return members(db, { workspaceId, limit });
}

const counted = prepared((db) =>
  db.orm
    .select({ n: count() })
    .from(accounts)
    .where(equals(accounts.workspaceId, "workspaceId"))
    .prepare(),
);

export function countAccountsOfWorkspace(db: Db, workspaceId: Id): number {
  return counted(db).get({ workspaceId })?.n ?? 0;
}

const hold = prepared((db) =>
  db.orm
    .update(accounts)
    .set({ notReadyReason: sql`'workspace'`, pollAt: sql`null`, probeAt: sql`null` })
    .where(and(equals(accounts.workspaceId, "workspaceId"), ne(accounts.status, "disabled")))
    .prepare(),
);

/** Its mailboxes are neither read nor tried, and send nothing. */
export function holdAccounts(db: Db, workspaceId: Id): void {
  hold(db).run({ workspaceId });
}

const release = prepared((db) =>
  db.orm
    .update(accounts)
    .set({
      ...{ notReadyReason: sql`'untested'`, lastError: sql`null`, backoffUntil: sql`null` },
      ...{ pollErrors: sql`0`, probes: sql`0` },
      probeAt: sql`iif(${accounts.status} = 'disabled', null, ${sql.placeholder("now")})`,
    })
    .where(
      and(equals(accounts.workspaceId, "workspaceId"), eq(accounts.notReadyReason, "workspace")),
    )
    .prepare(),
);

/** Those that wait for the workspace are tried at `now`. */
export function releaseAccounts(db: Db, workspaceId: Id, now: UnixMs): void {
  release(db).run({ workspaceId, now });
}

const detach = prepared((db) =>
  db.orm
    .update(accounts)
    .set({
      ...{ workspaceId: sql`null`, notReadyReason: sql`'no_credentials'` },
      ...{ pollAt: sql`null`, probeAt: sql`null` },
    })
    .where(equals(accounts.workspaceId, "workspaceId"))
    .prepare(),
);

/** Its mailboxes have no credentials any more. */
export function detachAccounts(db: Db, workspaceId: Id): void {
  detach(db).run({ workspaceId });
}
