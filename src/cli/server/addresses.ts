/** Addresses at which a server can really be opened. */

import { networkInterfaces } from "node:os";
import type { Config } from "#config/config.ts";
import { addressOf } from "#store/sqlite/lock.ts";

const ADDRESSES_MAX = 8;
const EVERY_ADDRESS = ["0.0.0.0", "[::]"];

/** `url`, or where the server listens on all of them, each of this machine's. */
export function addresses(url: string): string[] {
  const { hostname, port, protocol } = new URL(url);
  if (!EVERY_ADDRESS.includes(hostname)) {
    return [url];
  }
  const found = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, scopeid }) => family === "IPv4" || (hostname === "[::]" && !scopeid))
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
  return found.slice(0, ADDRESSES_MAX).map((host) => `${protocol}//${host}:${port}`);
}

/**
 * Where links that open the console lead: the public address, else that of the server that runs on the data
 * directory, else where one would listen.
 */
export function consoleBase(config: Config): string {
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const url = addressOf(config.dataDir) ?? `http://${host}:${config.port}`;
  return config.publicUrl ?? addresses(url)[0] ?? url;
}
