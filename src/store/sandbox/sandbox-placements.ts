/** Where the simulated servers are to put the email of placement tests, because somebody said so. */

import type { Placement } from "#domain/placement/placement.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { Db } from "#store/sqlite/database.ts";
import { finder, inserter, remover } from "#store/sqlite/rows.ts";
import { sandboxPlacements } from "#store/tables/placement.ts";

const find = finder(sandboxPlacements);
const insert = inserter(sandboxPlacements);
const remove = remover(sandboxPlacements);

/** Undefined: nobody said anything, the servers decide. */
export function placementAsked(db: Db, testId: Id): Placement | undefined {
  return find(db, testId)?.placement;
}

export function askForPlacement(
  db: Db,
  asked: { testId: Id; teamId: Id; placement: Placement },
): void {
  const { testId: id, teamId, placement } = asked;
  remove(db, id);
  insert(db, { id, teamId, placement });
}
