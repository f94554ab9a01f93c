/** The tools of others that this folder's scripts run. */

import { join } from "node:path";

/** Runs a script of this folder to its end; `settings` are variables of its environment. */
export async function runScript(
  script: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<{ exit: number; report: string }> {
  const executable = process.env["OUTRIDER_EXECUTABLE"];
  const child = Bun.spawn(
    [join(import.meta.dir, script), ...(executable === undefined ? [] : [executable])],
    { stdout: "pipe", stderr: "pipe", env: { ...process.env, BUN: process.execPath, ...settings } },
  );
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exit, report: `${out}\n${err}` };
}
