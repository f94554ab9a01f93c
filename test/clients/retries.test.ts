/**
 * Guarantees of the Python and the Go client, against a server that fails in many ways: nothing is done twice by
 * trying again, refusals keep the server's words, lists come whole, and a webhook is believed only with its
 * signature. The TypeScript client has the same in `typescript.test.ts`.
 */

import { describe, expect, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Webhook } from "standardwebhooks";

const CLIENTS = resolve(import.meta.dir, "../../clients");
const PROGRAMS = join(import.meta.dir, "programs");

interface Asked {
  what: string;
  idempotencyKey: string | undefined;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers });
    response.end(JSON.stringify(body));
  };
const busy = json({}, 503, { "Retry-After": "0" });
const broken: Answer = (request) => request.socket.destroy();
const page: Answer = (_, response) =>
  response.writeHead(502, { "X-Request-Id": "req_2" }).end("<h1>Bad gateway</h1>");
const REFUSAL = { type: "not_found", message: "no such campaign", field: "id", status: 404 };

const records = (...ids: string[]) => ids.map((id) => ({ id, type: "new.kind" }));

/** Answers to each request, one after another. */
const ANSWERS: Readonly<Record<string, Answer[]>> = {
  "POST /campaigns": [busy, json({ id: "c1" }, 201)],
  "POST /webhooks": [broken, json({ id: "w1" }, 201)],
  "DELETE /campaigns/broken": [broken, json({})],
  "GET /campaigns/refused": [json(REFUSAL, 404, { "X-Request-Id": "req_1" })],
  "GET /campaigns/proxy": [page],
  "GET /leads?limit=2&search=a+b%26c": [
    json({ data: records("1", "2"), hasMore: true, next_cursor: "x y" }),
  ],
  "GET /leads?after=x+y&limit=2&search=a+b%26c": [
    json({ data: records("3"), hasMore: false, next_cursor: null }),
  ],
  "GET /events?limit=2": [json({ data: records("1", "2"), hasMore: true, next_cursor: "2" })],
  "GET /events?after=2&limit=2": [json({ data: records("3"), hasMore: false, next_cursor: "3" })],
  "GET /accounts?limit=2": [json({ data: records("1", "2") })],
  "GET /accounts?limit=2&offset=2": [json({ data: records("3") })],
  "GET /experiments?limit=2": [json(records("1", "2"))],
  "GET /experiments?limit=2&offset=2": [json([])],
};

const SEEN = {
  busy: "c1",
  broken: "w1",
  deleted: "unreachable",
  refused: ["not_found", "no such campaign", "id", 404, "req_1"],
  proxy: ["unknown", expect.stringContaining("status 502"), null, 502, "req_2"],
  noId: "id is required",
  cursors: ["1", "2", "3"],
  events: ["1", "2", "3"],
  mailboxes: ["1", "2", "3"],
  experiments: ["1", "2"],
};

const [NEW, OLD] = ["the one that comes after", "the one that was there before"].map(
  (text) => `whsec_${btoa(text)}`,
) as [string, string];
const NOW = 1_772_443_800;

interface Case {
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
}

function webhooks(): { given: Case; is: string }[] {
  const body = JSON.stringify({ id: "evt_1", type: "email.sent", data: { to: "Zoë" } });
  const signature = new Webhook(OLD).sign("msg_1", new Date(NOW * 1_000), body);
  const headers = {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(NOW),
    "webhook-signature": `v1,AAAA v2,${signature.slice(3)} ${signature}`,
  };
  const given = { body, headers, secrets: [OLD], now: NOW };
  const late = "the webhook is too old, or from the future";
  const forged = "the webhook is not signed with this secret";
  const with_ = (changed: Record<string, string>) => ({ ...headers, ...changed });
  return [
    { given, is: "evt_1" },
    { given: { ...given, secrets: [NEW, OLD] }, is: "evt_1" },
    { given: { ...given, now: NOW + 300 }, is: "evt_1" },
    { given: { ...given, now: NOW + 301 }, is: late },
    { given: { ...given, now: NOW - 301 }, is: late },
    { given: { ...given, headers: with_({ "webhook-timestamp": "soon" }) }, is: late },
    { given: { ...given, body: `${body} ` }, is: forged },
    { given: { ...given, secrets: [NEW] }, is: forged },
    { given: { ...given, headers: with_({ "webhook-id": "msg_2" }) }, is: forged },
    { given: { ...given, headers: with_({ "webhook-signature": "" }) }, is: forged },
    { given: { ...given, headers: with_({ "webhook-signature": "v1,Zoë§" }) }, is: forged },
    { given: { ...given, secrets: ["whsec_"] }, is: "a secret is whsec_ and standard base64" },
  ];
}

async function behaviorOf(language: string, command: string) {
  const asked: Asked[] = [];
  const left = new Map(Object.entries(ANSWERS).map(([what, answers]) => [what, [...answers]]));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://localhost");
    url.searchParams.sort();
    const what = `${request.method} ${url.pathname.replace("/api/v1", "")}${url.search}`;
    const { "idempotency-key": idempotencyKey } = request.headers;
    asked.push({ what, idempotencyKey: idempotencyKey?.toString() });
    const answer = left.get(what)?.shift() ?? json({ type: "unexpected", message: what }, 500);
    request.resume().on("end", () => answer(request, response));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const folder = mkdtempSync(join(tmpdir(), "outrider-client-"));
  try {
    cpSync(join(PROGRAMS, `retries-${language}`), folder, { recursive: true });
    symlinkSync(join(CLIENTS, language), join(folder, "client"));
    const cases = webhooks().map(({ given }) => given);
    writeFileSync(join(folder, "webhooks.json"), JSON.stringify(cases));
    const { port } = server.address() as AddressInfo;
    const child = Bun.spawn(["sh", "-c", command], {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: "client", OUTRIDER_URL: `http://127.0.0.1:${port}` },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err] = await Promise.all([
      new Response(child.stdout).text(),
      new Response(child.stderr).text(),
    ]);
    expect({ exit: await child.exited, err }).toEqual({ exit: 0, err: "" });
    return { asked, seen: JSON.parse(out) as unknown };
  } finally {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

describe("A server that fails", () => {
  const programs = {
    python: ["python3", "python3 program.py"],
    go: ["go", "go mod edit -replace outrider=./client && go run ."],
  } as const;
  for (const [language, [needs, command]] of Object.entries(programs)) {
    const isSkipped = Bun.which(needs) === null && process.env["OUTRIDER_TEST_TIER"] !== "full";
    const skipped = isSkipped ? ` (skipped: ${needs} is missing)` : "";
    test.skipIf(isSkipped)(
      `is asked again by ${language} where that repeats nothing${skipped}`,
      async () => {
        const { asked, seen } = await behaviorOf(language, command);
        expect(seen).toEqual({ ...SEEN, webhooks: webhooks().map(({ is }) => is) });
        const keysOf = (path: string) =>
          asked.filter(({ what }) => what === path).map(({ idempotencyKey }) => idempotencyKey);
        for (const path of ["POST /campaigns", "POST /webhooks"]) {
          const [first, second, ...more] = keysOf(path);
          expect([path, first?.length, more.length]).toEqual([path, expect.any(Number), 0]);
          expect(second).toBe(first);
        }
        expect(keysOf("POST /campaigns")).not.toEqual(keysOf("POST /webhooks"));
        expect(keysOf("DELETE /campaigns/broken")).toEqual([undefined]);
      },
    );
  }
});
