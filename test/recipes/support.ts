/** Programs of `docs/recipes/` as people run them: a process each, on a free port of this machine. */

import { resolve } from "node:path";

export const RECIPES = resolve(import.meta.dir, "../../docs/recipes");

export interface Program {
  url: string;
  [Symbol.asyncDispose](): Promise<void>;
}

const RUNTIMES: Readonly<Record<string, string>> = { py: "python3", mjs: "node", cjs: "node" };

/** What runs it; undefined where this machine has none. */
export function runtimeOf(file: string): string | undefined {
  return Bun.which(RUNTIMES[file.split(".").at(-1) ?? ""] ?? "") ?? undefined;
}

/** Starts it with port 0 and waits until it says which one it got. Throws with its words where it ends before. */
export async function startProgram(
  file: string,
  env: Readonly<Record<string, string>>,
): Promise<Program> {
  const child = Bun.spawn([runtimeOf(file) ?? "", file, "0"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdout: "pipe",
    stderr: "pipe",
  });
  let said = "";
  for await (const chunk of child.stdout) {
    said += new TextDecoder().decode(chunk);
    const port = /listening on port (\d+)/.exec(said)?.[1];
    if (port !== undefined) {
      return {
        url: `http://127.0.0.1:${port}/`,
        [Symbol.asyncDispose]: async () => {
          child.kill();
          await child.exited;
        },
      };
    }
  }
  throw new Error(`${file} ended: ${said} ${await new Response(child.stderr).text()}`);
}
