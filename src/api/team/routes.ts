/** `/team`: settings of the caller's own team, each environment with its own. */

import { resource } from "#api/context.ts";
import { tagged } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { present, read } from "#api/wire.ts";
import { patch } from "#api/write.ts";
import { ownTeam, patchTeam } from "#usecases/team/teams.ts";
import { Team, TeamPatch } from "./schema.ts";

export const teamRoutes = resource("team", "/team")
  .get(
    "",
    (context) => {
      const row = ownTeam(context.env, context.caller);
      return tagged(context, present(Team, row), TeamPatch);
    },
    {
      response: { 200: Team },
      detail: { summary: "Get the team", description: "Returns the team that the key belongs to." },
    },
  )
  .patch(
    "",
    (context) => {
      const { env, caller, body } = context;
      return patch(
        context,
        TeamPatch,
        () => present(Team, ownTeam(env, caller)),
        () => present(Team, patchTeam(env, caller, read(TeamPatch, body))),
      );
    },
    {
      ...changes(TeamPatch, Team),
      response: { 200: Team },
      detail: {
        summary: "Update the team",
        description:
          "Changes the team's name, postal address, footer and its language, host name of tracked links, or the " +
          "phrases that show interest.",
      },
    },
  );
