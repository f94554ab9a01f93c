/** Guarantees of `usecases/team/teams.ts`: programs that open one directory side by side mirror a team once. */

import { expect, test } from "bun:test";
import { findTeam, insertTeamOnce } from "#store/team/teams.ts";
import { mirrorTeam } from "#usecases/team/teams.ts";
import { createTestApp } from "../../support/app.ts";

test("a team that another program has mirrored meanwhile is there already", async () => {
  const app = await createTestApp();
  const { test: env } = app.environments;
  const row = { ...app.team, id: env.ids.next(env.clock.now()), name: "Ours" };
  mirrorTeam(env, row);
  // As it is when the other one comes between our look and our write.
  insertTeamOnce(env.db, { ...row, name: "Too late" });
  mirrorTeam(env, { ...row, name: "Too late" });
  expect(findTeam(env.db, row.id)?.name).toBe("Ours");
  await app.close();
});
