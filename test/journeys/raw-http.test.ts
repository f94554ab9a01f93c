/**
 * Bytes on the executable's port that no client of good will sends: broken, doubled, ambiguous, endless and
 * slow. Each is answered by a refusal or a closed connection, nothing of it becomes a second request, nobody
 * is let in by it, and the next caller is served.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type Server, startServer } from "../support/executable.ts";
import { tried } from "../support/promises.ts";
import { caller, done } from "./support.ts";

const TEST_MS_MAX = 120_000;
/** Until a connection that says nothing any more is given up by this test. */
const SILENCE_MS_MAX = 1_500;
const ANSWER_MS_MAX = 20_000;
const ENV = { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_AUTH_FAILURES: "0", OUTRIDER_LOG_LEVEL: "error" };
const RUNS = Number(process.env["OUTRIDER_FUZZ_RUNS"] ?? 2_000);
const SLOW = 200;
const IDLE = 500;

let server: Server;
let key: string;
let host: string;
beforeAll(async () => {
  server = await startServer({ env: ENV });
  key = (await server.createKey("live")).key;
  host = new URL(server.url).host;
});
afterAll(() => server[Symbol.asyncDispose]());

interface Heard {
  text: string;
  /** The server closed. */
  closed: boolean;
}

type Pieces = readonly (string | Uint8Array)[];

/** Says `bytes`, in pieces as given, and hears what comes until the other side closes or is silent. */
const say = (...pieces: Pieces) => sayAndWait(SILENCE_MS_MAX, pieces);

/** As {@link say}, for what has to be answered, with all the time that a busy machine may need. */
function sayAndWait(silenceMsMax: number, pieces: Pieces): Promise<Heard> {
  const { hostname, port } = new URL(server.url);
  const { promise, resolve } = Promise.withResolvers<Heard>();
  let text = "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (closed: boolean, socket?: { end(): void }) => {
    clearTimeout(timer);
    resolve({ text, closed });
    socket?.end();
  };
  const wait = (socket: { end(): void }) => {
    clearTimeout(timer);
    timer = setTimeout(() => end(false, socket), silenceMsMax);
  };
  void Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: async (socket) => {
        wait(socket);
        for (const piece of pieces) {
          socket.write(piece);
          socket.flush();
          await Bun.sleep(0);
        }
      },
      data: (socket, chunk) => {
        text += chunk.toString("latin1");
        wait(socket);
      },
      close: () => end(true),
      error: () => end(true),
    },
  });
  return promise;
}

const statuses = ({ text }: Heard) => [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, n]) => n);
const head = (first: string, ...headers: string[]) => `${[first, ...headers].join("\r\n")}\r\n\r\n`;
const bearer = () => `Authorization: Bearer ${key}`;
const campaigns = async () =>
  (await done(caller(server, key)("GET", "/campaigns?limit=1"))).total as number;

/** One request's worth of bytes, and what may come of it: a refusal, or one answer to a harmless read. */
const ODD: [what: string, bytes: () => string][] = [
  ["no request at all", () => "\r\n\r\n\r\n"],
  ["noise", () => "\u0000\u0001\u00ff\u00fe".repeat(200)],
  ["a TLS hello", () => "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003"],
  ["HTTP/2's preface", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["HTTP/0.9", () => "GET /api/v1/campaigns\r\n\r\n"],
  ["no Host", () => head("GET /api/v1/campaigns HTTP/1.1", bearer())],
  ["an empty Host", () => head("GET /api/v1/campaigns HTTP/1.1", "Host:", bearer())],
  ["a Host of nonsense", () => head("GET /healthz HTTP/1.1", "Host: a b/c?d@[", bearer())],
  ["a line without colon", () => head("GET /healthz HTTP/1.1", `Host: ${host}`, "nonsense")],
  ["a space before the colon", () => head("GET /healthz HTTP/1.1", `Host : ${host}`)],
  ["a folded header", () => head("GET /healthz HTTP/1.1", `Host: ${host}`, "X: a", " b")],
  ["a NUL in a header", () => head("GET /healthz HTTP/1.1", `Host: ${host}`, "X: a\u0000b")],
  ["a bare CR in a header", () => head("GET /healthz HTTP/1.1", `Host: ${host}`, "X: a\rb: c")],
  ["a method of nonsense", () => head("GE T /healthz HTTP/1.1", `Host: ${host}`)],
  ["a path that is none", () => head("GET healthz HTTP/1.1", `Host: ${host}`)],
  ["CONNECT", () => head("CONNECT internal:25 HTTP/1.1", `Host: ${host}`)],
  ["TRACE", () => head("TRACE / HTTP/1.1", `Host: ${host}`, bearer())],
  ["a header of 100 KB", () => head("GET /healthz HTTP/1.1", `X: ${"a".repeat(100_000)}`)],
  ["5,000 headers", () => head("GET /healthz HTTP/1.1", ...Array(5_000).fill("A: b"))],
  ["a path of 100 KB", () => head(`GET /${"a".repeat(100_000)} HTTP/1.1`, `Host: ${host}`)],
];

describe("a request that is none", () => {
  test.each(ODD)(
    "%s: refused or closed, and lets nobody in",
    async (_what, bytes) => {
      const heard = await say(bytes());
      expect(heard.text).not.toMatch(/"data":\[/);
      expect(statuses(heard).filter((status) => /^50[0-4]$/.test(status ?? ""))).toEqual([]);
      expect(heard.text).not.toContain(key);
      expect((await server.fetch("/healthz")).status).toBe(200);
    },
    TEST_MS_MAX,
  );
});

/** A second request hidden in the body of the first, by a length that can be read in two ways. */
const SMUGGLED = () => {
  const body = JSON.stringify({ name: "smuggled" });
  const type = "Content-Type: application/json";
  const length = `Content-Length: ${body.length}`;
  const parts = ["POST /api/v1/campaigns HTTP/1.1", `Host: ${host}`, bearer(), type, length];
  return head(parts[0] ?? "", ...parts.slice(1)) + body;
};
const AMBIGUOUS: [what: string, headers: string[]][] = [
  ["both lengths", ["Content-Length: 4", "Transfer-Encoding: chunked"]],
  ["both lengths, the other way", ["Transfer-Encoding: chunked", "Content-Length: 4"]],
  ["two lengths that differ", ["Content-Length: 0", "Content-Length: 400"]],
  ["two lengths in one", ["Content-Length: 0, 400"]],
  ["a negative length", ["Content-Length: -1"]],
  ["a length with a sign", ["Content-Length: +0"]],
  ["a length in hexadecimal", ["Content-Length: 0x0"]],
  ["a length beyond numbers", ["Content-Length: 99999999999999999999999"]],
  ["an encoding with a tail", ["Transfer-Encoding: chunked, identity"]],
  ["an encoding of nonsense", ["Transfer-Encoding: xchunked"]],
  ["an encoding after a tab", ["Transfer-Encoding:\tchunked", "Content-Length: 3"]],
  ["an encoding with a strange space", ["Transfer-Encoding: \u000bchunked", "Content-Length: 3"]],
];

describe("a length that can be read in two ways", () => {
  test.each(AMBIGUOUS)(
    "%s: no second request comes of it without one answer each",
    async (_what, headers) => {
      const before = await campaigns();
      const first = head("POST /api/v1/suppressions HTTP/1.1", `Host: ${host}`, ...headers);
      // The first is nobody's; who follows it on the connection must not speak through it.
      const heard = await say(`${first}0\r\n\r\n${SMUGGLED()}`);
      const [refused] = statuses(heard);
      expect(["400", "401", "411", "413", "501", undefined]).toContain(refused);
      const made = (await campaigns()) - before;
      // What a proxy would count as part of the body is never carried out behind a refusal of framing.
      const isAnsweredTwice = statuses(heard).length === 2;
      expect(made === 0 || (isAnsweredTwice && refused === "401")).toBe(true);
    },
    TEST_MS_MAX,
  );

  test("the chunked form, one byte at a time and broken in every way, makes nothing half", async () => {
    const before = await campaigns();
    const start = head(
      "POST /api/v1/campaigns HTTP/1.1",
      `Host: ${host}`,
      bearer(),
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
      "Connection: close",
    );
    const broken = ["zz\r\n", "-1\r\n", "5\r\n{}", "ffffffffffffffffff\r\n{}", "2\r\n{}\r\n0\r\nX"];
    for (const body of broken) {
      await say(start, ...body);
    }
    expect(await campaigns()).toBe(before);
    const whole = `{"name":"chunked"}`;
    const chunks = `${whole.length.toString(16)}\r\n${whole}\r\n0\r\n\r\n`;
    const heard = await sayAndWait(ANSWER_MS_MAX, [start, ...chunks]);
    expect(statuses(heard)).toEqual(["201"]);
    expect(await campaigns()).toBe(before + 1);
  });
});

describe("headers given twice", () => {
  test.each([
    ["two keys, the right one last", () => ["Authorization: Bearer no", bearer()]],
    ["two keys, the right one first", () => [bearer(), "Authorization: Bearer no"]],
    ["an address of its own choosing", () => [bearer(), "X-Forwarded-For: 127.0.0.1, 10.0.0.1"]],
    ["a method of its own choosing", () => [bearer(), "X-HTTP-Method-Override: DELETE"]],
  ] as const)("%s: an answer or a refusal, never a fault", async (_what, headers) => {
    const first = head("GET /api/v1/campaigns HTTP/1.1", `Host: ${host}`, ...headers());
    const [status] = statuses(await say(first));
    expect(["200", "400", "401", undefined]).toContain(status);
  });

  test.each(["/api/v1/campaigns", "/healthz"])("two Hosts are refused at %s", async (path) => {
    const heard = await say(head(`GET ${path} HTTP/1.1`, `Host: ${host}`, bearer(), "Host: a.b"));
    expect(statuses(heard)).toEqual(["400"]);
  });

  test("the absolute form names no other host, and reaches what its path names", async () => {
    const first = `GET http://evil.example/api/v1/campaigns HTTP/1.1`;
    const heard = await say(head(first, "Host: evil.example"));
    expect(["400", "401", "404", undefined]).toContain(statuses(heard)[0]);
    expect(heard.text).not.toContain('"data"');
  });

  test.each([
    "/api/v1/../../master.key",
    "/api/v1/%2e%2e/%2e%2e/master.key",
    "/console/..%2f..%2fmaster.key",
    "//etc/passwd",
    "/api/v1/campaigns%00",
    "/%",
    "/%zz",
    "/\u00ff\u00fe",
  ])("%s leads nowhere", async (path) => {
    const heard = await say(head(`GET ${path} HTTP/1.1`, `Host: ${host}`, bearer()));
    expect(statuses(heard)[0] ?? "400").toMatch(/^(3|4)\d\d$/);
    expect(heard.text).not.toMatch(/root:|[A-Za-z0-9+/]{43}=/);
  });
});

test(
  "any bytes: the program lives, answers no 5xx and keeps serving",
  async () => {
    const token = fc.constantFrom(
      ...["GET ", "POST ", "/api/v1/campaigns", "/", " HTTP/1.1", " HTTP/9.9", "\r\n", "\n", "\r"],
      ...["Host: x", "Host: ", "Content-Length: ", "Transfer-Encoding: chunked", "Expect: ", ": "],
      ...["100-continue", "Upgrade: websocket", "Connection: close", "Range: bytes=0-", "\u0000"],
      ...["9999", "0", "-1", "{", "}", "Authorization: Bearer ", "Cookie: ", "Accept: */*"],
    );
    const bytes = fc
      .array(fc.oneof(token, fc.string({ maxLength: 12 })), { minLength: 1, maxLength: 24 })
      .map((parts) => `${parts.join("")}\r\n\r\n`);
    let asked = 0;
    const samples = fc.sample(bytes, { numRuns: RUNS, seed: 1 });
    for (let at = 0; at < samples.length; at += 50) {
      const heard = await Promise.all(samples.slice(at, at + 50).map((one) => say(one)));
      asked += heard.length;
      const faults = heard.filter((one) =>
        statuses(one).some((status) => /^50[0-4]$/.test(status ?? "")),
      );
      expect(faults.map(({ text }) => text.slice(0, 300))).toEqual([]);
      expect((await server.fetch("/healthz")).status).toBe(200);
    }
    expect(asked).toBe(RUNS);
    tried("bytes", asked);
    expect(server.log()).not.toMatch(/request failed|"level":"error"/);
  },
  TEST_MS_MAX,
);

describe("who takes their time", () => {
  test(
    "slow bodies and idle connections by the hundred hold up nobody",
    async () => {
      const { hostname, port } = new URL(server.url);
      const open = () =>
        Bun.connect({ hostname, port: Number(port), socket: { data: () => undefined } });
      const idle = await Promise.all(Array.from({ length: IDLE }, open));
      const slow = await Promise.all(Array.from({ length: SLOW }, open));
      const start = head(
        "POST /api/v1/campaigns HTTP/1.1",
        `Host: ${host}`,
        bearer(),
        "Content-Type: application/json",
        "Content-Length: 1000",
      );
      for (const socket of slow) {
        socket.write(`${start}{`);
      }
      const before = await campaigns();
      const made = await Promise.all(
        Array.from({ length: 50 }, (_, n) =>
          caller(server, key)("POST", "/campaigns", { name: `quick ${n}` }),
        ),
      );
      expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
      for (const socket of [...idle, ...slow]) {
        socket.terminate();
      }
      expect(await campaigns()).toBe(before + 50);
    },
    TEST_MS_MAX,
  );
});
