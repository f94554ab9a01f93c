/**
 * Ten million leads by import into the executable, some days of sending among them, and then everything
 * counted again from the file: `docs/reports/size.md`. `OUTRIDER_SIZE_LEADS` says how many.
 */

import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openEnvironments } from "#app/environments.ts";
import { readConfig } from "#config/config.ts";
import { silentLog } from "#platform/log.ts";
import { type Db, integrityCheck } from "#store/sqlite/database.ts";
import { listTeams } from "#store/team/teams.ts";
import { checkInvariants, type Invariant } from "#usecases/operations/invariants.ts";
import { leadAt } from "../../bench/leads.ts";
import { type Call, caller, createCampaign, done } from "../journeys/support.ts";
import { type Server, startServer, temporaryDirectory } from "../support/executable.ts";

const LEADS = Number(process.env["OUTRIDER_SIZE_LEADS"] ?? 10_000_000);
const FILES = 10;
/** Of each file: who was in an earlier one, and lines that are none. */
const KNOWN = 1_000;
const WRONG = 100;
const PIECE = 1_000;
const MAILBOXES = 50;
const DAYS = 5;
const TEST_MS_MAX = 6 * 3_600_000;
const REPORTS = join(import.meta.dir, "..", "..", "docs", "reports");
const ROUND_THE_CLOCK = {
  timezone: "UTC",
  days: ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"],
  start_hour: 0,
  end_hour: 24,
};

interface Stored {
  /** Seconds of each file. */
  seconds: number[];
  /** The most memory that the server held during one, MB, file after file. */
  memoryMb: number[];
}

test(
  "ten million leads by import: the counts add up, every invariant holds, the file is whole",
  async () => {
    using directory = temporaryDirectory();
    const data = join(directory.path, "data");
    const env = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_LOG_LEVEL: "error" };
    let server = await startServer({ data, env });
    const { key } = await server.createKey("test");
    let call = caller(server, key);
    const campaign = await prepare(call);
    const stored = await importFiles(server, key, campaign);
    expect((await done(call("GET", "/leads?limit=1"))).total).toBe(LEADS);
    expect(await server.stop()).toBe(0);

    const from = performance.now();
    server = await startServer({ data, env });
    const startMs = performance.now() - from;
    const restMb = memoryMb(server.pid);
    call = caller(server, key);
    await done(call("POST", `/campaigns/${campaign}/start`));
    for (let day = 0; day < DAYS; day += 1) {
      await done(call("POST", "/sandbox/clock", { advance: "1d" }));
    }
    const stats = await done(call("GET", `/campaigns/${campaign}/stats`));
    expect(await server.stop()).toBe(0);
    const megabytes = statSync(join(data, "test.db")).size / 1e6;
    const found = await recount(data);
    write({ stored, startMs, restMb, megabytes, stats, found });
    expect(found.rows).toEqual({ leads: LEADS, enrollments: LEADS });
    expect(found.invariants.filter(({ holds }) => !holds)).toEqual([]);
    expect(found.integrity).toBe("ok");
  },
  TEST_MS_MAX,
);

/** Returns the campaign that they go into. */
async function prepare(call: Call): Promise<string> {
  for (let n = 1; n <= MAILBOXES; n += 1) {
    await done(call("POST", "/accounts", { email: `sender${n}@out.test`, provider: "smtp" }));
  }
  const fields = { name: "Everybody", max_leads_per_day: 10_000, send_window: ROUND_THE_CLOCK };
  const campaign = await createCampaign(call, fields);
  for (const wait_days of [0, 2]) {
    const step = { type: "email", subject: "Hello {{first_name}}", body: "Hi there", wait_days };
    await done(call("POST", `/campaigns/${campaign}/steps`, step));
  }
  return campaign;
}

async function importFiles(server: Server, key: string, campaign: string): Promise<Stored> {
  const each = LEADS / FILES;
  const stored: Stored = { seconds: [], memoryMb: [] };
  for (let file = 0; file < FILES; file += 1) {
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, memoryMb(server.pid));
    }, 250);
    const from = performance.now();
    const answer = await server.fetch(`/api/v1/campaigns/${campaign}/leads/import`, {
      key,
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson" },
      body: linesOf(file * each, each),
    });
    stored.seconds.push((performance.now() - from) / 1_000);
    clearInterval(watch);
    stored.memoryMb.push(peak);
    const known = file === 0 ? 0 : KNOWN;
    const outcomes = { new: each, duplicate: known, invalid: WRONG };
    expect(await answer.json()).toMatchObject({ status: "done", outcomes });
  }
  return stored;
}

/** New leads, then some of an earlier file and lines that are none. */
function linesOf(from: number, count: number): ReadableStream<Uint8Array> {
  const known = from === 0 ? 0 : KNOWN;
  const total = count + known + WRONG;
  const line = (nth: number) => {
    if (nth < count) {
      return JSON.stringify(leadAt(from + nth));
    }
    return nth < count + known ? JSON.stringify(leadAt(nth - count)) : '{"email": "nobody"}';
  };
  const encoder = new TextEncoder();
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      const length = Math.min(PIECE, total - sent);
      const lines = Array.from({ length }, (_, nth) => line(sent + nth));
      sent += length;
      controller.enqueue(encoder.encode(`${lines.join("\n")}\n`));
      if (sent >= total) {
        controller.close();
      }
    },
  });
}

function memoryMb(pid: number): number {
  const [, kib = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return (Number(kib) * 1_024) / 1e6;
}

interface Found {
  rows: { leads: number; enrollments: number };
  invariants: Invariant[];
  integrity: string;
}

async function recount(data: string): Promise<Found> {
  const { config } = readConfig({ flags: { data }, env: {}, workingDir: data });
  const environments = openEnvironments(config, silentLog);
  try {
    const { db } = environments.test;
    const [team] = listTeams(db);
    const rows = { leads: countOf(db, "leads"), enrollments: countOf(db, "enrollments") };
    const invariants = checkInvariants(environments.test, team?.id ?? "");
    return { rows, invariants, integrity: integrityCheck(db) };
  } finally {
    await environments.close();
  }
}

function countOf(db: Db, table: string): number {
  return (
    db.raw.query<{ count: number }, []>(`select count(*) as count from ${table}`).get()?.count ?? 0
  );
}

function write(seen: {
  stored: Stored;
  startMs: number;
  restMb: number;
  megabytes: number;
  stats: { sent: number; replied: number; bounced: number };
  found: Found;
}): void {
  const { stored, stats, found } = seen;
  const perSecond = stored.seconds.map((seconds) => Math.round(LEADS / FILES / seconds));
  const row = (name: string, value: number | string) => `| ${name} | ${value} |`;
  const lines = [
    "# At size",
    "",
    `${LEADS} leads in ${FILES} files of NDJSON through the API into one campaign of the sandbox, each file`,
    `with ${KNOWN} who are there already (but the first) and ${WRONG} lines that are no lead; ${MAILBOXES} mailboxes,`,
    `${DAYS} days. Then the file is read from end to end. Written by \`test/soak/size.soak.ts\`.`,
    "",
    "| | |",
    "|---|---:|",
    row("leads, counted row by row", found.rows.leads),
    row("enrollments, counted row by row", found.rows.enrollments),
    row("leads a second, file after file", perSecond.join(", ")),
    row("most memory during a file, MB", stored.memoryMb.map(Math.round).join(", ")),
    row("start with all of them, first answer, ms", Math.round(seen.startMs)),
    row("memory after it, MB", Math.round(seen.restMb)),
    row("database, MB", Math.round(seen.megabytes)),
    row("mails sent", stats.sent),
    row("answers", stats.replied),
    row("bounces", stats.bounced),
    row("`PRAGMA integrity_check`", found.integrity),
    "",
    ...found.invariants.map(
      ({ name, holds, detail }) => `- ${holds ? "holds" : `BROKEN (${detail})`}: ${name}`,
    ),
  ];
  mkdirSync(REPORTS, { recursive: true });
  writeFileSync(join(REPORTS, "size.md"), `${lines.join("\n")}\n`);
}
