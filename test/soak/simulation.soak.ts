/**
 * The simulations of `test/sim/` over seeds that no commit runs, with the figures of what was lived
 * through in `docs/reports/simulation.md`. `OUTRIDER_SIM_SEEDS` says how many, `OUTRIDER_SIM_SEED` from
 * where. What is clean is kept in the directory `OUTRIDER_SIM_KEPT` where that is set, for the sources of
 * which it was found.
 */

import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { keptIn } from "../support/kept.ts";
import type { Sending } from "../support/simulation/foresee.ts";
import {
  foreseeAll,
  foreseeSeed,
  noFigures,
  simulateAll,
  simulateStorageOfAll,
  storageOf,
  sumOf,
} from "../support/simulation/run-seeds.ts";
import type { Batch } from "../support/simulation/seeds.ts";
import { noStorageFigures, STORAGE_FIGURES } from "../support/simulation/storage.ts";
import { FAULTS, type FaultName, STORAGE_FAULTS } from "../support/simulation/tally.ts";

const FIRST = Number(process.env["OUTRIDER_SIM_SEED"] ?? 100_001);
const COUNT = Number(process.env["OUTRIDER_SIM_SEEDS"] ?? 10_000);
/** Of the seeds, with storage that lies too: `OUTRIDER_SIM_STORAGE_SEEDS`. */
const STORAGE_COUNT = Number(process.env["OUTRIDER_SIM_STORAGE_SEEDS"] ?? COUNT / 10);
const BATCH = 50;
/** Of the batches, one in so many has its forecasts compared too. */
const FORECASTS_EVERY = 5;
const KEPT = process.env["OUTRIDER_SIM_KEPT"];
const REPORTS = join(import.meta.dir, "..", "..", "docs", "reports");

const batches = Array.from({ length: Math.ceil(COUNT / BATCH) }, (_, nth) => {
  const from = FIRST + nth * BATCH;
  return { from, to: Math.min(from + BATCH, FIRST + COUNT) - 1 };
});

const kept = KEPT === undefined ? undefined : keptIn(KEPT);
/** The trees of the commit that is run: what was found of other sources says nothing of these. */
const sources = kept === undefined ? "" : treesOf("src", "migrations", "test/support");

const lived = noFigures();
const stored = noStorageFigures();
const lyingLived = noFigures();
const failed: string[] = [];
let foretold = 0;
let forecasts = 0;
/** True until an experiment ended: what it says nobody foresees (`docs/adr/forecast.md`). */
let unforeseeable = 0;

describe("soak", () => {
  test.each(batches)("weeks of sending, seeds $from to $to", async (batch) => {
    const known = failed.length;
    const results = await once("weeks", batch, simulateAll, ({ violations }) => {
      return violations.length === 0;
    });
    sumOf(results, lived);
    for (const { seed, violations } of results) {
      failed.push(...violations.map(({ invariant, detail }) => `${seed}: ${invariant}, ${detail}`));
    }
    expect(failed.slice(known)).toEqual([]);
  });

  const lying = batches.slice(0, Math.ceil(STORAGE_COUNT / BATCH));
  test.each(lying)("storage that lies, seeds $from to $to", async (batch) => {
    const known = failed.length;
    const results = await once("storage", batch, simulateStorageOfAll, ({ violations }) => {
      return violations.length === 0;
    });
    storageOf(results, stored);
    sumOf(results, lyingLived);
    for (const { seed, violations } of results) {
      failed.push(
        ...violations.map(({ invariant, detail }) => `${seed}, storage: ${invariant}, ${detail}`),
      );
    }
    expect(failed.slice(known)).toEqual([]);
  });

  const foreseen = batches.filter((_, nth) => nth % FORECASTS_EVERY === 0);
  test.each(foreseen)("forecasts, seeds $from to $to", async (batch) => {
    const known = failed.length;
    for (const { seed, foretold: mails, isTrue } of await once(
      "forecasts",
      batch,
      foreseeAll,
      (one) => one.isTrue,
    )) {
      forecasts += 1;
      foretold += mails;
      if (!isTrue && (await endsExperiment(seed))) {
        unforeseeable += 1;
      } else if (!isTrue) {
        failed.push(`${seed}: the forecast was wrong`);
      }
    }
    expect(failed.slice(known)).toEqual([]);
  });

  afterAll(() => {
    const lines = [
      "# Simulation",
      "",
      `Seeds ${FIRST} to ${FIRST + COUNT - 1}; what each invariant means is in \`test/support/simulation/checks.ts\`.`,
      "",
      "| lived through | |",
      "|---|---:|",
      `| rounds, all invariants looked at after each | ${lived.rounds} |`,
      `| simulated days | ${lived.days} |`,
      `| mails delivered | ${lived.sent} |`,
      `| processes killed | ${lived.kills} |`,
      `| graceful restarts | ${lived.restarts} |`,
      `| deeds of people | ${lived.deeds} |`,
      `| edits of sequences | ${lived.edits} |`,
      `| forecasts compared with what happened | ${forecasts} |`,
      `| mails foretold, each to the millisecond | ${foretold} |`,
      `| forecasts beside which an experiment ended and moved a mail | ${unforeseeable} |`,
      `| violations | ${failed.length} |`,
      "",
      "| fault | times |",
      "|---|---:|",
      ...(Object.keys(FAULTS) as FaultName[])
        .filter((name) => !STORAGE_FAULTS.has(name))
        .map((name) => `| ${FAULTS[name]} | ${lived.faults[name]} |`),
      "",
      "| where storage lies | |",
      "|---|---:|",
      `| mails delivered | ${lyingLived.sent} |`,
      ...[...STORAGE_FAULTS].map(
        (name) => `| ${FAULTS[name as FaultName]} | ${lyingLived.faults[name as FaultName]} |`,
      ),
      ...(Object.keys(STORAGE_FIGURES) as (keyof typeof STORAGE_FIGURES)[]).map(
        (name) => `| ${STORAGE_FIGURES[name]} | ${stored[name]} |`,
      ),
      "",
      ...failed.map((line) => `- ${line}`),
    ];
    mkdirSync(REPORTS, { recursive: true });
    writeFileSync(join(REPORTS, "simulation.md"), `${lines.join("\n").trimEnd()}\n`);
  });
});

/** Whether all was as foretold until an experiment of this team ended: whom its text had held go on then. */
async function endsExperiment(seed: number): Promise<boolean> {
  const { process, from, foretold: said, happened } = await foreseeSeed(seed);
  const ended = process.env.db.raw
    .query<{ at: number | null }, [number]>(
      "select min(closed_at) as at from experiments where closed_at > ?",
    )
    .get(from);
  await process.end();
  const [a, b] = [said, happened].map((sendings) => new Set(sendings.map(wordsOf))) as [
    Set<string>,
    Set<string>,
  ];
  const others = [...said, ...happened].filter(
    (one) => a.has(wordsOf(one)) !== b.has(wordsOf(one)),
  );
  return others.every(({ at }) => Date.parse(at) >= (ended?.at ?? Number.POSITIVE_INFINITY));
}

const wordsOf = (sending: Sending) => Object.values(sending).join(" ");

function treesOf(...paths: readonly string[]): string {
  const asked = ["git", "rev-parse", ...paths.map((path) => `HEAD:${path}`)];
  const { success, stdout, stderr } = Bun.spawnSync(asked, { cwd: import.meta.dir });
  if (!success) {
    throw new Error(`what is kept belongs to a commit: ${stderr}`);
  }
  return stdout.toString();
}

/** What `run` finds of a batch, or has found before; kept where every seed of it is clean. */
async function once<Result>(
  kind: string,
  batch: Batch,
  run: (batch: Batch) => Promise<Result[]>,
  isClean: (result: Result) => boolean,
): Promise<Result[]> {
  const [name, question] = [`${kind}-${batch.from}`, { ...batch, sources }];
  const known = kept?.find<Result[]>(name, question);
  const results = known ?? (await run(batch));
  if (known === undefined && results.every(isClean)) {
    kept?.keep(name, question, results);
  }
  return results;
}
