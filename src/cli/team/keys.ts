/**
 * `outrider keys create`, `list` and `revoke`: the operator's way to API keys, which works whether or not
 * a server runs on the data directory. What is revoked here, a running server refuses at its next request.
 */

import { command } from "#cli/command.ts";
import { CommandError, EXIT, usageError } from "#cli/exit.ts";
import {
  type Environments,
  operator,
  readId,
  teamById,
  withEnvironments,
} from "#cli/server/environments.ts";
import { configOf, DATA_OPTIONS } from "#cli/server/settings.ts";
import { jsonLine, styled, table } from "#cli/term.ts";
import { ENVS, type Env, OPERATOR_SCOPE } from "#domain/team/api-key.ts";
import { fromIso, toIso, toIsoOrNull } from "#domain/time.ts";
import type { ApiKeyRow, TeamRow } from "#store/tables/teams.ts";

/** As in the API. */
const NAME_LENGTH_MAX = 100;
/** Rows that are read at a time. */
const PAGE_ROWS = 100;

const TEAM_OPTION = {
  type: "string",
  value: "ID",
  about: "Team (the first team)",
} as const;

const OPERATOR_OPTION = {
  type: "boolean",
  about: "Also allow managing the installation: backups and system status",
} as const;

export const keysCreateCommand = command({
  about: "Create an API key and print it once",
  details: "Creates the data directory and the first team if they don't exist.",
  options: {
    name: { type: "string", value: "NAME", about: "What the key is for", required: true },
    env: { type: "string", value: "live|test", about: "Environment of the key", required: true },
    team: TEAM_OPTION,
    scopes: { type: "string", value: "LIST", about: "Comma-separated scopes (admin)" },
    operator: OPERATOR_OPTION,
    "expires-at": {
      type: "string",
      value: "TIME",
      about: "Expiry, ISO 8601 with an offset (never)",
    },
    ...DATA_OPTIONS,
  },
  run: async (call) => {
    const { values, terminal, json } = call;
    const name = readName(values.name);
    const env = readEnv(values.env);
    const expiresAt =
      values["expires-at"] === undefined ? null : fromIso(values["expires-at"], "--expires-at");
    const scopes = values.scopes?.split(",").map((scope) => scope.trim());
    const isOperator = values.operator === true;
    const all = isOperator ? [...(scopes ?? ["admin"]), OPERATOR_SCOPE] : scopes;
    const { config } = configOf(call);
    const { createKey } = await import("#usecases/team/keys.ts");
    const { key, row } = await withEnvironments(config, async (environments) => {
      const team = await teamFor(environments, values.team);
      const environment = environments[env];
      const input = { name, expiresAt, ...(all === undefined ? {} : { scopes: all }) };
      const caller = operator(team.id);
      const maker = {
        ...caller,
        scopes: [...caller.scopes, ...(isOperator ? [OPERATOR_SCOPE] : [])],
      };
      return await environment.commit(() => createKey(environment, maker, input));
    });
    if (json) {
      terminal.out(jsonLine({ key, ...present(row, env) }));
    } else {
      terminal.out(`${key}\n`);
      terminal.err(
        styled("Save this key now. It won't be shown again.\n", "dim", terminal.errColours),
      );
    }
    return EXIT.done;
  },
});

export const keysListCommand = command({
  about: "List API keys, oldest first",
  options: {
    env: { type: "string", value: "live|test", about: "Only keys of this environment" },
    team: TEAM_OPTION,
    ...DATA_OPTIONS,
  },
  run: async (call) => {
    const envs = call.values.env === undefined ? ENVS : [readEnv(call.values.env)];
    const { config } = configOf(call);
    const { listKeys } = await import("#store/team/keys.ts");
    const keys = await withEnvironments(config, async (environments) => {
      const team = await knownTeam(environments, call.values.team);
      const found: { row: ApiKeyRow; env: Env }[] = [];
      if (team === undefined) {
        return found;
      }
      for (const env of envs) {
        for (let total = 1, offset = 0; offset < total; offset += PAGE_ROWS) {
          const page = listKeys(environments[env].db, team.id, { limit: PAGE_ROWS, offset });
          found.push(...page.rows.map((row) => ({ row, env })));
          total = page.total;
        }
      }
      return found;
    });
    if (call.json) {
      call.terminal.out(jsonLine({ data: keys.map(({ row, env }) => present(row, env)) }));
      return EXIT.done;
    }
    const columns = ["Id", "Env", "Name", "Ends in", "Scopes", "Last used", "Revoked"];
    const rows = keys.map(({ row, env }) => [
      row.id,
      env,
      row.name,
      row.last4,
      row.scopes.join(","),
      toIsoOrNull(row.lastUsedAt) ?? "-",
      toIsoOrNull(row.revokedAt) ?? "-",
    ]);
    const titles = columns.map((title) => ({ title }));
    call.terminal.out(table(titles, rows, call.terminal.outColours));
    return EXIT.done;
  },
});

export const keysRevokeCommand = command({
  about: "Revoke an API key immediately",
  options: { team: TEAM_OPTION, ...DATA_OPTIONS },
  positionals: [{ name: "ID", about: "Key id, from `outrider keys list`" }],
  run: async (call) => {
    const id = readId(call.words[0] ?? "", "the key's id");
    const { config } = configOf(call);
    const { findKey } = await import("#store/team/keys.ts");
    const { revokeKey } = await import("#usecases/team/keys.ts");
    const { row, env } = await withEnvironments(config, async (environments) => {
      const team = await knownTeam(environments, call.values.team);
      const env = ENVS.find(
        (name) => team !== undefined && findKey(environments[name].db, team.id, id) !== undefined,
      );
      if (team === undefined || env === undefined) {
        throw new CommandError(
          EXIT.failed,
          `no such key: ${id}. For another team's key, add --team`,
        );
      }
      const environment = environments[env];
      const row = await environment.commit(() => revokeKey(environment, operator(team.id), id));
      return { row, env };
    });
    call.terminal.out(call.json ? jsonLine(present(row, env)) : `revoked ${id}\n`);
    return EXIT.done;
  },
});

/** The team that `--team` names, else the first one, if there is any. */
async function knownTeam(
  { live }: Environments,
  named: string | undefined,
): Promise<TeamRow | undefined> {
  const { listTeams } = await import("#store/team/teams.ts");
  return named === undefined ? listTeams(live.db)[0] : await teamById(live, named);
}

/** The team that `--team` names, else the first one, made now where there is none; in both environments. */
async function teamFor(environments: Environments, named: string | undefined): Promise<TeamRow> {
  const { firstTeam, mirrorTeam } = await import("#usecases/team/teams.ts");
  const { live, test } = environments;
  const team =
    named === undefined ? await live.commit(() => firstTeam(live)) : await teamById(live, named);
  await test.commit(() => mirrorTeam(test, team));
  return team;
}

function readName(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    throw usageError(`--name must be 1 to ${NAME_LENGTH_MAX} characters on one line`);
  }
  return name;
}

function readEnv(text: string): Env {
  const env = ENVS.find((name) => name === text);
  if (env === undefined) {
    throw usageError(`--env must be ${ENVS.join(" or ")}, not "${text}"`);
  }
  return env;
}

function present(row: ApiKeyRow, env: Env) {
  return {
    id: row.id,
    name: row.name,
    env,
    created_at: toIso(row.createdAt),
    team_id: row.teamId,
    scopes: row.scopes,
    last4: row.last4,
    expires_at: toIsoOrNull(row.expiresAt),
    revoked_at: toIsoOrNull(row.revokedAt),
    last_used_at: toIsoOrNull(row.lastUsedAt),
  };
}
