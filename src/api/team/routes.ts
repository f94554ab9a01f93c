/** `/team`: settings of the caller's own team, each environment with its own. */

import { DRY_RUN, resource } from "#api/context.ts";
import { withEtag } from "#api/etag.ts";
import { changes } from "#api/patch.ts";
import { present, read } from "#api/wire.ts";
import { patch } from "#api/write.ts";
import { patchTeam, requireTeam } from "#usecases/team/teams.ts";
import { Team, TeamPatch } from "./schema.ts";

export const teamRoutes = resource("team", "/team")
  .get(
    "",
    (context) => {
      const row = requireTeam(context.env, context.caller);
      return withEtag(context, present(Team, row), TeamPatch);
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
        () => present(Team, requireTeam(env, caller)),
        () => present(Team, patchTeam(env, caller, read(TeamPatch, body))),
      );
    },
    {
      ...changes(TeamPatch, Team),
      response: { 200: Team },
      detail: {
        ...DRY_RUN,
        summary: "Update the team",
        description:
          "Changes the team's name, postal address, footer and its language, host name of tracked links, or the " +
          "phrases that show interest.",
      },
    },
  );
