/** How long until the first answer, and what an idle server holds in memory. */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { constants, zstdCompress } from "node:zlib";
import { startServer, temporaryDirectory } from "../children.ts";
import type { Executables } from "../executables.ts";
import { sendLeads } from "../lead-file.ts";
import { type Figure, type Sample, summary } from "../measure.ts";
import { startProduct } from "./product.ts";
import type { Scale } from "./scale.ts";

interface Started {
  start: Sample;
  rest: Sample;
}

/** Both figures come from the same starts. */
export async function startUp(executables: Executables, scale: Scale): Promise<Figure[]> {
  using directory = temporaryDirectory();
  const used = join(directory.path, "used");
  const full = join(directory.path, "full");
  const serve = (path: string, data: string) => [path, "serve", "--data", data, "--port", "0"];
  let serial = 0;
  const empty = () => {
    serial += 1;
    return join(directory.path, `empty-${serial}`);
  };
  const { product, withoutBytecode, bare } = executables;
  const variants: (() => string[])[] = [
    () => [...serve(product, empty()), "--json"],
    () => [...serve(withoutBytecode, empty()), "--json"],
    () => [bare],
    () => [...serve(product, used), "--json"],
    () => [...serve(withoutBytecode, used), "--json"],
    () => [...serve(product, full), "--json"],
  ];
  await fill(product, full, scale.many);
  await once([...serve(product, used), "--json"], 0);
  const samples: Started[][] = variants.map(() => []);
  for (let round = 0; round < scale.startRounds; round += 1) {
    for (const [index, variant] of variants.entries()) {
      samples[index]?.push(await once(variant(), scale.restMs));
    }
  }
  const [withIt = [], without = [], least = [], again = [], againWithout = [], filled = []] =
    samples;
  const starts = (list: readonly Started[]) => list.map(({ start }) => start);
  const rests = (list: readonly Started[]) => list.map(({ rest }) => rest);
  const hello = { name: "a server of one route, compiled alike" };
  const plain = { name: "the same without bytecode" };
  const ms = "ms" as const;
  const first = "Start to the first answer of /healthz";
  const mib = (path: string) => [{ value: statSync(path).size / 2 ** 20 }];
  return [
    summary({ id: "executable", about: "The executable", unit: "MiB", aim: 120, limits: [hello] }, [
      mib(product),
      mib(bare),
    ]),
    ...(scale.monthLeads === 0 ? [] : [await packed(product, bare)]),
    summary(
      {
        id: "start_empty",
        about: `${first}, new data directory`,
        unit: ms,
        aim: 80,
        limits: [hello, plain],
      },
      [starts(withIt), starts(least), starts(without)],
    ),
    summary(
      {
        id: "start_again",
        about: `${first}, data directory in use`,
        unit: ms,
        limits: [hello, plain],
      },
      [starts(again), starts(least), starts(againWithout)],
    ),
    summary(
      {
        id: "memory",
        about: "Resident memory at rest",
        unit: "MiB",
        aim: 90,
        limits: [hello, plain],
      },
      [rests(withIt), rests(least), rests(without)],
    ),
    summary(
      {
        id: "start_full",
        about: `${first}, data directory with ${scale.many} leads`,
        unit: ms,
        aim: 150,
        limits: [{ name: "a new data directory" }],
      },
      [starts(filled), starts(withIt)],
    ),
    summary(
      {
        id: "memory_full",
        about: `Resident memory at rest with ${scale.many} leads`,
        unit: "MiB",
        aim: 150,
        limits: [{ name: "a new data directory" }],
      },
      [rests(filled), rests(withIt)],
    ),
  ];
}

const PACKED = { params: { [constants.ZSTD_c_compressionLevel]: 19 } };

/** As it is downloaded. */
async function packed(product: string, bare: string): Promise<Figure> {
  const mib = async (path: string) => {
    const bytes = await promisify(zstdCompress)(readFileSync(path), PACKED);
    return [{ value: bytes.byteLength / 2 ** 20 }];
  };
  const limits = [{ name: "a server of one route, compiled alike" }];
  const about = "… compressed by zstd, level 19";
  const samples = [await mib(product), await mib(bare)];
  return summary({ id: "executable_packed", about, unit: "MiB", aim: 42, limits }, samples);
}

/** Makes a data directory with so many leads in one campaign, and their words. */
async function fill(executable: string, data: string, leads: number): Promise<void> {
  await using product = await startProduct(executable, data);
  const { id } = await product.post("/campaigns", { name: "Full" });
  await sendLeads(product, id, leads);
}

async function once(command: readonly string[], restMs: number): Promise<Started> {
  const from = performance.now();
  await using server = await startServer(command);
  await (await fetch(`${server.ready.url}/healthz`)).text();
  const start = { value: performance.now() - from };
  await Bun.sleep(restMs);
  return { start, rest: { value: server.residentMib() ?? Number.NaN } };
}
