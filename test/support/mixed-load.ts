/**
 * Two teams at work on one server, each with many leads and a campaign that sends: forecasts, exports, searches,
 * imports, statistics and creates, one after another of each kind, beside point reads from a process of their
 * own. Returns what each kind took and how point reads, memory and the log were over time.
 */

import { program, resultOf } from "../../bench/children.ts";
import type { Latencies, LoadInput, LoadResult } from "../../bench/programs/http-load.ts";
import { type Call, caller, createCampaign, done } from "../journeys/support.ts";
import { startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { type Server, startServer } from "./executable.ts";
import {
  ALWAYS,
  addMailboxes,
  LOAD_ENV,
  look,
  makeTeams,
  quantile,
  startEmptyMailbox,
} from "./load.ts";

const MAILBOXES = 5;
const FILE_ROWS = 2_000;
const READERS = 4;
const READER_PAUSE_MS = 20;
const WARM_MS = 500;
const LEADS_READ = 20;
const LOOK_EVERY_MS = 250;
/** Parts of the time that are told one by one. */
const PARTS = 15;
const PATIENCE_MS = 300_000;
const CITIES = ["graz", "leeds", "lyon", "turin", "oslo"];

export interface KindResult {
  kind: string;
  requests: number;
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
}

export interface PartResult {
  /** Seconds since the beginning. */
  untilS: number;
  /** Of each team. */
  reads: Latencies[];
  /** The longest wait for `/healthz`. */
  stallMs: number;
  memoryMb: number;
  logMb: number;
}

export interface MixedResult {
  kinds: KindResult[];
  parts: PartResult[];
  /** Point reads of each team, over the whole time. */
  reads: Latencies[];
  /** Responses that were no success, and requests without one. */
  wrong: string[];
  sent: number;
  exit: number;
}

interface Team {
  key: string;
  call: Call;
  campaign: string;
  account: string;
}

export async function runMixedLoad(seconds: number, leads: number): Promise<MixedResult> {
  const smtp = await startSmtpSink(() => undefined);
  const imap = await startEmptyMailbox();
  const server = await startServer({ env: LOAD_ENV });
  try {
    const keys = [(await server.createKey("live")).key, ...(await makeTeams(server, 1))];
    const teams: Team[] = [];
    for (const key of keys) {
      const call = caller(server, key);
      const [account = ""] = await addMailboxes(call, MAILBOXES, { smtp, imap });
      teams.push({ key, call, account, campaign: await startCampaign(server, key, leads) });
    }
    const from = performance.now();
    const endsAt = from + seconds * 1_000;
    const load: Load = { server, endsAt, took: new Map(), wrong: [] };
    const looks: Look[] = [];
    const watch = async () => {
      looks.push({ at: performance.now() - from, ...(await look(server)) });
    };
    const work = teams.flatMap((team) => workOf(load, team));
    const [reads] = await Promise.all([
      Promise.all(teams.map((team) => readPoints(load, team, seconds))),
      repeat(load, LOOK_EVERY_MS, watch),
      ...work.map(({ kind, pauseMs, ask }) =>
        repeat(load, pauseMs, (n) => timed(load, kind, () => ask(n))),
      ),
    ]);
    const exit = await server.stop();
    const kinds = [...load.took].map(([kind, times]) => ({
      ...{ kind, requests: times.length, longestMs: Math.round(Math.max(...times)) },
      ...{ p50Ms: quantile(times, 0.5), p99Ms: quantile(times, 0.99) },
    }));
    const parts = partsOf(seconds, looks, reads);
    return { kinds, parts, reads, wrong: load.wrong, sent: smtp.bodies.length, exit };
  } finally {
    await server[Symbol.asyncDispose]();
    await Promise.all([smtp.stop(), imap.stop()]);
  }
}

type Look = { at: number } & Awaited<ReturnType<typeof look>>;

interface Load {
  server: Server;
  endsAt: number;
  took: Map<string, number[]>;
  wrong: string[];
}

/** Returns the id of a campaign that sends, with so many leads in it. */
async function startCampaign(server: Server, key: string, leads: number): Promise<string> {
  const call = caller(server, key);
  const fields = { name: "Under load", max_leads_per_day: 10_000, send_window: ALWAYS };
  const campaign = await createCampaign(call, fields);
  for (const subject of ["First", "Second"]) {
    const step = { type: "email", subject, body: "Hello {{first_name}}", wait_days: 1 };
    await done(call("POST", `/campaigns/${campaign}/steps`, step));
  }
  await importFile(server, key, campaign, "lead", leads);
  await done(call("POST", `/campaigns/${campaign}/start`));
  return campaign;
}

async function importFile(
  server: Server,
  key: string,
  campaign: string,
  name: string,
  rows: number,
): Promise<void> {
  const row = (_: unknown, at: number) =>
    `${name}${at}@firm${at % 5_000}.test,Ann,Company ${at},${CITIES[at % CITIES.length]}`;
  const text = `email,first_name,company,city\n${Array.from({ length: rows }, row).join("\n")}\n`;
  const response = await server.fetch(`/api/v1/campaigns/${campaign}/leads/import`, {
    ...{ method: "POST", key, body: text },
    headers: { "Content-Type": "text/csv" },
  });
  const answer = (await response.json()) as { imported?: number };
  if (answer.imported !== rows) {
    throw new Error(`an import: ${response.status} ${JSON.stringify(answer)}`);
  }
}

/** What a team does, one after another of each kind, with a pause after each. */
function workOf({ server }: Load, { key, call, campaign }: Team) {
  const get = (path: string) => done(call("GET", path));
  const word = (n: number) => CITIES[n % CITIES.length];
  const file = async (path: string) => {
    const response = await server.fetch(`/api/v1${path}`, { key });
    for await (const _ of response.body ?? []) {
      // Taken as it comes.
    }
    if (response.status !== 200) {
      throw new Error(`answered ${response.status}`);
    }
  };
  const leads = `/campaigns/${campaign}/leads`;
  return [
    { kind: "forecast", pauseMs: 1_000, ask: () => get(`/campaigns/${campaign}/forecast?days=7`) },
    { kind: "export of all leads", pauseMs: 2_000, ask: () => file("/exports/leads?format=csv") },
    { kind: "search", pauseMs: 250, ask: (n: number) => get(`/leads?search=ann%20${word(n)}`) },
    { kind: "campaign's leads by status", pauseMs: 250, ask: () => get(`${leads}?status=pending`) },
    { kind: "statistics of 90 days", pauseMs: 500, ask: () => get("/stats?days=90") },
    { kind: "overview", pauseMs: 500, ask: () => get("/attention") },
    {
      kind: "create",
      pauseMs: 100,
      ask: (n: number) => done(call("POST", leads, { leads: [{ email: `new${n}@late.test` }] })),
    },
    {
      kind: `import of ${FILE_ROWS.toLocaleString("en")} rows`,
      pauseMs: 5_000,
      ask: async (n: number) => {
        const other = await createCampaign(call, { name: `File ${n}` });
        await importFile(server, key, other, `file${n}-`, FILE_ROWS);
      },
    },
  ];
}

async function repeat(
  { endsAt }: Load,
  pauseMs: number,
  work: (n: number) => Promise<void>,
): Promise<void> {
  for (let n = 0; performance.now() < endsAt; n += 1) {
    await work(n);
    await Bun.sleep(pauseMs);
  }
}

async function timed(load: Load, kind: string, ask: () => Promise<unknown>): Promise<void> {
  const from = performance.now();
  await ask().catch((error: unknown) => load.wrong.push(`${kind}: ${String(error)}`));
  const times = load.took.get(kind) ?? [];
  times.push(performance.now() - from);
  load.took.set(kind, times);
}

/** A campaign, a mailbox and leads by their ids, from another process: this one is busy with the rest. */
async function readPoints(load: Load, team: Team, seconds: number): Promise<LoadResult> {
  const { call, campaign, account, key } = team;
  const { data } = await done(call("GET", `/leads?limit=${LEADS_READ}`));
  const input: LoadInput = {
    port: Number(new URL(load.server.url).port),
    method: "GET",
    paths: [
      `/api/v1/campaigns/${campaign}`,
      `/api/v1/accounts/${account}`,
      ...data.map(({ id }: { id: string }) => `/api/v1/leads/${id}`),
    ],
    headers: { Authorization: `Bearer ${key}` },
    ...{ connections: READERS, pauseMs: READER_PAUSE_MS, parts: PARTS },
    ...{ warmMs: WARM_MS, runMs: seconds * 1_000 },
  };
  const msMax = seconds * 1_000 + PATIENCE_MS;
  return await resultOf<LoadResult>(program("http-load", input), {}, msMax);
}

function partsOf(
  seconds: number,
  looks: readonly Look[],
  reads: readonly LoadResult[],
): PartResult[] {
  const ms = (seconds * 1_000) / PARTS;
  return Array.from({ length: PARTS }, (_, part) => {
    const seen = looks.filter(({ at }) => at >= part * ms && at < (part + 1) * ms);
    const most = (of: (one: Look) => number) => Math.round(Math.max(0, ...seen.map(of)));
    return {
      untilS: Math.round(((part + 1) * ms) / 1_000),
      reads: reads.flatMap(({ parts }) => parts[part] ?? []),
      stallMs: most((one) => one.ms),
      memoryMb: most(({ memoryMb }) => memoryMb),
      logMb: most(({ logMb }) => logMb),
    };
  });
}
