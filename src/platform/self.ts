/**
 * This program once more, as a process of its own or as a second thread, for work that would keep a server
 * from answering: compiled it is the executable itself, from source Bun with `main.ts`.
 */

import { join } from "node:path";

/** Where a compiled executable's files seem to lie. */
const EMBEDDED = /^(?:\/\$bunfs\/|[A-Z]:[\\/]~BUN[\\/])/;
const OUTPUT_BYTES_MAX = 1024 * 1024;

/** False where this program runs from its source. */
export function isCompiled(): boolean {
  return EMBEDDED.test(import.meta.path);
}

export function selfCommand(): string[] {
  return isCompiled()
    ? [process.execPath]
    : [process.execPath, join(import.meta.dir, "../main.ts")];
}

/** Of the second thread (`side-thread.ts`); in an executable, below what its two entries have in common. */
export function sideThreadPath(): string {
  return join(import.meta.dir, isCompiled() ? "app/reader.js" : "../app/reader.ts");
}

export interface SelfRun {
  exit: number;
  out: string;
  err: string;
}

/** Runs one command to its end. `env` is all that the process is given beside where programs are found. */
export async function runSelf(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<SelfRun> {
  const { PATH = "", HOME = "", TMPDIR } = process.env;
  const child = Bun.spawn([...selfCommand(), ...args], {
    env: { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    signal,
    killSignal: "SIGKILL",
  });
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exit, out: out.slice(0, OUTPUT_BYTES_MAX), err: err.slice(0, OUTPUT_BYTES_MAX) };
}
