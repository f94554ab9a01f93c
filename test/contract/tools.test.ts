/** The document in the hands of others: a generator of clients, and a tool that makes requests of it. */

import { describe, expect, test } from "bun:test";
import { join } from "node:path";

const MINUTES_MAX = 40;

/** Runs a script of this folder to its end. */
async function run(script: string): Promise<{ exit: number; report: string }> {
  const executable = process.env["OUTRIDER_EXECUTABLE"];
  const child = Bun.spawn(
    [join(import.meta.dir, script), ...(executable === undefined ? [] : [executable])],
    { stdout: "pipe", stderr: "pipe", env: { ...process.env, BUN: process.execPath } },
  );
  const [out, err, exit] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exit, report: `${out}\n${err}` };
}

test(
  "openapi-typescript makes types of it, and a client of them compiles",
  async () => {
    const { exit, report } = await run("types.sh");

    expect({ exit, report: exit === 0 ? "" : report }).toEqual({ exit: 0, report: "" });
  },
  MINUTES_MAX * 60_000,
);

describe("in the full tier", () => {
  test.skipIf(process.env["OUTRIDER_TEST_TIER"] !== "full")(
    "schemathesis finds nothing in the executable, with all checks",
    async () => {
      const { exit, report } = await run("schemathesis.sh");

      expect({ exit, report: exit === 0 ? "" : report }).toEqual({ exit: 0, report: "" });
    },
    MINUTES_MAX * 60_000,
  );
});
