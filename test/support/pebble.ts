/**
 * Starts and ends Let's Encrypt's Pebble, the authority that is made for trying ACME clients: it refuses
 * good nonces now and then, and connects to the hosts that it is asked about.
 */

import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { selfSigned } from "./certificate.ts";
import { freePort } from "./unbound.ts";

const PROGRAM = resolve(import.meta.dir, "../../.toolchain/bin/pebble");
/** Per cent of nonces that it refuses. */
const NONCES_REFUSED = "15";

/** Whether tests of it are left out here: never in the full tier nor in CI. */
export function skipsPebble(): boolean {
  const { CI, OUTRIDER_TEST_TIER: tier } = process.env;
  const isFull = tier === "full" || (CI === "true" && tier !== "quick");
  return !isFull && (tier === "quick" || !existsSync(PROGRAM));
}

export interface Pebble extends AsyncDisposable {
  directory: string;
  /** File of the certificate that its own HTTPS is trusted by. */
  trust: string;
  /** PEM of the root of what it issues. */
  root(): Promise<string>;
  stop(): Promise<void>;
}

export interface PebbleOptions {
  /** Where it looks for the answers to its challenges. */
  httpPort: number;
  /** `127.0.0.1:53`, whom it asks where a host is. */
  dnsServer: string;
  validSeconds: number;
}

export async function startPebble(options: PebbleOptions): Promise<Pebble> {
  const dir = await mkdtemp(join(tmpdir(), "outrider-pebble-"));
  const [port, management] = [await freePort(), await freePort()];
  const own = selfSigned("127.0.0.1");
  const file = (name: string) => join(dir, name);
  await writeFile(file("cert.pem"), own.cert);
  await writeFile(file("key.pem"), own.key);
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: file("cert.pem"),
    privateKey: file("key.pem"),
    httpPort: options.httpPort,
    tlsPort: 1,
    domainBlocklist: ["blocked.example"],
    retryAfter: { authz: 1, order: 1 },
    keyAlgorithm: "ecdsa",
    profiles: { default: { description: "short", validityPeriod: options.validSeconds } },
  };
  await writeFile(file("config.json"), JSON.stringify({ pebble }));
  const args = ["-config", file("config.json"), "-dnsserver", options.dnsServer, "-strict"];
  const env = { PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: NONCES_REFUSED };
  const child = Bun.spawn([PROGRAM, ...args], { env, stdout: "ignore", stderr: "ignore" });
  const tls = { ca: own.cert };
  const directory = `https://127.0.0.1:${port}/dir`;
  while (child.exitCode === null && !(await fetch(directory, { tls }).catch(() => null))?.ok) {
    await Bun.sleep(50);
  }
  const stop = async () => {
    child.kill();
    await child.exited;
  };
  return {
    directory,
    trust: file("cert.pem"),
    root: async () =>
      await (await fetch(`https://127.0.0.1:${management}/roots/0`, { tls })).text(),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}
