/**
 * How long each operation of the document holds up everybody else, on a team of many leads in the executable:
 * the longest turn of its main thread, and the longest wait of a pinger on another connection.
 */

import { leadAt } from "../../../bench/leads.ts";
import { type Call, caller, createCampaign, done } from "../../journeys/support.ts";
import { outrider, type Server, startServer, temporaryDirectory } from "../executable.ts";
import { collectIds, type Operation, operations, requester } from "./operations.ts";
import {
  BODY_LEADS,
  type Given,
  importLeads,
  ROUND_THE_CLOCK,
  SCENES,
  type Stage,
} from "./scenes.ts";

const TOKEN = "a-token-for-metrics-alone-01";
const ACCOUNTS = 20;
const ANSWER_MS_MAX = 600_000;
/** Time for what an operation has set off. */
const AFTER_MS = 100;
const IMPORT = "POST /campaigns/{id}/leads/import";
const START = "POST /campaigns/{id}/start";

export interface Stall {
  /** An operation, a worker, or `commit`. */
  by: string;
  /** Of its response; null: not an operation. */
  status: number | null;
  /** The longest wait of the pinger meanwhile. */
  waitMs: number | null;
  /** The longest turn put down to it: by the wall, and of processor time. Null: none of 5 ms. */
  turnMs: number | null;
  cpuMs: number | null;
}

export async function measureStalls(leads: number, log: (line: string) => void): Promise<Stall[]> {
  using directory = temporaryDirectory();
  const env = {
    OUTRIDER_RATE_LIMIT: "0",
    OUTRIDER_LOG_LEVEL: "error",
    OUTRIDER_METRICS_TOKEN: TOKEN,
    OUTRIDER_BACKUP_DIR: `${directory.path}/backups`,
  };
  const data = `${directory.path}/data`;
  await using server = await startServer({ data, env });
  const { key } = await server.createKey("test");
  const made = ["keys", "create", "--data", data, "--name", "op", "--operator"];
  made.push("--env", "test", "--json");
  const operator = (JSON.parse((await outrider(made)).out) as { key: string }).key;
  const call = caller(server, key);
  await using pinger = ping(server.url);
  const asked = new Map<string, { status: number; waitMs: number }>();
  const ids = new Map<string, string>();
  const timed = async (name: string, ask: () => Promise<number>) => {
    const from = now();
    const status = await ask();
    await Bun.sleep(AFTER_MS);
    const waitMs = pinger.longest(from, now());
    asked.set(name, { status, waitMs });
    log(`${name} ${status} ${Math.round(now() - from)} ms, others waited ${Math.round(waitMs)} ms`);
  };

  const id = await prepare(call, ids);
  await timed(IMPORT, () => importLeads(server, key, id, { first: 0, count: leads }));
  await setRates(call);
  await timed(START, async () => (await call("POST", `/campaigns/${id}/start`)).status);
  await done(call("POST", "/sandbox/clock", { advance: "1d" }));
  await furnish(call, caller(server, operator), ids);
  await collectIds(call, ids);
  await timed(CROWD, () => crowd(call, id));
  const { pathOf, bodyOf } = await requester(ids, bodiesOf(ids));
  const stage: Stage = { server, key, operator, call, ids, leads };
  for (const operation of operations().filter(({ name }) => !asked.has(name))) {
    const user = /^\/(system|backups)/.test(operation.path) ? operator : key;
    const given = await SCENES[operation.name]?.(stage);
    await timed(operation.name, async () => {
      const request = requestOf({ path: pathOf(operation), body: bodyOf(operation) }, given);
      const answer = await ask(server, user, operation, request);
      remember(ids, operation, answer);
      if (answer.status >= 400) {
        log(`${operation.name}: ${answer.body?.message}`);
      }
      return answer.status;
    });
  }
  return stalls(asked, await longestTurns(server));
}

/** Many dear questions at once, of which the team's line takes 32 and refuses the rest. */
export const CROWD = "200 forecasts at once";

/** The highest status of them. */
async function crowd(call: Call, id: string): Promise<number> {
  const asked = Array.from({ length: 200 }, (_, n) =>
    call("GET", `/campaigns/${id}/forecast?days=${1 + (n % 31)}`),
  );
  return Math.max(...(await Promise.all(asked)).map(({ status }) => status));
}

/** A campaign that may write round the clock, and a webhook that hears of it. */
async function prepare(call: Call, ids: Map<string, string>): Promise<string> {
  for (let n = 1; n <= ACCOUNTS; n += 1) {
    await done(call("POST", "/accounts", { email: `sender${n}@out.test`, provider: "smtp" }));
  }
  const fields = {
    ...{ name: "Everybody", max_leads_per_day: 10_000 },
    send_window: ROUND_THE_CLOCK,
  };
  const id = await createCampaign(call, fields);
  for (const wait_days of [0, 2]) {
    const step = { type: "email", subject: "Hello {{first_name}}", body: "Hi there", wait_days };
    await done(call("POST", `/campaigns/${id}/steps`, step));
  }
  ids.set("/campaigns", id);
  const hook = await done(call("POST", "/webhooks", { url: "https://hooks.example.com/outrider" }));
  ids.set("/webhooks", hook.id);
  return id;
}

/** What comes back for a day of sending, so that there are messages, threads and events. */
async function setRates(call: Call): Promise<void> {
  const names = ["reply", "interested", "auto_reply", "hard_bounce", "soft_bounce", "complaint"];
  const rates = Object.fromEntries(names.map((name) => [name, name === "reply" ? 0.2 : 0]));
  await done(call("PATCH", "/sandbox/settings", { rates }));
}

const BACKUP_LOOKS_MAX = 600;

/** What no campaign makes by itself: a key that signs, and a backup. */
async function furnish(call: Call, operator: Call, ids: Map<string, string>): Promise<void> {
  const { data } = await done(call("GET", "/accounts"));
  ids.set("/accounts", data[0].id);
  await done(call("POST", `/accounts/${data[0].id}/dkim`, { selector: "mail" }));
  const sent = await done(call("GET", `/webhooks/${ids.get("/webhooks")}/deliveries`));
  ids.set("/webhooks/{id}/deliveries", sent.data[0]?.id);
  await done(operator("POST", "/backups"));
  for (let look = 0; look < BACKUP_LOOKS_MAX; look += 1) {
    const { task } = await done(operator("GET", "/backups/task"));
    if (typeof task.backup_id === "string") {
      ids.set("/backups", task.backup_id);
      return;
    }
    await Bun.sleep(AFTER_MS);
  }
  throw new Error("a backup does not end");
}

function bodiesOf(ids: Map<string, string>): Record<string, object> {
  const leads = Array.from({ length: BODY_LEADS }, (_, at) => leadAt(100_000_000 + at));
  return {
    "POST /campaigns": { name: "Another" },
    "PATCH /experiments/{id}": { name: "Another subject" },
    "POST /accounts/bulk": { ids: [ids.get("/accounts")], change: { daily_limit: 2_000 } },
    "POST /campaigns/{id}/leads": { leads },
    "POST /campaigns/{id}/leads/bulk": { action: "pause", filter: {} },
    "POST /campaigns/{id}/leads/enroll": { filter: "variables.city:nowhere" },
    "POST /lead-views": { name: "Everybody" },
    "POST /workspaces": {
      ...{ provider: "microsoft", domains: ["out.test"] },
      ...{ client_id: "app", client_secret: "secret" },
    },
    "POST /experiments": {
      name: "Subject line",
      campaign_id: ids.get("/campaigns"),
      primary_metric: "reply_rate",
      duration_days: 7,
      variants: [{ name: "Question" }, { name: "Offer", config: { subject: "A call?" } }],
    },
  };
}

interface Request {
  path: string;
  body: { type: string; text: string | Blob } | undefined;
}

function requestOf({ path, body }: Request, given: Given = {}): Request {
  return {
    path: given.path ?? `${path}${given.query ?? ""}`,
    body: given.body === undefined ? body : { type: given.type ?? "", text: given.body },
  };
}

interface Answer {
  status: number;
  body: { id?: unknown; message?: string } | undefined;
}

/** The whole response, or the beginning of one without an end. */
async function ask(
  server: Server,
  key: string,
  { method }: Operation,
  { path, body }: Request,
): Promise<Answer> {
  const hangUp = new AbortController();
  const signal = AbortSignal.any([hangUp.signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
  const response = await server.fetch(`/api/v1${path}`, {
    ...{ key, method, signal },
    ...(body === undefined ? {} : { headers: { "Content-Type": body.type }, body: body.text }),
  });
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    hangUp.abort();
    return { status: response.status, body: undefined };
  }
  const text = await response.text();
  const isJson = type.startsWith("application/json") && text !== "";
  return { status: response.status, body: isJson ? JSON.parse(text) : undefined };
}

/** What has a day behind it stands for its collection to the end. */
const KEPT: readonly string[] = ["/campaigns", "/accounts", "/webhooks"];

/** What was made stands for its collection from then on. */
function remember(ids: Map<string, string>, { path, method }: Operation, answer: Answer): void {
  const id = answer.body?.id;
  if (method === "POST" && answer.status < 300 && typeof id === "string" && !KEPT.includes(path)) {
    ids.set(path, id);
  }
}

interface Longest {
  wall: number;
  processor: number;
}

async function longestTurns(server: Server): Promise<Map<string, Longest>> {
  const text = await (await server.fetch("/metrics", { key: TOKEN })).text();
  const line = /^outrider_turn_longest_seconds\{by="([^"]+)",time="(wall|processor)"\} (\S+)$/gm;
  const turns = new Map<string, Longest>();
  for (const [, by = "", time, seconds] of text.matchAll(line)) {
    const turn = turns.get(by) ?? { wall: 0, processor: 0 };
    turns.set(by, { ...turn, [time === "wall" ? "wall" : "processor"]: Number(seconds) * 1_000 });
  }
  return turns;
}

function stalls(
  asked: ReadonlyMap<string, { status: number; waitMs: number }>,
  turns: ReadonlyMap<string, Longest>,
): Stall[] {
  const found = new Map([...turns].map(([by, turn]) => [by.replace(" /api/v1/", " /"), turn]));
  const rows = [...new Set([...asked.keys(), ...found.keys()])].map((by) => {
    const { status = null, waitMs = null } = asked.get(by) ?? {};
    const turn = found.get(by);
    return { by, status, waitMs, turnMs: turn?.wall ?? null, cpuMs: turn?.processor ?? null };
  });
  return rows.toSorted((a, b) => (b.cpuMs ?? 0) - (a.cpuMs ?? 0) || (a.by < b.by ? -1 : 1));
}

function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Asks for `/healthz` without a pause, in a process of its own that nobody holds up. */
function ping(url: string): AsyncDisposable & { longest(from: number, to: number): number } {
  const program = `
    for (;;) {
      const at = performance.timeOrigin + performance.now();
      await (await fetch(${JSON.stringify(`${url}/healthz`)})).text();
      process.stdout.write(at + " " + (performance.timeOrigin + performance.now()) + "\\n");
      await Bun.sleep(5);
    }`;
  const child = Bun.spawn([process.execPath, "-e", program], { stdout: "pipe", stderr: "ignore" });
  const waits: { from: number; to: number }[] = [];
  const reading = (async () => {
    let rest = "";
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [from = 0, to = 0] = line.split(" ").map(Number);
        waits.push({ from, to });
      }
    }
  })();
  return {
    longest: (from, to) =>
      Math.max(
        0,
        ...waits
          .filter((wait) => wait.to >= from && wait.from <= to)
          .map((wait) => wait.to - wait.from),
      ),
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await child.exited;
      await reading;
    },
  };
}
