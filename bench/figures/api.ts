/** Requests a second over 64 connections, from a client in a process of its own. */

import { Database } from "bun:sqlite";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { program, resultOf, type Server, startServer, temporaryDirectory } from "../children.ts";
import { compare, type Figure, type Sample, type Side } from "../measure.ts";
import type { LoadInput, LoadResult } from "../programs/http-load.ts";
import type { PocketBaseReady } from "../programs/pocketbase.ts";
import { LISTMONK, startListmonk } from "./listmonk.ts";
import { startProduct } from "./product.ts";
import type { Scale } from "./scale.ts";

const WARM_MS = 300;
const JSON_BODY = JSON.stringify({ name: "Spring outreach", max_leads_per_day: 50 });

interface Requests {
  method: "GET" | "POST";
  paths: readonly string[];
  body?: string;
}

export async function api(executable: string, scale: Scale): Promise<Figure[]> {
  using directory = temporaryDirectory();
  const data = join(directory.path, "data");
  await using product = await startProduct(executable, data);
  const ids: string[] = [];
  for (let index = 0; index < scale.campaigns; index += 1) {
    ids.push((await product.post("/campaigns", { name: `Campaign ${index}` })).id);
  }
  const copy = join(directory.path, "copy.db");
  copyDatabase(join(data, "live.db"), copy);
  await using bare = await startServer(program("bare-server", { path: copy }));

  const headers = { Authorization: `Bearer ${product.key}` };
  const ours = (requests: Requests): Side => ({
    name: "outrider",
    run: () => load(product.server, scale, { ...requests, headers }),
  });
  const theirs = (name: string, requests: Requests, least?: number): Side => ({
    name,
    ...(least === undefined ? {} : { least }),
    run: () => load(bare, scale, { ...requests, headers: {} }),
  });
  await using pocketBase = await startPocketBase(join(directory.path, "pocketbase"));
  await using listmonk = await startListmonk({ campaigns: CAMPAIGNS_READ });
  const ofListmonk = (requests: Requests): Side[] =>
    listmonk === undefined
      ? []
      : [{ name: LISTMONK, run: () => load(listmonk.server, scale, { ...requests, headers: {} }) }];
  const peers = (requests: Requests, least?: number): Side[] =>
    pocketBase === undefined
      ? []
      : [
          {
            name: "PocketBase",
            ...(least === undefined ? {} : { least }),
            run: () =>
              load(pocketBase.server, scale, {
                ...requests,
                headers: { Authorization: pocketBase.token },
              }),
          },
        ];
  const get = (...paths: string[]): Requests => ({ method: "GET", paths });
  const post = (path: string): Requests => ({ method: "POST", paths: [path], body: JSON_BODY });
  const unit = "1/s" as const;
  const read = await compare(
    {
      id: "api_read",
      about: "GET /campaigns/{id}",
      unit,
      product: ours(get(...ids.map((id) => `/api/v1/campaigns/${id}`))),
      limits: [
        theirs(
          "Bun.serve and one prepared point read",
          get(...ids.map((id) => `/campaigns/${id}`)),
          0.6,
        ),
        ...peers(get(...(pocketBase?.records ?? []))),
        ...ofListmonk(get(...(listmonk?.campaigns.ids ?? []).map((id) => `/api/campaigns/${id}`))),
      ],
    },
    scale.rounds,
  );
  const list = await compare(
    {
      id: "api_list",
      about: `GET /campaigns, 50 of ${scale.campaigns}`,
      unit,
      product: ours(get("/api/v1/campaigns")),
      limits: [theirs("Bun.serve and one prepared statement of 50 rows", get("/campaigns"))],
    },
    scale.rounds,
  );
  const create = await compare(
    {
      id: "api_create",
      about: "POST /campaigns, on disk when answered",
      unit,
      product: ours(post("/api/v1/campaigns")),
      limits: [
        theirs("a bare POST that stores nothing", post("/nothing"), 0.2),
        theirs("one prepared insert, committed in groups", post("/grouped"), 0.45),
        { ...theirs("one prepared insert, each committed", post("/insert"), 5), isUnjudged: true },
        ...peers(post(RECORDS), 5),
        ...ofListmonk({ ...post("/api/campaigns"), body: listmonk?.campaigns.body ?? "" }),
      ],
    },
    scale.rounds,
  );
  return [read, list, create];
}

const RECORDS = "/api/collections/campaigns/records";
const POCKETBASE = resolve(import.meta.dir, "../../.toolchain/bin/pocketbase");
const RECORDS_READ = 50;
const CAMPAIGNS_READ = 50;

/** Undefined where it is not installed. */
async function startPocketBase(directory: string) {
  if (!existsSync(POCKETBASE)) {
    return undefined;
  }
  const server = await startServer(program("pocketbase", { executable: POCKETBASE, directory }));
  const { token, url } = server.ready as PocketBaseReady;
  const records: string[] = [];
  for (let index = 0; index < RECORDS_READ; index += 1) {
    const headers = { Authorization: token, "Content-Type": "application/json" };
    const answer = await fetch(url + RECORDS, { method: "POST", headers, body: JSON_BODY });
    records.push(`${RECORDS}/${((await answer.json()) as { id: string }).id}`);
  }
  return {
    token,
    records,
    server,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function load(
  server: Server,
  { connections, loadMs }: Scale,
  requests: Requests & { headers: Record<string, string> },
): Promise<Sample> {
  const { port } = server.ready;
  const input: LoadInput = {
    ...requests,
    port: port ?? Number(new URL(server.ready.url).port),
    connections,
    warmMs: WARM_MS,
    runMs: loadMs,
  };
  const before = server.cpuMs();
  const result = await resultOf<LoadResult>(program("http-load", input));
  const after = server.cpuMs();
  const cpuUs =
    before === undefined || after === undefined
      ? undefined
      : ((after - before) * 1000) / result.total;
  return { value: result.requests / result.seconds, cpuUs };
}

/** As SQLite copies: whole, while the owner goes on. */
function copyDatabase(from: string, to: string): void {
  const db = new Database(from, { readonly: true });
  db.query("vacuum into ?").run(to);
  db.close();
}
