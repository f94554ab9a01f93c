/** `outrider tail`, `listen` and `trigger` against a running server, whose events they read. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { runCommandLine } from "#cli/run.ts";
import { startTestServer, type TestServer } from "../support/running-app.ts";
import { keepingTerminal } from "./support.ts";

const keys = { live: "", test: "" };
let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  keys.live = await server.keyOf("live");
  keys.test = await server.keyOf("test");
  env = { OUTRIDER_URL: server.url, OUTRIDER_KEY: keys.test };
  await sendOne();
});
afterAll(() => server.stop());

async function post(path: string, body?: object, method = "POST") {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${keys.test}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return await response.json();
}

/** One email to one lead of the sandbox. */
async function sendOne(): Promise<void> {
  await post("/accounts", { email: "ann@sender.example", provider: "sandbox" });
  const { id } = await post("/campaigns", { name: "C" });
  await post(`/campaigns/${id}/steps`, { type: "email", subject: "Hi", body: "Hello" });
  await post(`/campaigns/${id}/leads`, { leads: [{ email: "ada@customer.example" }] });
  await post(`/campaigns/${id}/start`);
  await post("/sandbox/clock", { advance: "4d" });
}

/** Runs a command that goes on until `isEnough` says so of what it has printed. */
async function runUntil(args: readonly string[], isEnough: (out: string) => boolean, around = env) {
  const { terminal, written } = keepingTerminal(false);
  const interrupt = new AbortController();
  const watched = {
    ...terminal,
    out: (text: string) => {
      terminal.out(text);
      if (isEnough(written().out)) {
        interrupt.abort("SIGINT");
      }
    },
  };
  const exit = await runCommandLine(args, {
    terminal: watched,
    env: around,
    workingDir: server.dir,
    interrupt: () => interrupt.signal,
  });
  return { exit, ...written() };
}

const run = (args: readonly string[], around = env) => runUntil(args, () => false, around);
const lines = (text: string) => text.split("\n").length - 1;

describe("tail", () => {
  test("shows what has happened since, in order, as JSON lines or for people", async () => {
    const json = await runUntil(["tail", "--after", "0", "--json"], (out) => lines(out) >= 3);
    const seqs = json.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).seq);
    expect(seqs.length).toBeGreaterThanOrEqual(3);
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
    const sent = await runUntil(
      ["tail", "--after", "0", "--events", "email.sent"],
      (out) => lines(out) >= 1,
    );
    expect(sent.out).toContain('email.sent to="ada@customer.example"');
    expect([json.exit, sent.exit]).toEqual([0, 0]);
  });

  test("a wrong key, kind or address is said at once", async () => {
    const wrongKey = await run(["tail"], { ...env, OUTRIDER_KEY: "nonsense" });
    expect(wrongKey.err).toContain("API key");
    expect(wrongKey.exit).not.toBe(0);
    expect((await run(["tail"], { OUTRIDER_URL: server.url })).exit).toBe(64);
    const kind = await run(["tail", "--events", "email.snt"]);
    expect([kind.exit, kind.err.includes("type")]).toEqual([64, true]);
    const away = await run(["tail", "--server", "http://127.0.0.1:9"]);
    expect([away.exit, away.err.includes("can't reach a server")]).toEqual([69, true]);
    expect((await run(["tail", "--server", "ftp://x"])).exit).toBe(64);
  });
});

describe("listen", () => {
  test("forwards each event with a signature that the standard's library verifies", async () => {
    const got: { body: string; headers: Record<string, string> }[] = [];
    const receiver = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        got.push({ body: await request.text(), headers: request.headers.toJSON() });
        return new Response(null, { status: got.length === 1 ? 500 : 204 });
      },
    });
    const to = `http://127.0.0.1:${receiver.port}/hooks`;
    const ran = await runUntil(
      ["listen", "--forward-to", to, "--after", "0", "--json"],
      (out) => lines(out) >= 3,
    );
    await receiver.stop(true);
    const secret = /whsec_\S+/.exec(ran.err)?.[0] ?? "";
    const told = ran.out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(told.map(({ status }) => status).slice(0, 3)).toEqual([500, 204, 204]);
    for (const { body, headers } of got) {
      expect(new Webhook(secret).verify(body, headers)).toMatchObject({
        id: headers["webhook-id"],
      });
      expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    }
    expect(got.slice(0, 3).map(({ body }) => JSON.parse(body).seq)).toEqual(
      told.slice(0, 3).map(({ seq }) => seq),
    );
  });

  test("a receiver that is not there is shown, and what follows is still tried", async () => {
    const ran = await runUntil(
      ["listen", "--forward-to", "http://127.0.0.1:9/", "--after", "0", "--json"],
      (out) => lines(out) >= 2,
    );
    const [first] = ran.out.split("\n").map((line) => (line === "" ? {} : JSON.parse(line)));
    expect(first).toMatchObject({ status: null });
    expect(first.error).not.toBeNull();
  });

  test("an address or a secret that cannot be is refused", async () => {
    expect((await run(["listen", "--forward-to", "localhost"])).exit).toBe(64);
    const weak = { ...env, OUTRIDER_WEBHOOK_SECRET: "whsec_short" };
    expect((await run(["listen", "--forward-to", "http://127.0.0.1:9/"], weak)).exit).toBe(64);
  });
});

describe("trigger", () => {
  test.each(["reply.received", "suppression.created"])(
    "%s happens, and is printed",
    async (kind) => {
      const ran = await run(["trigger", kind, "--json"]);
      expect(ran.err).toBe("");
      expect(JSON.parse(ran.out)).toMatchObject({ type: kind });
      expect(ran.exit).toBe(0);
    },
  );

  test("a kind that is none, that cannot be caused, a live key: each its own words", async () => {
    expect((await run(["trigger", "reply.recieved"])).err).toContain("reply.received");
    expect((await run(["trigger", "account.error"])).err).toContain("can't be triggered");
    const live = await run(["trigger", "reply.received"], { ...env, OUTRIDER_KEY: keys.live });
    expect(live.exit).not.toBe(0);
    const paused = await run(["trigger", "campaign.paused"]);
    expect([paused.exit, paused.err.includes("--campaign")]).toEqual([64, true]);
  });
});
