/** `outrider serve`: brings the data up to date, answers, and stops in good order. */

import { once } from "node:events";
import { networkInterfaces } from "node:os";
import type { Config } from "#config.ts";
import { VERSION } from "#version.ts";
import { command } from "./command.ts";
import { EXIT } from "./exit.ts";
import { ALL_OPTIONS, configOf } from "./settings.ts";
import { jsonLine, printable, styled } from "./term.ts";

export const serveCommand = command({
  about: "Run the server",
  details: [
    "Makes or migrates the data directory, prints the address once it answers, and runs",
    "until SIGTERM or SIGINT. One server at a time may use a data directory.",
  ].join("\n"),
  options: ALL_OPTIONS,
  run: async (call) => {
    const { config } = configOf(call);
    const interrupt = call.interrupt();
    const { startApp } = await import("#app.ts");
    const app = await startApp(config);
    const { terminal } = call;
    const urls = addresses(app.url, config);
    if (call.json) {
      const { url } = app;
      const { pid } = process;
      terminal.out(jsonLine({ url, urls, data: config.dataDir, version: VERSION, pid }));
    } else {
      terminal.out(`Outrider ${VERSION} answers at ${urls.join(" and ")}\n`);
      terminal.out(`Data directory: ${printable(config.dataDir)}\n`);
    }
    if (!interrupt.aborted) {
      await once(interrupt, "abort");
    }
    terminal.err(styled(`${interrupt.reason}: stopping\n`, "dim", terminal.errColours));
    await app.stop();
    return EXIT.done;
  },
});

const ADDRESSES_MAX = 8;
const EVERY_ADDRESS = ["0.0.0.0", "::"];

/** Addresses that can be opened: where it listens on all of them, each of this machine's. */
function addresses(url: string, config: Config): string[] {
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
