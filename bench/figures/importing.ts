/**
 * A file of leads through `POST /campaigns/{id}/leads/import`, and out again through `GET /exports/leads`:
 * how fast each is, what it leaves to others, and what the import holds in memory.
 */

import { join } from "node:path";
import { program, resultOf, temporaryDirectory } from "../children.ts";
import { sendLeads, takeLeads } from "../lead-file.ts";
import { leadAt } from "../leads.ts";
import { type Figure, type Sample, summary } from "../measure.ts";
import type { LoadInput, LoadResult } from "../programs/http-load.ts";
import type { ImportResult } from "../programs/import-limit.ts";
import { LISTMONK, startListmonk } from "./listmonk.ts";
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
  listmonk: Sample | undefined;
  raw: Sample;
  restingMs: Sample;
  busyMs: Sample;
  restingMib: Sample;
  peakMib: Sample;
  exported: Sample;
  rawExported: Sample;
  exportBusyMs: Sample;
}

export async function importing(executable: string, scale: Scale): Promise<Figure[]> {
  const rounds: Imported[] = [];
  for (let round = 0; round < scale.importRounds; round += 1) {
    rounds.push(await oneRound(executable, scale));
  }
  const of = (name: Exclude<keyof Imported, "listmonk">) => rounds.map((one) => one[name]);
  const peer = rounds.flatMap(({ listmonk }) => listmonk ?? []);
  const leads = scale.importLeads;
  return [
    summary(
      {
        id: "import",
        about: `Import of a file of ${leads} leads`,
        unit: "1/s",
        limits: [
          { name: "sorted rows through prepared inserts", least: 0.3 },
          { name: "one request a lead, one after the other", least: 20 },
          ...(peer.length === 0 ? [] : [{ name: LISTMONK }]),
        ],
      },
      [of("file"), of("raw"), of("each"), peer],
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
    summary(
      {
        id: "export",
        about: `Export of ${leads} leads as NDJSON`,
        unit: "1/s",
        limits: [{ name: "the rows by one prepared statement, and their JSON" }],
      },
      [of("exported"), of("rawExported")],
    ),
    summary(
      {
        id: "export_reads",
        about: "… p99 of what others read meanwhile",
        unit: "ms",
        aim: 20,
        limits: [{ name: "the same at rest", least: 0.25, isUnjudged: true }],
      },
      [of("exportBusyMs"), of("restingMs")],
    ),
  ];
}

async function oneRound(executable: string, scale: Scale): Promise<Imported> {
  using directory = temporaryDirectory();
  const { importLeads: leads } = scale;
  const input = { directory: directory.path, leads };
  const limit = await resultOf<ImportResult>(program("import-limit", input));
  const listmonk = await importedByListmonk(leads);
  await using product = await startProduct(executable, join(directory.path, "data"));
  const { id } = await product.post("/campaigns", { name: "Import" });
  const restingMib = { value: product.server.residentMib() ?? Number.NaN };
  const resting = await reads(product, id, scale.loadMs);
  const peak = { mib: 0 };
  const watch = setInterval(() => {
    peak.mib = Math.max(peak.mib, product.server.residentMib() ?? Number.NaN);
  }, LOOK_EVERY_MS);
  const imported = await beside(product, id, scale, () => sendLeads(product, id, leads));
  clearInterval(watch);
  const exported = await beside(product, id, scale, () => takeLeads(product, leads));
  return {
    raw: rateOf(limit.imported, leads),
    rawExported: rateOf(limit.exported, leads),
    file: imported.rate,
    listmonk,
    exported: exported.rate,
    each: await oneByOne(product, id, leads),
    restingMs: { value: resting.p99Ms },
    busyMs: { value: imported.p99Ms },
    exportBusyMs: { value: exported.p99Ms },
    restingMib,
    peakMib: { value: peak.mib },
  };
}

/** Undefined where it is not installed. */
async function importedByListmonk(leads: number): Promise<Sample | undefined> {
  await using listmonk = await startListmonk();
  return await listmonk?.import(leads);
}

function rateOf({ ms, cpuUs }: { ms: number; cpuUs?: number }, leads: number): Sample {
  return {
    value: (leads * 1000) / ms,
    cpuUs: cpuUs === undefined ? undefined : cpuUs / leads,
  };
}

/** How fast the leads of `work` go, and what others wait meanwhile. */
async function beside(product: Product, id: string, scale: Scale, work: () => Promise<void>) {
  const before = product.server.cpuMs();
  let isDone = false;
  const p99s: number[] = [];
  const readers = (async () => {
    while (!isDone) {
      p99s.push((await reads(product, id, scale.loadMs)).p99Ms);
    }
  })();
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  isDone = true;
  await readers;
  const after = product.server.cpuMs();
  const cpu = before === undefined || after === undefined ? {} : { cpuUs: (after - before) * 1000 };
  return { rate: rateOf({ ms, ...cpu }, scale.importLeads), p99Ms: Math.max(...p99s) };
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
