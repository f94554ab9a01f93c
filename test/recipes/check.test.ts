/**
 * The check of receivers against real ones: the recipe, which is right, and the same with one fault each, as
 * people make them. A receiver that reports nothing is one in Node that accepts everything.
 */

import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECK_NAMES, CHECK_PLAN, verdictsOf } from "#domain/events/webhook-check.ts";
import { unixMs } from "#domain/time.ts";
import { parseCidrs } from "#platform/http/guard.ts";
import { createHttp } from "#platform/http/http.ts";
import { createTestApp, type TestApp } from "../support/app.ts";
import { tableDns } from "../support/dns.ts";
import { RECIPES, runtimeOf, startProgram } from "./support.ts";

const RIGHT = readFileSync(join(RECIPES, "lead_status.py"), "utf8");
const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const PYTHON = runtimeOf("x.py") === undefined ? test.skip : test;
const NODE = runtimeOf("x.mjs") === undefined ? test.skip : test;
const TEST_MS_MAX = 60_000;

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "outrider-check-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let app: TestApp;
beforeEach(async () => {
  const allowCidrs = parseCidrs("127.0.0.0/8");
  app = await createTestApp({ http: createHttp({ dns: tableDns({}), allowCidrs }) });
  // Receivers compare timestamps with their own clock.
  app.wall.set(unixMs(Date.now()));
});
afterEach(() => app.close());

let made = 0;

/** The verdicts on a program, by check; and the whole response. */
async function check(extension: string, program: string, events: string[] = ["lead.*", "reply.*"]) {
  made += 1;
  const file = join(dir, `receiver-${made}.${extension}`);
  writeFileSync(file, program);
  const env = { OUTRIDER_SECRET: SECRET, DATABASE: join(dir, `${made}.db`) };
  await using receiver = await startProgram(file, env);
  const body = { url: receiver.url, secret: SECRET, events };
  const { id } = (await app.call("POST", "/webhooks", body)).body;
  const answer = await app.call("POST", `/webhooks/${id}/check`);
  expect(answer.status).toBe(200);
  const verdicts: { check: string; verdict: string; message: string }[] = answer.body.verdicts;
  expect(verdicts.map((one) => one.check)).toEqual([...CHECK_NAMES]);
  const by = Object.fromEntries(verdicts.map((one) => [one.check, one.verdict]));
  return { by, id, ...answer.body, messages: verdicts.map(({ message }) => message) };
}

const ALL_YES = Object.fromEntries(CHECK_NAMES.map((name) => [name, "yes"]));

PYTHON(
  "the recipe passes every check, and the webhook's own record is as before",
  async () => {
    const result = await check("py", RIGHT);
    expect(result.by).toEqual(ALL_YES);
    expect(result).toMatchObject({ passed: true, requests: CHECK_PLAN.length });
    expect(result.messages).toContain("Deduplicates: yes. It counted no delivery a second time.");
    const webhook = (await app.call("GET", `/webhooks/${result.id}`)).body;
    expect(webhook).toMatchObject({ consecutive_failures: 0, failing_since: null });
    expect((await app.call("GET", `/webhooks/${result.id}/deliveries`)).body.total).toBe(0);
    expect((await app.call("GET", "/events")).body.data).toEqual([]);
    const [entry] = (await app.call("GET", "/audit?limit=1")).body.data;
    expect(entry.action).toBe("webhook.check");
  },
  TEST_MS_MAX,
);

PYTHON.each<[string, [string, string][], Record<string, string>]>([
  [
    "counts a repeated delivery again",
    [["(id text primary key)", "(id text)"]],
    { deduplicates: "no" },
  ],
  [
    "lets the event that comes last win",
    [[" where excluded.seq > leads.seq", ""]],
    { orders_by_seq: "no" },
  ],
  [
    "verifies nothing",
    [["if not any(", "if False and not any("]],
    { refuses_bad_signatures: "no" },
  ],
  ["believes any timestamp", [["> 300", "> 10**9"]], { refuses_old_timestamps: "no" }],
  [
    "signs what it has parsed and written anew, not the raw body",
    [
      [
        ".encode() + body, hash",
        '.encode() + json.dumps(json.loads(body or "{}"), separators=(",", ":"), ensure_ascii=False).encode(), hash',
      ],
    ],
    { refuses_bad_signatures: "no" },
  ],
  [
    "reads the first of several signatures only",
    [['.split(" ")', '.split(" ")[:1]']],
    { accepts_two_signatures: "no" },
  ],
  [
    "refuses fields that it doesn't know",
    [
      [
        "    return json.loads(body)",
        '    event = json.loads(body)\n    if "new_field" in event:\n        raise ValueError("unknown")\n    return event',
      ],
    ],
    { ignores_unknown_fields: "no" },
  ],
  [
    "responds 409 to what it has seen",
    [
      [
        "        self.respond(200, store(event))",
        '        before = store({"id": "0", "seq": 0, "type": "", "data": {}})["processed"]\n' +
          '        known = store(event)\n        self.respond(200 if known["processed"] > before else 409, known)',
      ],
    ],
    { accepts_repeats: "no" },
  ],
  [
    "drops what comes late",
    [
      [
        '        db.execute("insert or ignore into events',
        '        db.execute("create table if not exists leads (id text primary key, seq int, type text)")\n' +
          '        newest = db.execute("select seq from leads where id = ?", (lead,)).fetchone()\n' +
          '        if newest is None or newest[0] < event["seq"]:\n          db.execute("insert or ignore into events',
      ],
    ],
    { takes_late_events: "no" },
  ],
])(
  "a receiver that %s is found out, and nothing else is said against it",
  async (_name, changes, faults) => {
    let program = RIGHT;
    for (const [from, to] of changes) {
      expect(program).toContain(from);
      program = program.replace(from, to);
    }
    const result = await check("py", program);
    expect(result.by).toEqual({ ...ALL_YES, ...faults });
    expect(result.passed).toBe(false);
  },
  TEST_MS_MAX,
);

const CARELESS = `
import { createServer } from "node:http";
const server = createServer((request, response) => {
  request.resume().on("end", () => response.end("ok"));
});
server.listen(0, "127.0.0.1", () => console.log("listening on port " + server.address().port));
`;

NODE(
  "of a receiver that accepts everything and reports nothing, what can't be seen is said to be unknown",
  async () => {
    const { by, messages } = await check("mjs", CARELESS, ["*"]);
    expect(by).toEqual({
      accepts_events: "yes",
      accepts_repeats: "yes",
      accepts_two_signatures: "yes",
      ignores_unknown_fields: "yes",
      refuses_bad_signatures: "no",
      refuses_old_timestamps: "no",
      takes_late_events: "unknown",
      deduplicates: "unknown",
      orders_by_seq: "unknown",
    });
    expect(messages.filter((message: string) => message.includes("can’t tell"))).toHaveLength(3);
  },
  TEST_MS_MAX,
);

NODE(
  "a receiver that refuses everything isn't praised for refusing bad signatures",
  async () => {
    const { by, passed } = await check(
      "mjs",
      CARELESS.replace("response.end", "response.writeHead(500).end"),
    );
    expect(by).toMatchObject({
      accepts_events: "no",
      refuses_bad_signatures: "unknown",
      refuses_old_timestamps: "unknown",
      deduplicates: "unknown",
    });
    expect(passed).toBe(false);
  },
  TEST_MS_MAX,
);

test("nobody there: it ends after two requests, and says so", async () => {
  const { id } = (await app.call("POST", "/webhooks", { url: "http://127.0.0.1:1/" })).body;
  const { body } = await app.call("POST", `/webhooks/${id}/check`);
  expect(body).toMatchObject({ passed: false, requests: 2 });
  expect(body.verdicts[0]).toMatchObject({ check: "accepts_events", verdict: "no" });
});

test("an address that may not be reached isn't, by a check either", async () => {
  const { id } = (await app.call("POST", "/webhooks", { url: "https://10.0.0.1.nip.example/" }))
    .body;
  const { body } = await app.call("POST", `/webhooks/${id}/check`);
  expect(body).toMatchObject({ passed: false, requests: 2 });
});

test("403: in the live environment made-up events are sent to nobody", async () => {
  const { id } = (await app.live("POST", "/webhooks", { url: "https://hooks.example.com/" })).body;
  const { status, body } = await app.live("POST", `/webhooks/${id}/check`);
  expect({ status, type: body.type }).toEqual({ status: 403, type: "permission_error" });
});

test("409: one check of a team at a time", async () => {
  const waiting = Promise.withResolvers<Response>();
  const server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => waiting.promise });
  const url = `http://127.0.0.1:${server.port}/`;
  const { id } = (await app.call("POST", "/webhooks", { url })).body;
  const first = app.call("POST", `/webhooks/${id}/check`);
  const second = await app.call("POST", `/webhooks/${id}/check`);
  expect(second.status).toBe(409);
  await server.stop(true);
  waiting.resolve(new Response("ok"));
  expect((await first).status).toBe(200);
});

test("without a single response, nothing but the first verdict is given", () => {
  expect(verdictsOf([]).map(({ verdict }) => verdict)).toEqual(CHECK_NAMES.map(() => "unknown"));
});
