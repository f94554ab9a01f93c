/** `/team`: settings of the caller's own team, each environment with its own. */

import { resource } from "#api/context.ts";
import { checkMatch, tagged } from "#api/etag.ts";
import { checkIdentity, dropReadOnly } from "#api/patch.ts";
import { patch } from "#api/write.ts";
import { ownTeam, patchTeam } from "#usecases/team/teams.ts";
import { patchOf, presentTeam, TEAM_READ_ONLY, TEAM_SETTABLE, Team, TeamPatch } from "./schema.ts";

export const teamRoutes = resource("team", "/team")
  .get(
    "",
    (context) => {
      const row = ownTeam(context.world, context.caller);
      return tagged(context, presentTeam(row), TEAM_SETTABLE);
    },
    { response: { 200: Team }, detail: { summary: "The team of this key" } },
  )
  .patch(
    "",
    (context) =>
      patch(
        context,
        () => {
          const { world, caller, body, state, request } = context;
          const before = presentTeam(ownTeam(world, caller));
          checkIdentity(state, before);
          checkMatch(request, before, TEAM_SETTABLE);
          return presentTeam(patchTeam(world, caller, patchOf(body)));
        },
        TEAM_SETTABLE,
      ),
    {
      body: TeamPatch,
      transform: dropReadOnly(TEAM_READ_ONLY),
      response: { 200: Team },
      detail: { summary: "Change name, postal address, footer or the words that mean interest" },
    },
  );
