/**
 * Figures of the product, each beside its limit measured in the same run.
 *
 *     bun bench [--short] [--only GROUP] [--json FILE] [--markdown FILE]
 *
 * The table goes to stdout, progress to stderr. Everything runs on this machine and ends with the run.
 */

import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { endAll, temporaryDirectory } from "./children.ts";
import { compileAll, type Executables } from "./executables.ts";
import { api } from "./figures/api.ts";
import { delivering } from "./figures/delivering.ts";
import { importing } from "./figures/importing.ts";
import { planning } from "./figures/planning.ts";
import { FULL, type Scale, SHORT } from "./figures/scale.ts";
import { sending } from "./figures/sending.ts";
import { startUp } from "./figures/start-up.ts";
import { statistics } from "./figures/statistics.ts";
import { watching } from "./figures/watching.ts";
import type { Figure } from "./measure.ts";
import { commit, machine, markdown, oneMinuteLoad, type Run, table } from "./report.ts";

const USAGE = 64;

type Group = (executables: Executables, scale: Scale) => Promise<Figure[]>;

const GROUPS: Readonly<Record<string, Group>> = {
  start: startUp,
  api: ({ product }, scale) => api(product, scale),
  send: async (_executables, scale) => [await sending(scale)],
  import: async ({ product }, scale) => [await importing(product, scale)],
  plan: (_executables, scale) => planning(scale),
  watch: (_executables, scale) => watching(scale),
  deliver: (_executables, scale) => delivering(scale),
  stats: (_executables, scale) => statistics(scale),
};

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string" },
    json: { type: "string" },
    markdown: { type: "string" },
  },
});
const chosen = Object.entries(GROUPS).filter(
  ([name]) => values.only === undefined || values.only === name,
);
if (chosen.length === 0) {
  console.error(`--only takes one of ${Object.keys(GROUPS).join(", ")}`);
  process.exit(USAGE);
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => process.exit(1));
}
process.on("exit", endAll);

const scale = values.short ? SHORT : FULL;
const loadBefore = oneMinuteLoad();
const directory = temporaryDirectory();
console.error("compiling");
const executables = await compileAll(directory.path);
const figures: Figure[] = [];
for (const [name, group] of chosen) {
  console.error(`measuring: ${name}`);
  figures.push(...(await group(executables, scale)));
}
const run: Run = {
  machine: machine(),
  date: new Date().toISOString().slice(0, 10),
  commit: commit(),
  short: values.short,
  load: [loadBefore, oneMinuteLoad()],
  figures,
};
console.log(table(figures));
if (values.json !== undefined) {
  writeFileSync(values.json, `${JSON.stringify(run, null, 2)}\n`);
}
if (values.markdown !== undefined) {
  writeFileSync(values.markdown, markdown(run));
}
