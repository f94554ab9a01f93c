/** `outrider serve`: brings the data up to date, answers, and stops in good order. */

import { once } from "node:events";
import { VERSION } from "#app/version.ts";
import type { RunningApp } from "#app.ts";
import { type Call, command } from "#cli/command.ts";
import { EXIT } from "#cli/exit.ts";
import { jsonLine, printable, styled } from "#cli/term.ts";
import type { Config } from "#config/config.ts";
import { addresses } from "./addresses.ts";
import { examine } from "./examine.ts";
import { ALL_OPTIONS, configOf } from "./settings.ts";

export const serveCommand = command({
  about: "Run the server",
  details: [
    "Creates or migrates the data directory, prints the address once it's ready, and runs",
    "until SIGTERM or SIGINT. Only one server can use a data directory at a time.",
  ].join("\n"),
  options: ALL_OPTIONS,
  run: async (call) => {
    const { config } = configOf(call);
    const interrupt = call.interrupt();
    const { startApp } = await import("#app.ts");
    const findings = () => examine(config, { whole: false });
    let app = await startApp(config, { findings });
    await sayStarted(call, config, app);
    while (!(await endsBy(interrupt, app.restart))) {
      // A restore lies ready; whoever knows the address finds the server there again.
      const port = Number(new URL(app.url).port);
      await app.stop();
      app = await startApp({ ...config, port }, { findings });
    }
    const { terminal } = call;
    terminal.err(styled(`${interrupt.reason}: stopping\n`, "dim", terminal.errColours));
    await app.stop();
    return EXIT.done;
  },
});

async function sayStarted(call: Call, config: Config, app: RunningApp): Promise<void> {
  const { terminal, json } = call;
  const { url, environments } = app;
  const urls = addresses(url);
  const { createAdmin, firstRunUrl } = await import("#usecases/team/sign-in-link.ts");
  const { adminEmail: email, adminPassword: password } = config;
  if (email !== null && password !== null) {
    await createAdmin(environments, { email, password });
  }
  const first = await firstRunUrl(environments.live, config.publicUrl ?? urls[0] ?? url);
  if (json) {
    const { pid } = process;
    const known = { url, urls, data: config.dataDir, version: VERSION, pid };
    terminal.out(jsonLine({ ...known, first_run_url: first }));
    return;
  }
  terminal.out(`Outrider ${VERSION} is running at ${urls.join(" and ")}\n`);
  terminal.out(`Data directory: ${printable(config.dataDir)}\n`);
  if (first !== null) {
    terminal.out(`Create the first account with this link, valid for 30 minutes:\n  ${first}\n`);
    terminal.out("Lost it? Run `outrider admin link` for a new one.\n");
  }
}

/** True when it is to end, false when it is to start anew. */
async function endsBy(interrupt: AbortSignal, restart: Promise<void>): Promise<boolean> {
  if (!interrupt.aborted) {
    await Promise.race([once(interrupt, "abort"), restart]);
  }
  return interrupt.aborted;
}
