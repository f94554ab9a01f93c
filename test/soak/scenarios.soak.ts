/**
 * The random scenarios of `test/journeys/scenarios.test.ts` over seeds that no commit runs, with what they were
 * made of in `docs/reports/scenarios.md`. `OUTRIDER_WORLDS` says how many, `OUTRIDER_WORLD_SEED` from where.
 * What is clean is kept in the directory `OUTRIDER_WORLDS_KEPT` where that is set, for the program that it
 * was found of.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, caller } from "../journeys/support.ts";
import { outrider, type Server, startServer } from "../support/executable.ts";
import { keptIn } from "../support/kept.ts";
import { type Lived, liveScenario, type ScenarioFigures } from "../support/scenarios/drive.ts";
import { RULES } from "../support/scenarios/rules.ts";

const FIRST = Number(process.env["OUTRIDER_WORLD_SEED"] ?? 1001);
const COUNT = Number(process.env["OUTRIDER_WORLDS"] ?? 500);
/** The sandbox's clock only goes forward: a new server before it leaves the zones that are known. */
const SCENARIOS_A_SERVER = 50;
const KEPT = process.env["OUTRIDER_WORLDS_KEPT"];
const REPORT = join(import.meta.dir, "..", "..", "docs", "reports", "scenarios.md");

const lived: ScenarioFigures = {
  emails: 0,
  changes: 0,
  requests: 0,
  forecasts: 0,
  foretold: 0,
  explained: 0,
  events: 0,
};
const failed: string[] = [];
const kept = KEPT === undefined ? undefined : keptIn(KEPT);
const program = (await outrider(["version"])).out.trim();
let scenarios = 0;

const firsts = Array.from(
  { length: Math.ceil(COUNT / SCENARIOS_A_SERVER) },
  (_, nth) => FIRST + nth * SCENARIOS_A_SERVER,
);

describe.each(firsts)("soak: scenarios from seed %d", (first) => {
  let server: Server;
  let call: Call;
  beforeAll(async () => {
    server = await startServer({ args: ["--rate-limit", "0", "--allow-cidrs", "127.0.0.0/8"] });
    call = caller(server, (await server.createKey("test")).key);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });
  const count = Math.min(SCENARIOS_A_SERVER, FIRST + COUNT - first);
  test.each(Array.from({ length: count }, (_, nth) => first + nth))("scenario %d", async (seed) => {
    const known = kept?.find<Lived>(`scenario-${seed}`, program);
    const { faults, figures } = known ?? (await liveScenario(seed, call));
    scenarios += 1;
    for (const name of Object.keys(lived) as (keyof ScenarioFigures)[]) {
      lived[name] += figures[name];
    }
    failed.push(...faults.map((said) => `${seed}: ${said}`));
    if (faults.length === 0) {
      kept?.keep(`scenario-${seed}`, program, { seed, faults, figures } satisfies Lived);
    }
    expect(faults).toEqual([]);
  });
});

afterAll(() => {
  const lines = [
    "# Random scenarios",
    "",
    `Seeds ${FIRST} to ${FIRST + COUNT - 1}, driven over HTTP against ${program}. Each email was held against ${Object.keys(RULES).length} rules,`,
    "written from the specification and the API document alone (`test/support/scenarios/rules.ts`).",
    "",
    "| lived through | |",
    "|---|---:|",
    `| scenarios | ${scenarios} |`,
    `| requests | ${lived.requests} |`,
    `| changes, by up to eight clients at once | ${lived.changes} |`,
    `| emails | ${lived.emails} |`,
    `| forecasts compared with what came | ${lived.forecasts} |`,
    `| emails forecast, each to the minute, the mailbox and the step | ${lived.foretold} |`,
    `| leads explained | ${lived.explained} |`,
    `| events, each at the webhook endpoint once | ${lived.events} |`,
    `| violations | ${failed.length} |`,
    "",
    ...failed.map((line) => `- ${line}`),
  ];
  writeFileSync(REPORT, `${lines.join("\n").trimEnd()}\n`);
});
