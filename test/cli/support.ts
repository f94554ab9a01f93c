/** Runs a command line inside the test, and keeps what it wrote. */

import { runCommandLine } from "#cli/run.ts";
import type { Terminal } from "#cli/term.ts";

export interface Ran {
  exit: number;
  out: string;
  err: string;
}

export async function run(
  args: readonly string[],
  around: { env?: Record<string, string>; workingDir?: string; colours?: boolean } = {},
): Promise<Ran> {
  const { terminal, written } = keepingTerminal(around.colours ?? false);
  const exit = await runCommandLine(args, {
    terminal,
    env: around.env ?? {},
    workingDir: around.workingDir ?? "/srv",
    interrupt: () => new AbortController().signal,
  });
  return { exit, ...written() };
}

export function keepingTerminal(colours: boolean): {
  terminal: Terminal;
  written: () => { out: string; err: string };
} {
  let out = "";
  let err = "";
  return {
    terminal: {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      outColours: colours,
      errColours: colours,
      errOverwrites: colours,
      isInteractive: colours,
    },
    written: () => ({ out, err }),
  };
}
