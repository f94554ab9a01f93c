/** The product behind a socket, inside the test: for what asks a server from outside. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startApp } from "#app.ts";
import { readConfig } from "#config/config.ts";
import { silentLog } from "#platform/log.ts";
import { createKey } from "#usecases/team/keys.ts";
import { firstTeam, mirrorTeam } from "#usecases/team/teams.ts";

export interface TestServer {
  url: string;
  /** A directory of its own, in which the data lies as `data`. */
  dir: string;
  /** A new key of the team that both environments have. */
  keyOf(envName: "live" | "test", scopes?: string[]): Promise<string>;
  /** Stops it and removes the directory. */
  stop(): Promise<void>;
}

/** `flags` are settings, as the command line gives them. */
export async function startTestServer(flags: Record<string, string> = {}): Promise<TestServer> {
  const dir = mkdtempSync(join(tmpdir(), "outrider-server-"));
  const { config } = readConfig({
    flags: { data: join(dir, "data"), port: "0", rate_limit: "0", ...flags },
    env: {},
    workingDir: dir,
  });
  const app = await startApp(config, { log: silentLog });
  const { live, test } = app.environments;
  const team = await live.commit(() => firstTeam(live));
  await test.commit(() => mirrorTeam(test, team));
  const caller = { teamId: team.id, actor: "operator", scopes: ["admin", "operator"] };
  return {
    url: app.url,
    dir,
    keyOf: async (envName, scopes = ["admin"]) => {
      const env = envName === "live" ? live : test;
      return await env.commit(() => createKey(env, caller, { name: "test", scopes }).key);
    },
    stop: async () => {
      await app.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
