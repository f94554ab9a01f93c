/**
 * Everything at once against the executable: readers and writers, a campaign that sends, files that are
 * stored, clients that listen, read slowly or say nothing. Returns what went wrong and what was used, first
 * and second half apart, so that what grows is seen.
 */

import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Call, caller, createCampaign, done, until } from "../journeys/support.ts";
import { type ImapSink, startImapSink } from "../mail/imap/imap-sink.ts";
import { type SmtpSink, startSmtpSink } from "../mail/smtp/smtp-sink.ts";
import { outrider, type Server, startServer } from "./executable.ts";

const CONNECTIONS = 16;
/** 500 who listen to events, of 50 teams: as many as one team may have. */
const TEAMS = 50;
const STREAMS_A_TEAM = 10;
/** Of the team under load: half of them hear every event, the others read nothing. */
const NEAR_LISTENERS = 5;
const SLOW_LISTENERS = 5;
/** Commands at a time, while teams are made. */
const COMMANDS = 4;
const IDLE = 2_000;
const SLOW_READERS = 5;
const ACCOUNTS = 10;
const LOOK_EVERY_MS = 250;
const FILE_ROWS = 5_000;
export const LOAD_ENV = {
  OUTRIDER_ALLOW_CIDRS: "127.0.0.0/8",
  OUTRIDER_RATE_LIMIT: "0",
  OUTRIDER_LOG_LEVEL: "error",
};
export const ALWAYS = {
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
  /** Of other teams, who were there to the end. */
  listening: number;
  /** Events that the team's own listeners heard, each of them. */
  heard: number[];
  /** Beyond what a team may have. */
  rejection: number;
  exit: number;
}

export async function runLoad(seconds: number): Promise<LoadResult> {
  const smtp = await startSmtpSink(() => undefined);
  const imap = await startEmptyMailbox();
  const server = await startServer({ env: LOAD_ENV });
  try {
    const { key } = await server.createKey("live");
    const load = await begin(server, key, { smtp, imap, seconds });
    await Promise.all([
      ...Array.from({ length: CONNECTIONS }, (_, n) => readAndWrite(load, n)),
      importFiles(load),
      watch(load),
    ]);
    load.crowd.leave();
    const imported = (await done(load.call("GET", "/leads?limit=1"))).total;
    const { listening, heard, rejection } = load.crowd;
    const exit = await server.stop();
    const halves: [Half, Half] = [halfOf(load, 0), halfOf(load, 1)];
    const sent = smtp.bodies.length;
    return { wrong: load.wrong, halves, sent, imported, listening, heard, rejection, exit };
  } finally {
    await server[Symbol.asyncDispose]();
    await Promise.all([smtp.stop(), imap.stop()]);
  }
}

/** An IMAP server in whose mailboxes there is nothing. */
export function startEmptyMailbox(): Promise<ImapSink> {
  return startImapSink(({ tag, verb }) => {
    const state = "* 0 EXISTS\r\n* OK [UIDVALIDITY 7] \r\n* OK [UIDNEXT 1] ";
    return verb === "EXAMINE" ? `${state}\r\n${tag} OK [READ-ONLY] done` : undefined;
  });
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
  await addMailboxes(call, ACCOUNTS, { smtp, imap });
  const fields = { name: "Under load", max_leads_per_day: 10_000, send_window: ALWAYS };
  const campaign = await createCampaign(call, fields);
  const step = { type: "email", subject: "S", body: "B" };
  await done(call("POST", `/campaigns/${campaign}/steps`, step));
  await done(call("POST", `/campaigns/${campaign}/leads`, { leads: [{ email: "first@x.test" }] }));
  await done(call("POST", `/campaigns/${campaign}/start`));
  const crowd = await gather(server, key);
  const now = performance.now();
  return {
    ...{ server, key, call, campaign, wrong: [], answers: [], looks: [] },
    endsAt: now + seconds * 1_000,
    half: now + seconds * 500,
    crowd,
  };
}

/** Mailboxes that are ready and send without gaps; returns their ids. */
export async function addMailboxes(
  call: Call,
  count: number,
  { smtp, imap }: { smtp: SmtpSink; imap: ImapSink },
): Promise<string[]> {
  const at = { host: "127.0.0.1", security: "none" };
  const pace = { daily_limit: 2000, hourly_limit: 500, min_gap_seconds: 0, max_gap_seconds: 0 };
  const ids: string[] = [];
  for (let n = 1; n <= count; n += 1) {
    const { id } = await done(
      call("POST", "/accounts", {
        ...{ email: `sender${n}@out.test`, provider: "smtp", ...pace },
        smtp: { ...at, port: smtp.port, username: "" },
        imap: { ...at, port: imap.port, username: "u", password: "p", save_sent: false },
      }),
    );
    await done(call("POST", `/accounts/${id}/test`, { send: false }));
    ids.push(id);
  }
  return ids;
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

/** How soon it answers what needs no work, and what the process takes. */
export async function look({ fetch, pid, data }: Server) {
  const at = performance.now();
  const response = await fetch("/healthz");
  await response.text();
  const ms = performance.now() - at;
  const resident = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  const logMb = statSync(join(data, "live.db-wal")).size / 2 ** 20;
  return { ms, memoryMb: Number(resident) / 1024, logMb };
}

async function watch(load: Load): Promise<void> {
  while (!isOver(load)) {
    const at = performance.now();
    load.looks.push({ at, ...(await look(load.server)) });
    await Bun.sleep(LOOK_EVERY_MS);
  }
}

interface Crowd {
  listening: number;
  heard: number[];
  rejection: number;
  /** Counts who still listens, and ends them all. */
  leave(): void;
}

/** Those who listen to events, those who read nothing of what they asked for, those who say nothing. */
async function gather(server: Server, key: string): Promise<Crowd> {
  const { hostname, port } = new URL(server.url);
  const at = { hostname, port: Number(port) };
  const others = await makeTeams(server, TEAMS);
  const listen = (as: string) => startListener(at, EVENT_STREAM, as);
  const far = await Promise.all(others.flatMap((as) => times(STREAMS_A_TEAM, () => listen(as))));
  const near = await Promise.all(times(NEAR_LISTENERS, () => listen(key)));
  const open = () => Bun.connect({ ...at, socket: { data: () => undefined } });
  const idle = await Promise.all(times(IDLE, open));
  const slow = [
    ...(await Promise.all(times(SLOW_READERS, () => askUnread(open, LEADS_FILE, key)))),
    ...(await Promise.all(times(SLOW_LISTENERS, () => askUnread(open, EVENT_STREAM, key)))),
  ];
  const beyond = await until(WAIT_MS_MAX, "the team's streams are taken", async () => {
    const listener = await listen(key);
    listener.leave();
    return listener.status === 429 ? listener : undefined;
  });
  const isListening = ({ status, isOpen }: Listener) => status === 200 && isOpen;
  const crowd: Crowd = {
    listening: 0,
    heard: [],
    rejection: beyond.status === 429 ? 1 : 0,
    leave: () => {
      crowd.listening = far.filter(isListening).length;
      crowd.heard = near.filter(isListening).map(({ heard }) => heard);
      for (const one of [...far, ...near]) {
        one.leave();
      }
      for (const socket of [...idle, ...slow]) {
        socket.terminate();
      }
    },
  };
  return crowd;
}

interface Listener {
  status: number;
  isOpen: boolean;
  /** Events so far. */
  heard: number;
  leave(): void;
}

/** Not by `fetch`, which has no more than so many requests at once. Resolves at the answer's beginning. */
async function startListener(
  at: { hostname: string; port: number },
  path: string,
  key: string,
): Promise<Listener> {
  const begun = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  const end = () => {
    listener.isOpen = false;
    begun.resolve();
  };
  const socket = await Bun.connect({
    ...at,
    socket: {
      data: (_socket, bytes) => {
        const text = decoder.decode(bytes, { stream: true });
        listener.status ||= Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
        listener.heard += text.split("\nevent: ").length - 1;
        begun.resolve();
      },
      close: end,
      error: end,
    },
  });
  const listener: Listener = {
    ...{ status: 0, isOpen: true, heard: 0 },
    leave: () => socket.terminate(),
  };
  socket.write(requestOf(path, key));
  await begun.promise;
  return listener;
}

const LEADS_FILE = "/api/v1/exports/leads?format=csv";
const EVENT_STREAM = "/api/v1/events/stream";
const WAIT_MS_MAX = 30_000;

const times = <Item>(count: number, make: () => Item): Item[] =>
  Array.from({ length: count }, () => make());

const requestOf = (path: string, key: string) =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`;

/** Asks and reads nothing of the answer. */
async function askUnread<Socket extends { pause(): void; write(text: string): number }>(
  open: () => Promise<Socket>,
  path: string,
  key: string,
): Promise<Socket> {
  const socket = await open();
  socket.pause();
  socket.write(requestOf(path, key));
  return socket;
}

/** A key of each of so many teams. */
export async function makeTeams({ data }: Server, count: number): Promise<string[]> {
  const keys: string[] = [];
  const said = async (...args: string[]) => {
    const { exit, out, err } = await outrider([...args, "--data", data, "--json"]);
    if (exit !== 0) {
      throw new Error(`${args.join(" ")} ended with ${exit}: ${err}`);
    }
    return JSON.parse(out);
  };
  const work = async () => {
    while (keys.length < count) {
      const place = keys.push("") - 1;
      const { id } = await said("teams", "create", "--name", `Team ${place}`);
      const made = ["keys", "create", "--name", "ears", "--env", "live", "--team", id];
      keys[place] = (await said(...made)).key;
    }
  };
  await Promise.all(times(COMMANDS, work));
  return keys;
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

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}
