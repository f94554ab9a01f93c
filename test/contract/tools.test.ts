/** The document in the hands of others: a generator of clients, and a tool that makes requests of it. */

import { describe, expect, test } from "bun:test";
import { runScript } from "./run-script.ts";

const MINUTES_MAX = 40;

test(
  "openapi-typescript makes types of it, and a client of them compiles",
  async () => {
    const { exit, report } = await runScript("types.sh");

    expect({ exit, report: exit === 0 ? "" : report }).toEqual({ exit: 0, report: "" });
  },
  MINUTES_MAX * 60_000,
);

describe("in the full tier", () => {
  test.skipIf(process.env["OUTRIDER_TEST_TIER"] !== "full")(
    "schemathesis finds nothing in the executable, with all checks",
    async () => {
      const { exit, report } = await runScript("schemathesis.sh");

      expect({ exit, report: exit === 0 ? "" : report }).toEqual({ exit: 0, report: "" });
    },
    MINUTES_MAX * 60_000,
  );
});
