/**
 * A file of leads through `POST /campaigns/{id}/leads/import`: how fast it is taken, what it leaves to
 * others, and what it holds in memory.
 */

import { join } from "node:path";
import { program, resultOf, temporaryDirectory } from "../children.ts";
import { sendLeads } from "../lead-file.ts";
import { leadAt } from "../leads.ts";
import { type Figure, type Sample, summary } from "../measure.ts";
import type { LoadInput, LoadResult } from "../programs/http-load.ts";
import type { ImportResult } from "../programs/import-limit.ts";
import { type Product, startProduct } from "./product.ts";
import type { Scale } from "./scale.ts";

/** Leads that are added by a request each, to see what a file spares. */
const ONE_BY_ONE = 200;
/** Others read beside the import: so many connections, each with a pause. */
const READERS = 4;
const READER_PAUSE_MS = 5;
const WARM_MS = 100;
const LOOK_EVERY_MS = 50;

interface Imported {
  file: Sample;
  each: Sample;
  raw: Sample;
  restingMs: Sample;
  busyMs: Sample;
  restingMib: Sample;
  peakMib: Sample;
}

export async function importing(executable: string, scale: Scale): Promise<Figure[]> {
  const rounds: Imported[] = [];
  for (let round = 0; round < scale.importRounds; round += 1) {
    rounds.push(await oneRound(executable, scale));
  }
  const of = (name: keyof Imported) => rounds.map((one) => one[name]);
  const leads = scale.importLeads;
  return [
    summary(
      {
        id: "import",
        about: `Import of a file of ${leads} leads`,
        unit: "1/s",
        limits: [
          { name: "sorted rows through prepared inserts", least: 0.67 },
          { name: "one request a lead, one after the other", least: 20 },
        ],
      },
      [of("file"), of("raw"), of("each")],
    ),
    summary(
      {
        id: "import_reads",
        about: "… p99 of what others read meanwhile",
        unit: "ms",
        aim: 20,
        limits: [{ name: "the same at rest", least: 0.25, isUnjudged: true }],
      },
      [of("busyMs"), of("restingMs")],
    ),
    summary(
      {
        id: "import_memory",
        about: "… resident memory at its most",
        unit: "MiB",
        aim: 250,
        limits: [{ name: "the same server before" }],
      },
      [of("peakMib"), of("restingMib")],
    ),
  ];
}

async function oneRound(executable: string, scale: Scale): Promise<Imported> {
  using directory = temporaryDirectory();
  const { importLeads: leads } = scale;
  const input = { directory: directory.path, leads };
  const { ms, cpuUs } = await resultOf<ImportResult>(program("import-limit", input));
  const raw = { value: (leads * 1000) / ms, cpuUs: cpuUs / leads };
  await using product = await startProduct(executable, join(directory.path, "data"));
  const { id } = await product.post("/campaigns", { name: "Import" });
  const restingMib = { value: product.server.residentMib() ?? Number.NaN };
  const resting = await reads(product, id, scale.loadMs);
  const { file, busy, peakMib } = await importFile(product, id, scale);
  return {
    raw,
    file,
    each: await oneByOne(product, id, leads),
    restingMs: { value: resting.p99Ms },
    busyMs: { value: busy },
    restingMib,
    peakMib: { value: peakMib },
  };
}

async function importFile(product: Product, id: string, scale: Scale) {
  const { importLeads: leads, loadMs } = scale;
  const before = product.server.cpuMs();
  let isDone = false;
  let peakMib = 0;
  const p99s: number[] = [];
  const watch = (async () => {
    while (!isDone) {
      peakMib = Math.max(peakMib, product.server.residentMib() ?? Number.NaN);
      await Bun.sleep(LOOK_EVERY_MS);
    }
  })();
  const readers = (async () => {
    while (!isDone) {
      p99s.push((await reads(product, id, loadMs)).p99Ms);
    }
  })();
  const from = performance.now();
  await sendLeads(product, id, leads);
  const ms = performance.now() - from;
  isDone = true;
  await Promise.all([watch, readers]);
  const after = product.server.cpuMs();
  const cpuUs =
    before === undefined || after === undefined ? undefined : ((after - before) * 1000) / leads;
  return { file: { value: (leads * 1000) / ms, cpuUs }, busy: Math.max(...p99s), peakMib };
}

async function oneByOne(product: Product, id: string, after: number): Promise<Sample> {
  const from = performance.now();
  for (let index = 0; index < ONE_BY_ONE; index += 1) {
    await product.post(`/campaigns/${id}/leads`, { leads: [leadAt(after + index)] });
  }
  return { value: (ONE_BY_ONE * 1000) / (performance.now() - from) };
}

function reads(product: Product, id: string, runMs: number): Promise<LoadResult> {
  const input: LoadInput = {
    port: Number(new URL(product.server.ready.url).port),
    method: "GET",
    paths: [`/api/v1/campaigns/${id}`],
    headers: { Authorization: `Bearer ${product.key}` },
    connections: READERS,
    pauseMs: READER_PAUSE_MS,
    warmMs: WARM_MS,
    runMs,
  };
  return resultOf<LoadResult>(program("http-load", input));
}
