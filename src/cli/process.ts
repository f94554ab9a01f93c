/** The process as the command line sees it: its two streams and its signals. */

import { EXIT } from "./exit.ts";
import type { Terminal } from "./term.ts";

/** Writes to the process's own streams. A reader that has gone (`| head`) ends the process in peace. */
export function processTerminal(): Terminal {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      process.exit(error.code === "EPIPE" ? EXIT.done : EXIT.failed);
    });
  }
  const colours = process.env["NO_COLOR"] === undefined || process.env["NO_COLOR"] === "";
  const overwrites = process.stderr.isTTY === true && process.env["TERM"] !== "dumb";
  return {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    outColours: colours && process.stdout.isTTY === true && process.env["TERM"] !== "dumb",
    errColours: colours && overwrites,
    errOverwrites: overwrites,
    isInteractive: process.stdin.isTTY === true,
  };
}

/** Resolves when both streams have taken what they were given; a slow reader may have it later. */
export async function flushed(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => {
      stream.write("", () => resolve());
    });
  }
}

/** Ends both streams, and resolves when all they were given has been read. */
export async function ended(): Promise<void> {
  for (const stream of [process.stdout, process.stderr]) {
    await new Promise<void>((resolve) => {
      stream.end(() => resolve());
    });
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Listens for signals from now on: the first aborts, a second one ends the process at once. */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      if (controller.signal.aborted) {
        process.exit(EXIT.interrupted);
      }
      controller.abort(signal);
    });
  }
  return controller.signal;
}
