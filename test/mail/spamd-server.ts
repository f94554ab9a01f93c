/** Starts and ends Debian's spamd on a free port, with local tests only. */

import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../mailserver/mailserver.ts";

export const SPAMD = "/usr/sbin/spamd";
/** Said once the rules are compiled and the port is open. */
const STARTED = "server started on";

/** Whether tests of these daemons are left out here: never in the full tier nor in CI. */
export function skips(...programs: readonly string[]): boolean {
  const tier = process.env["OUTRIDER_TEST_TIER"];
  const isFull = tier === "full" || (process.env["CI"] === "true" && tier !== "quick");
  return !isFull && (tier === "quick" || !programs.every(existsSync));
}

export interface SpamdServer {
  host: "127.0.0.1";
  port: number;
  stop(): Promise<void>;
}

export async function startSpamd(): Promise<SpamdServer> {
  const dir = await mkdtemp(join(tmpdir(), "outrider-spamd-"));
  const [port = 0] = await freePorts(1);
  const child = Bun.spawn(
    [
      ...[SPAMD, "--local", "--nouser-config", "--max-children=1", "--syslog=stderr"],
      ...[`--listen=127.0.0.1:${port}`, "--allowed-ips=127.0.0.1"],
      ...[`--helper-home-dir=${dir}`, `--pidfile=${join(dir, "pid")}`],
    ],
    { stdout: "ignore", stderr: "pipe" },
  );
  const log = child.stderr.getReader();
  const decoder = new TextDecoder();
  for (let words = ""; !words.includes(STARTED); ) {
    const { done, value } = await log.read();
    words += decoder.decode(value);
    if (done) {
      throw new Error(`spamd did not start: ${words}`);
    }
  }
  return {
    host: "127.0.0.1",
    port,
    stop: async () => {
      child.kill();
      await child.exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}
