/** Guarantees of `usecases/team/teams.ts`: programs that open one directory side by side mirror a team once. */

import { expect, test } from "bun:test";
import { findTeam, insertTeamOnce } from "#store/team/teams.ts";
import { mirrorTeam } from "#usecases/team/teams.ts";
import { createTestApp } from "../support/app.ts";

test("a team that another program has mirrored meanwhile is there already", async () => {
  const app = await createTestApp();
  const { test: world } = app.worlds;
  const row = { ...app.team, id: world.ids.next(world.clock.now()), name: "Ours" };
  mirrorTeam(world, row);
  // As it is when the other one comes between our look and our write.
  insertTeamOnce(world.db, { ...row, name: "Too late" });
  mirrorTeam(world, { ...row, name: "Too late" });
  expect(findTeam(world.db, row.id)?.name).toBe("Ours");
  await app.close();
});
