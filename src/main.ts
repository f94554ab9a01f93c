/** Where the program starts: file modes first, then the command line. */

import { abortOnInterrupt, ended, processTerminal } from "#cli/process.ts";
import { runCommandLine } from "#cli/run.ts";

/** Until then code is compiled reluctantly (`build.sh`): most of a start runs once. */
const START_MS = 500;

process.umask(0o077);
Bun.sleep(START_MS).then(() => Bun.unsafe.setJITPolicy(1));
const exit = await runCommandLine(process.argv.slice(2), {
  terminal: processTerminal(),
  env: process.env,
  workingDir: process.cwd(),
  interrupt: abortOnInterrupt,
});
await ended();
process.exit(exit);
