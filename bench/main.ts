/**
 * Figures of the product, each beside its limit measured in the same run.
 *
 *     bun bench [--short] [--only GROUP] [--leads N] [--json FILE] [--markdown FILE]
 *
 * The table goes to stdout, progress to stderr. Everything runs on this machine and ends with the run.
 */

import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { endAll, temporaryDirectory } from "./children.ts";
import { compileAll, type Executables } from "./executables.ts";
import { api } from "./figures/api.ts";
import { consoleTable } from "./figures/console.ts";
import { delivering } from "./figures/delivering.ts";
import { importing } from "./figures/importing.ts";
import { month } from "./figures/month.ts";
import { planning } from "./figures/planning.ts";
import { reading } from "./figures/reading.ts";
import { FULL, type Scale, SHORT } from "./figures/scale.ts";
import { sending } from "./figures/sending.ts";
import { size } from "./figures/size.ts";
import { startUp } from "./figures/start-up.ts";
import { statistics } from "./figures/statistics.ts";
import { watching } from "./figures/watching.ts";
import { writing } from "./figures/writing.ts";
import { type Failure, type Figure, measured } from "./measure.ts";
import { commit, machine, markdown, oneMinuteLoad, type Run, table } from "./report.ts";

const USAGE = 64;
const RECORD = resolve(import.meta.dir, "../docs/reports/bench.json");

/** Most groups need nothing compiled. */
type Group = (compiled: () => Promise<Executables>, scale: Scale) => Promise<Figure[]>;

const GROUPS: Readonly<Record<string, Group>> = {
  start: async (compiled, scale) => startUp(await compiled(), scale),
  api: async (compiled, scale) => api((await compiled()).product, scale),
  send: async (_compiled, scale) => [await sending(scale)],
  import: async (compiled, scale) => importing((await compiled()).product, scale),
  write: (_compiled, scale) => writing(scale),
  size: (_compiled, scale) => size(scale),
  plan: (_compiled, scale) => planning(scale),
  read: async (_compiled, scale) => [await reading(scale)],
  watch: (_compiled, scale) => watching(scale),
  deliver: (_compiled, scale) => delivering(scale),
  stats: (_compiled, scale) => statistics(scale),
  console: (_compiled, scale) => consoleTable(scale),
  month: async (compiled, scale) => month((await compiled()).product, scale),
};

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string" },
    leads: { type: "string" },
    json: { type: "string" },
    markdown: { type: "string" },
  },
});
const selected = Object.entries(GROUPS).filter(
  ([name]) => values.only === undefined || values.only === name,
);
if (selected.length === 0) {
  console.error(`--only takes one of ${Object.keys(GROUPS).join(", ")}`);
  process.exit(USAGE);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => process.exit(1));
}
process.on("exit", endAll);

const full = values.short ? SHORT : FULL;
const scale = values.leads === undefined ? full : { ...full, many: Number(values.leads) };
const loadBefore = oneMinuteLoad();
const directory = temporaryDirectory();
let executables: Promise<Executables> | undefined;
const compiled = () => {
  executables ??= compileAll(directory.path);
  return executables;
};
const record = JSON.parse(readFileSync(RECORD, "utf8")) as Run;
// Of another number of leads it says nothing.
const recorded = values.leads === undefined ? record.figures : [];
const figures: Figure[] = [];
const failed: Failure[] = [];
for (const [name, group] of selected) {
  const found = await measured(() => {
    console.error(`measuring: ${name}`);
    return group(compiled, scale);
  }, recorded);
  figures.push(...found.figures);
  failed.push(...found.failed);
}
const run: Run = {
  machine: machine(),
  date: new Date().toISOString().slice(0, 10),
  commit: commit(),
  short: values.short,
  load: [loadBefore, oneMinuteLoad()],
  figures,
};
console.log(table(figures, recorded));
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify(run, null, 2)}\n`);
}
if (values.markdown !== undefined) {
  writeFileSync(values.markdown, markdown(run, { ...record, figures: recorded }));
}
for (const { words } of failed) {
  console.error(`off by more than half: ${words}`);
}
process.exitCode = failed.length === 0 ? 0 : 1;
