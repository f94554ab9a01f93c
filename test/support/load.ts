/**
 * Everything at once against the executable: readers and writers, a campaign that sends, files that are
 * stored, clients that listen, read slowly or say nothing. Answers what went wrong and what was used, first
 * and second half apart, so that what grows is seen.
 */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Call, caller, createCampaign, done } from "../journeys/support.ts";
import { type ImapSink, startImapSink } from "../mail/imap-sink.ts";
import { type SmtpSink, startSmtpSink } from "../mail/smtp-sink.ts";
import { type Server, startServer } from "./executable.ts";

const CONNECTIONS = 16;
const LISTENERS = 500;
const IDLE = 2_000;
const SLOW_READERS = 5;
const ACCOUNTS = 10;
const LOOK_EVERY_MS = 250;
const FILE_ROWS = 5_000;
const ENV = {
  OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
  OUTRIDER_RATE_LIMIT: "0",
  OUTRIDER_LOG_LEVEL: "error",
};
const ALWAYS = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};

export interface Half {
  requests: number;
  p50Ms: number;
  p99Ms: number;
  /** Of `/healthz`: how long the server's one thread was away. */
  stallMs: number;
  memoryMb: number;
  logMb: number;
}

export interface LoadResult {
  /** Answers that were neither a success nor a refusal that was asked for. */
  wrong: string[];
  halves: [Half, Half];
  sent: number;
  imported: number;
  listening: number;
  turnedAway: number;
  exit: number;
}

export async function runLoad(seconds: number): Promise<LoadResult> {
  const smtp = await startSmtpSink(() => undefined);
  const imap = await startImapSink(({ tag, verb }) => {
    const state = "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 1] ";
    return verb === "EXAMINE" ? `${state}\r\n${tag} OK [READ-ONLY] done` : undefined;
  });
  const server = await startServer({ env: ENV });
  try {
    const { key } = await server.createKey("live");
    const load = await begin(server, key, { smtp, imap, seconds });
    await Promise.all([
      ...Array.from({ length: CONNECTIONS }, (_, n) => readAndWrite(load, n)),
      importFiles(load),
      watch(load),
    ]);
    await load.crowd.leave();
    const imported = (await done(load.call("GET", "/leads?limit=1"))).total;
    const { listening, turnedAway } = load.crowd;
    const exit = await server.stop();
    const halves: [Half, Half] = [halfOf(load, 0), halfOf(load, 1)];
    const sent = smtp.bodies.length;
    return { wrong: load.wrong, halves, sent, imported, listening, turnedAway, exit };
  } finally {
    await server[Symbol.asyncDispose]();
    await Promise.all([smtp.stop(), imap.stop()]);
  }
}

interface Sample {
  at: number;
  ms: number;
}

interface Load {
  server: Server;
  key: string;
  call: Call;
  campaign: string;
  endsAt: number;
  half: number;
  wrong: string[];
  answers: Sample[];
  looks: (Sample & { memoryMb: number; logMb: number })[];
  crowd: Crowd;
}

async function begin(
  server: Server,
  key: string,
  { smtp, imap, seconds }: { smtp: SmtpSink; imap: ImapSink; seconds: number },
): Promise<Load> {
  const call = caller(server, key);
  const at = { host: "127.0.0.1", security: "none" };
  const pace = { daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 0, max_gap_seconds: 0 };
  for (let n = 1; n <= ACCOUNTS; n += 1) {
    const { id } = await done(
      call("POST", "/accounts", {
        ...{ email: `sender${n}@out.test`, provider: "smtp", ...pace },
        smtp: { ...at, port: smtp.port, username: "" },
        imap: { ...at, port: imap.port, username: "u", password: "p", save_sent: false },
      }),
    );
    await done(call("POST", `/accounts/${id}/test`, { send: false }));
  }
  const fields = { name: "Under load", max_leads_per_day: 10_000, send_window: ALWAYS };
  const campaign = await createCampaign(call, fields);
  const step = { type: "email", subject: "S", body: "B" };
  await done(call("POST", `/campaigns/${campaign}/steps`, step));
  await done(call("POST", `/campaigns/${campaign}/leads`, { leads: [{ email: "first@x.test" }] }));
  await done(call("POST", `/campaigns/${campaign}/start`));
  const now = performance.now();
  return {
    ...{ server, key, call, campaign, wrong: [], answers: [], looks: [] },
    endsAt: now + seconds * 1_000,
    half: now + seconds * 500,
    crowd: await gather(server, key),
  };
}

const isOver = (load: Load) => performance.now() >= load.endsAt;

/** One connection's work: mostly reads, some writes, a lead now and then. */
async function readAndWrite(load: Load, nth: number): Promise<void> {
  const { campaign } = load;
  for (let n = 0; !isOver(load); n += 1) {
    const name = `c${nth}-${n}`;
    const leads = [{ email: `${name}@f${nth}.test` }];
    const turns: [string, string, unknown?][] = [
      ["GET", "/campaigns?limit=20"],
      ["GET", `/campaigns/${campaign}/leads?limit=50`],
      ["POST", `/campaigns/${campaign}/leads`, { leads }],
      ["GET", `/campaigns/${campaign}/stats`],
      ["GET", "/events?limit=50"],
      ["POST", "/suppressions", { email: `${name}@gone.test`, reason: "manual" }],
    ];
    const [method, path, body] = turns[n % turns.length] ?? ["GET", "/campaigns"];
    await ask(load, method, path, body);
  }
}

async function ask(load: Load, method: string, path: string, body?: unknown): Promise<void> {
  const at = performance.now();
  try {
    const { status, text } = await load.call(method, path, body);
    if (status >= 300) {
      load.wrong.push(`${method} ${path}: ${status} ${text.slice(0, 200)}`);
    }
  } catch (error) {
    load.wrong.push(`${method} ${path}: ${String(error)}`);
  }
  load.answers.push({ at, ms: performance.now() - at });
}

async function importFiles(load: Load): Promise<void> {
  for (let n = 0; !isOver(load); n += 1) {
    const row = (_: unknown, at: number) => `i${n}-${at}@import${at % 50}.test,Company ${at}`;
    const text = `email,company\n${Array.from({ length: FILE_ROWS }, row).join("\n")}\n`;
    const other = await createCampaign(load.call, { name: `File ${n}` });
    const response = await load.server.fetch(`/api/v1/campaigns/${other}/leads/import`, {
      ...{ method: "POST", key: load.key, body: text },
      headers: { "Content-Type": "text/csv" },
    });
    const answer = (await response.json()) as { status: unknown; imported: unknown };
    if (answer.status !== "done" || answer.imported !== FILE_ROWS) {
      load.wrong.push(`an import: ${response.status} ${JSON.stringify(answer)}`);
    }
  }
}

/** What the process takes, and how soon it answers what needs no work. */
async function watch(load: Load): Promise<void> {
  const { pid, data } = load.server;
  while (!isOver(load)) {
    const at = performance.now();
    const response = await load.server.fetch("/healthz");
    await response.text();
    const ms = performance.now() - at;
    const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    const logMb = statSync(join(data, "live.db-wal")).size / 2 ** 20;
    load.looks.push({ at, ms, memoryMb: Number(resident) / 1024, logMb });
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

interface Crowd {
  listening: number;
  turnedAway: number;
  leave(): Promise<void>;
}

/** Those who listen to events, those who read nothing of what they asked for, those who say nothing. */
async function gather(server: Server, key: string): Promise<Crowd> {
  const { hostname, port } = new URL(server.url);
  const stop = new AbortController();
  const listeners = await Promise.all(
    Array.from({ length: LISTENERS }, () =>
      server.fetch("/api/v1/events/stream", { key, signal: stop.signal }),
    ),
  );
  const refused = listeners.filter(({ status }) => status === 429);
  await Promise.all(refused.map((response) => response.text()));
  const heard = listeners.filter(({ status }) => status === 200).map((one) => drain(one));
  const silent = { data: () => undefined };
  const open = () => Bun.connect({ hostname, port: Number(port), socket: silent });
  const idle = await Promise.all(Array.from({ length: IDLE }, open));
  const slow = await Promise.all(Array.from({ length: SLOW_READERS }, open));
  for (const socket of slow) {
    socket.pause();
    const path = "/api/v1/exports/leads?format=csv";
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  }
  return {
    listening: heard.length,
    turnedAway: refused.length,
    leave: async () => {
      stop.abort();
      for (const socket of [...idle, ...slow]) {
        socket.terminate();
      }
      await Promise.all(heard);
    },
  };
}

async function drain(response: Response): Promise<void> {
  try {
    for await (const _chunk of response.body ?? []) {
      // Only read.
    }
  } catch {
    // Its listener has left.
  }
}

function halfOf({ answers, looks, half }: Load, nth: 0 | 1): Half {
  const isIn = ({ at }: Sample) => (nth === 0 ? at < half : at >= half);
  const times = answers.filter(isIn).map(({ ms }) => ms);
  const seen = looks.filter(isIn);
  const most = (values: readonly number[]) =>
    Math.round(values.reduce((a, b) => Math.max(a, b), 0));
  return {
    requests: times.length,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    stallMs: most(seen.map(({ ms }) => ms)),
    memoryMb: most(seen.map(({ memoryMb }) => memoryMb)),
    logMb: most(seen.map(({ logMb }) => logMb)),
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}
