/**
 * Starts and ends NLnet Labs' unbound on a free port of this machine: a name server of others' making, which
 * knows what a test tells it and asks nobody else.
 */

import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = "/usr/sbin/unbound";
const STARTED = "start of service";

/** Whether tests of it are left out here: never in the full tier nor in CI. */
export function skipsUnbound(): boolean {
  const tier = process.env["OUTRIDER_TEST_TIER"];
  const isFull = tier === "full" || (process.env["CI"] === "true" && tier !== "quick");
  return !isFull && (tier === "quick" || !existsSync(PROGRAM));
}

export interface Unbound extends AsyncDisposable {
  address: "127.0.0.1";
  port: number;
}

export interface Zones {
  /** Records as a zone file has them: `two.example. 300 TXT "a" "b"`. */
  records?: readonly string[];
  /** What unbound does with whole domains: `["gone.example.", "always_nxdomain"]`. */
  zones?: readonly (readonly [name: string, does: string])[];
  /** Further lines of its `server:` clause. */
  server?: readonly string[];
}

export async function startUnbound({
  records = [],
  zones = [],
  server = [],
}: Zones): Promise<Unbound> {
  const dir = await mkdtemp(join(tmpdir(), "outrider-unbound-"));
  const port = await freePort();
  const path = join(dir, "unbound.conf");
  const lines = [
    "server:",
    ...["do-daemonize: no", "use-syslog: no", 'logfile: ""', "verbosity: 1", 'pidfile: ""'],
    ...['chroot: ""', 'username: ""', `directory: "${dir}"`, "num-threads: 1"],
    ...["interface: 127.0.0.1", "interface: ::1", `port: ${port}`],
    ...['module-config: "iterator"', "do-not-query-localhost: no", ...server],
    // Nothing is asked of anybody: the root of this internet is a port that nobody listens on.
    ...zones.map(([name, does]) => `local-zone: "${name}" ${does}`),
    ...records.map((record) => `local-data: '${record}'`),
    "forward-zone:",
    ...['name: "."', "forward-addr: 127.0.0.1@1"],
    "remote-control:",
    "control-enable: no",
  ];
  await writeFile(path, `${lines.join("\n")}\n`);
  const child = Bun.spawn([PROGRAM, "-d", "-c", path], { stdout: "ignore", stderr: "pipe" });
  const log = child.stderr.getReader();
  const decoder = new TextDecoder();
  for (let words = ""; !words.includes(STARTED); ) {
    const { done, value } = await log.read();
    words += decoder.decode(value);
    if (done) {
      throw new Error(`unbound did not start: ${words}`);
    }
  }
  return {
    address: "127.0.0.1",
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const server = createServer();
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as { port: number };
    server.close(() => resolve(port));
  });
  return await promise;
}
