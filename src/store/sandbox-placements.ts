/** Where the simulated servers are to put the mail of placement tests, because somebody said so. */

import type { Placement } from "#domain/placement.ts";
import type { Id } from "./columns.ts";
import type { Db } from "./database.ts";
import { finder, inserter, remover } from "./rows.ts";
import { sandboxPlacements } from "./tables/placement.ts";

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
