/** Addresses at which a server can really be opened. */

import { networkInterfaces } from "node:os";
import type { Config } from "#config/config.ts";

const ADDRESSES_MAX = 8;
const EVERY_ADDRESS = ["0.0.0.0", "::"];

/** `url`, or where the server listens on all of them, each of this machine's. */
export function addresses(url: string, config: Config): string[] {
  if (!EVERY_ADDRESS.includes(config.host)) {
    return [url];
  }
  const { port, protocol } = new URL(url);
  const found = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, scopeid }) => family === "IPv4" || (config.host === "::" && !scopeid))
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));
  return found.slice(0, ADDRESSES_MAX).map((host) => `${protocol}//${host}:${port}`);
}

/** Where links that open the console lead: the public address, else this server's own. */
export function consoleBase(config: Config): string {
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  const url = `http://${host}:${config.port}`;
  return config.publicUrl ?? addresses(url, config)[0] ?? url;
}
