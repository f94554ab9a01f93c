/** `outrider teams create` and `outrider teams list`. */

import { command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { withEnvironments } from "#cli/server/environments.ts";
import { configOf, DATA_OPTIONS } from "#cli/server/settings.ts";
import { jsonLine, table } from "#cli/term.ts";
import { toIso } from "#domain/time.ts";
import type { TeamRow } from "#store/tables/teams.ts";

export const teamsCreateCommand = command({
  about: "Create a team",
  options: {
    name: { type: "string", value: "NAME", about: "1 to 255 characters", required: true },
    ...DATA_OPTIONS,
  },
  run: async (call) => {
    const { config } = configOf(call);
    const { createTeam, mirrorTeam } = await import("#usecases/team/teams.ts");
    const team = await withEnvironments(config, async ({ live, test }) => {
      const row = await live.commit(() => createTeam(live, call.values.name));
      await test.commit(() => mirrorTeam(test, row));
      return row;
    });
    call.terminal.out(call.json ? jsonLine(present(team)) : `${team.id}\n`);
    return EXIT.done;
  },
});

export const teamsListCommand = command({
  about: "List teams, oldest first",
  options: DATA_OPTIONS,
  run: async (call) => {
    const { config } = configOf(call);
    const { listTeams } = await import("#store/team/teams.ts");
    const teams = await withEnvironments(config, async ({ live }) => listTeams(live.db));
    if (call.json) {
      call.terminal.out(jsonLine({ data: teams.map(present) }));
      return EXIT.done;
    }
    const columns = [{ title: "Id" }, { title: "Name" }, { title: "Created" }];
    const rows = teams.map((team) => [team.id, team.name, toIso(team.createdAt)]);
    call.terminal.out(table(columns, rows, call.terminal.outColours));
    return EXIT.done;
  },
});

function present(team: TeamRow) {
  return { id: team.id, name: team.name, created_at: toIso(team.createdAt) };
}
