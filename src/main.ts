/** Where the program starts: file modes first, then the command line. */

import { abortOnInterrupt, flushed, processTerminal } from "#cli/process.ts";
import { runCommandLine } from "#cli/run.ts";

process.umask(0o077);
const exit = await runCommandLine(process.argv.slice(2), {
  terminal: processTerminal(),
  env: process.env,
  workingDir: process.cwd(),
  interrupt: abortOnInterrupt,
});
await flushed();
process.exit(exit);
