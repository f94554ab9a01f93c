/**
 * What a team notices of another whose servers hang and who asks for all that is dear: its requests and its
 * webhook deliveries with and without, in the executable. Figures in `docs/reports/neighbours.md`.
 */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Call, caller, createCampaign, done } from "../journeys/support.ts";
import { startServer } from "../support/executable.ts";
import { LOAD_ENV, makeTeams, quantile } from "../support/load.ts";
import { startLoopback } from "../support/loopback.ts";
import { response, scriptedServer } from "../support/name-server.ts";

const SECONDS = Number(process.env["OUTRIDER_NEIGHBOUR_SECONDS"] ?? 30);
const LEADS = 20_000;
const RECEIVERS = 20;
const MAILBOXES = 200;
/** B stays below the limit of its key. */
const PAUSE_MS = 125;
/** Requests a minute and key: as delivered, and none. */
const LIMITS = ["600", "0"];
const sections: string[][] = [];
const REPORT = join(import.meta.dir, "..", "..", "docs", "reports", "neighbours.md");

interface Noticed {
  requests: number[];
  told: number[];
}

test.each(LIMITS)(
  "every delivery of a team arrives beside another that does all it can, with a rate limit of %s",
  async (limit) => {
    using names = await scriptedServer((asked) =>
      asked.name.endsWith(".silent.example.org") ? [] : [response(asked, [])],
    );
    const drip = await startLoopback((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      const timer = setInterval(() => socket.write("x"), 1_000);
      socket.on("close", () => clearInterval(timer));
    });
    const hole = await startLoopback(() => undefined);
    const arrived = new Map<string, number>();
    const receiver = Bun.serve({
      port: 0,
      fetch: async (request) => {
        const { data } = (await request.json()) as { data: { suppression_id: string } };
        arrived.set(data.suppression_id, performance.now());
        return new Response("ok");
      },
    });
    const dns = `127.0.0.1:${names.port}`;
    await using server = await startServer({
      env: { ...LOAD_ENV, OUTRIDER_RATE_LIMIT: limit, OUTRIDER_DNS_SERVERS: dns },
    });
    const [keyOfA, keyOfB] = await makeTeams(server, 2);
    const [a, b] = [caller(server, keyOfA), caller(server, keyOfB)];
    const url = `http://127.0.0.1:${receiver.port}/in`;
    await done(b("POST", "/webhooks", { url, events: ["suppression.created"] }));
    const campaign = await createCampaign(b, { name: "Ordinary" });

    const notice = async (): Promise<Noticed> => {
      const ends = performance.now() + SECONDS * 1_000;
      const requests: number[] = [];
      const begun = new Map<string, number>();
      for (let n = 0; performance.now() < ends; n += 1) {
        const at = performance.now();
        await done(b("GET", `/campaigns/${campaign}`));
        requests.push(performance.now() - at);
        if (n % 10 === 0) {
          const from = performance.now();
          const email = `${crypto.randomUUID()}@x.example`;
          const { id } = await done(b("POST", "/suppressions", { email }));
          begun.set(id, from);
        }
        await Bun.sleep(PAUSE_MS);
      }
      await Bun.sleep(2_000);
      const told = [...begun].map(([id, from]) => (arrived.get(id) ?? Infinity) - from);
      return { requests, told };
    };

    const alone = await notice();
    const other = { isOver: false };
    const hostile = beHostile(a, server.fetch, keyOfA ?? "", { drip, hole }, other);
    await hostile.ready;
    const beside = await notice();
    other.isOver = true;
    await hostile.done;
    const again = await notice();
    sections.push(sectionOf(limit, [alone, beside, again]));
    writeFileSync(REPORT, `${[INTRODUCTION, ...sections.flat()].join("\n")}\n`);
    expect(beside.told.filter((ms) => ms === Infinity)).toEqual([]);
    await server.stop();
    await Promise.all([drip.stop(), hole.stop(), receiver.stop(true)]);
  },
  (SECONDS * 3 + 300) * 1_000,
);

/** Everything at once that a team can do to others. */
function beHostile(
  call: Call,
  fetch: (path: string, init: RequestInit & { key: string }) => Promise<Response>,
  key: string,
  { drip, hole }: Record<"drip" | "hole", { port: number }>,
  until: { isOver: boolean },
) {
  const file = async (campaign: string, name: string, rows: number) => {
    const row = (_: unknown, n: number) => `${name}${n}@d${n % 500}.silent.example.org,Ann`;
    const body = `email,first_name\n${Array.from({ length: rows }, row).join("\n")}\n`;
    const headers = { "Content-Type": "text/csv" };
    const path = `/api/v1/campaigns/${campaign}/leads/import`;
    await (await fetch(path, { method: "POST", key, body, headers })).text();
  };
  const prepare = async () => {
    for (let n = 0; n < RECEIVERS; n += 1) {
      const url = `http://127.0.0.2:${drip.port}/${n}`;
      await call("POST", "/webhooks", { url, events: ["suppression.created"] });
    }
    const login = { host: "127.0.0.2", port: hole.port, security: "tls", username: "a" };
    const box = { ...login, password: "secret" };
    for (let n = 0; n < MAILBOXES; n += 1) {
      const email = `m${n}@a.silent.example.org`;
      await call("POST", "/accounts", { email, provider: "smtp", smtp: box, imap: box });
    }
    const campaign = await createCampaign(call, { name: "Large" });
    await call("POST", `/campaigns/${campaign}/steps`, { type: "email", subject: "x", body: "y" });
    await file(campaign, "lead", LEADS);
    return campaign;
  };
  const ready = prepare();
  const repeat = async (work: (n: number) => Promise<unknown>) => {
    for (let n = 0; !until.isOver; n += 1) {
      await work(n);
    }
  };
  const all = ready.then(async (campaign) => {
    const read = async (path: string) => (await fetch(`/api/v1${path}`, { key })).text();
    await Promise.all([
      ...[1, 2, 3].map(() => repeat(() => read("/exports/leads?format=csv"))),
      ...[1, 2].map(() => repeat(() => read("/leads?search=ann"))),
      ...[1, 2].map(() => repeat(() => read("/leads?filter=first_name:bob"))),
      repeat(() => read(`/campaigns/${campaign}/forecast?days=31`)),
      repeat((n) => file(campaign, `more${n}-`, 2_000)),
      repeat((n) => call("POST", "/suppressions", { email: `s${n}@x.example` })),
    ]);
  });
  return { ready, done: all };
}

const INTRODUCTION = `# Neighbours

What one team (B) notices of another (A) on the same server, ${SECONDS} s each: alone, beside A, and alone again.
A has ${RECEIVERS} webhook receivers that trickle a byte a second, ${MAILBOXES} mailboxes whose SMTP and IMAP servers
accept and say nothing, and ${LEADS.toLocaleString("en")} leads at domains whose name servers never respond. Over and over,
without a pause, it asks at once for three exports, four searches, a forecast, an import of 2,000 rows and creates, however
often it is refused. B reads its campaign every ${PAUSE_MS} ms and creates a suppression every tenth time. On 2 cores, with
the clients and whatever else ran; the ratio is to the mean of both times alone.`;

function sectionOf(limit: string, three: readonly Noticed[]): string[] {
  const row = (name: string, of: (one: Noticed) => readonly number[], share: number) => {
    const figures = three.map((one) => quantile(of(one), share));
    const [alone = 0, beside = 0, again = 0] = figures;
    const ratio = (beside / ((alone + again) / 2)).toFixed(1);
    return `| ${name} | ${alone} | ${beside} | ${again} | ${ratio} |`;
  };
  return [
    "",
    limit === "0"
      ? "## Without a rate limit"
      : `## With ${limit} requests a minute and key, as delivered`,
    "",
    "| milliseconds | alone | beside A | alone again | ratio |",
    "|---|---:|---:|---:|---:|",
    row("B's reads, p50", ({ requests }) => requests, 0.5),
    row("B's reads, p99", ({ requests }) => requests, 0.99),
    row("from B's request to its webhook, p50", ({ told }) => told, 0.5),
    row("from B's request to its webhook, p99", ({ told }) => told, 0.99),
    "",
    `B's reads: ${three.map(({ requests }) => requests.length).join(", ")}; deliveries: ` +
      `${three.map(({ told }) => told.length).join(", ")}, none missing.`,
  ];
}
