/** Opening the data directory for a command that does one thing beside a server, or without one. */

import type { OpenEnvironments } from "#app/environments.ts";
import { CommandError, EXIT } from "#cli/exit.ts";
import type { Config } from "#config/config.ts";
import type { Caller, Environment } from "#environment.ts";
import { silentLog } from "#platform/log.ts";
import type { Id } from "#store/sqlite/columns.ts";
import type { TeamRow } from "#store/tables/teams.ts";

export type Environments = Pick<OpenEnvironments, "live" | "test">;

/** Runs `work` and closes both environments after it, also when it throws. */
export async function withEnvironments<Result>(
  config: Config,
  work: (environments: Environments) => Promise<Result>,
): Promise<Result> {
  const [{ openEnvironments }, { backupBeforeMigration }] = await Promise.all([
    import("#app/environments.ts"),
    import("#app/upgrade.ts"),
  ]);
  await backupBeforeMigration(config, silentLog);
  const environments = openEnvironments(config, silentLog);
  try {
    return await work(environments);
  } finally {
    await environments.close();
  }
}

/** Runs `work` while no server may start. Throws where one runs. */
export async function withoutServer<Result>(
  dataDir: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const { DirectoryLocked, lockDirectory } = await import("#store/sqlite/lock.ts");
  let lock: ReturnType<typeof lockDirectory>;
  try {
    lock = lockDirectory(dataDir, process.pid);
  } catch (error) {
    throw error instanceof DirectoryLocked ? new CommandError(EXIT.tryLater, error.message) : error;
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Whoever has the data directory may do everything in it. */
export function operator(teamId: Id): Caller {
  return { teamId, actor: "operator", scopes: ["admin"] };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** `text` as an id; throws a usage error naming `what` for anything else. */
export function readId(text: string, what: string): Id {
  const id = text.toLowerCase();
  if (!UUID.test(id)) {
    throw new CommandError(EXIT.usage, `${what} must be a UUID, not "${text}"`);
  }
  return id;
}

/** The team that `--team` names; throws when there is none. */
export async function teamById(live: Environment, text: string): Promise<TeamRow> {
  const { findTeam } = await import("#store/team/teams.ts");
  const team = findTeam(live.db, readId(text, "--team"));
  if (team === undefined) {
    throw new CommandError(EXIT.failed, `no such team: ${text}`);
  }
  return team;
}
