/** The executable against its own document, by 60 made-up requests for each operation: 8 at each change. */

import { expect, test } from "bun:test";
import { runScript } from "../contract/run-script.ts";

const TEST_MS_MAX = 14_400_000;

test(
  "schemathesis finds nothing in 60 requests for each operation",
  async () => {
    const settings = { SCHEMATHESIS_EXAMPLES: process.env["SCHEMATHESIS_EXAMPLES"] ?? "60" };
    const { exit, report } = await runScript("schemathesis.sh", settings);
    expect({ exit, report: exit === 0 ? "" : report }).toEqual({ exit: 0, report: "" });
  },
  TEST_MS_MAX,
);
