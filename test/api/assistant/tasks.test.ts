/**
 * Guarantees of the assistant's tools, by the Model Context Protocol's official Python SDK and JSON Schema
 * validator: ten tasks are done from what the tools say of themselves alone, on stdin and stdout and over
 * HTTP, in the protocol's latest revision and in the one before.
 */

import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { startTestServer } from "../../support/running-app.ts";

const ROOT = resolve(import.meta.dir, "../../..");
const VENV = process.env["OUTRIDER_VENV"] ?? resolve(ROOT, ".toolchain/venv");
const PYTHON = resolve(VENV, "bin/python");
const EXECUTABLE = process.env["OUTRIDER_EXECUTABLE"];
const PROGRAM = EXECUTABLE === undefined ? [process.execPath, "src/main.ts"] : [EXECUTABLE];
const MS_MAX = 300_000;
const hasSdk =
  process.env["OUTRIDER_TEST_TIER"] === "full" ||
  (existsSync(PYTHON) && Bun.spawnSync([PYTHON, "-c", "import mcp, jsonschema"]).success);

const SEEN = {
  forecast: true,
  silence: ["paused", "paused"],
  variants: ["A", "B"],
  answers: 1,
  suppressed: true,
  history: true,
  mailbox: [true, true],
  bounces: [true, "paused", "active"],
  exported: [true, 80],
  refused: [
    ...["stop_on_replay", "body", "id"],
    'unknown operation getCampain; did you mean "getCampaign"?; use find_operations to look it up',
  ],
  hints: [true, false, false, true],
  beside: [true, true],
};

describe("The assistant's ten tasks, by the official Python SDK", () => {
  for (const transport of ["stdio", "http", "http-legacy"]) {
    test.skipIf(!hasSdk)(
      `over ${transport}${hasSdk ? "" : " (skipped: the SDK is missing)"}`,
      async () => {
        const server = await startTestServer();
        try {
          const child = Bun.spawn([PYTHON, `${import.meta.dir}/python/tasks.py`, transport], {
            cwd: ROOT,
            env: {
              PATH: process.env["PATH"] ?? "",
              OUTRIDER_URL: server.url,
              OUTRIDER_KEY: await server.keyOf("test"),
              OUTRIDER_PROGRAM: JSON.stringify(PROGRAM),
            },
            ...{ stdout: "pipe", stderr: "pipe" },
          });
          const [out, err] = await Promise.all([
            new Response(child.stdout).text(),
            new Response(child.stderr).text(),
          ]);
          expect({ exit: await child.exited, said: out === "" ? err : "" }).toEqual({
            ...{ exit: 0, said: "" },
          });
          expect(JSON.parse(out)).toEqual(SEEN);
        } finally {
          await server.stop();
        }
      },
      MS_MAX,
    );
  }
});
