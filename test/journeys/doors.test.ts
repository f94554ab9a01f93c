/**
 * The way in: who has no key, or no right to ask again yet, gets nowhere, whatever the request looks
 * like. Requests that no proper client sends are written to the socket by hand.
 */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { connect } from "node:net";
import { type Server, startServer } from "../support/executable.ts";
import { expectProblem } from "./operations.ts";
import { type Call, caller, done } from "./support.ts";

const NOBODY = "0190a5b2-0000-7000-8000-000000000000";
const ANSWER_MS_MAX = 20_000;
const BODY_BYTES_MAX = 8 * 1024 * 1024;

let server: Server;
let key: string;
let call: Call;
const anybody: Call = (...request) => caller(server)(...request);

beforeAll(async () => {
  server = await startServer({
    env: { OUTRIDER_RATE_LIMIT: "0", OUTRIDER_AUTH_FAILURES: "0" },
  });
  ({ key } = await server.createKey("live"));
  call = caller(server, key);
}, 60_000);
afterAll(() => server[Symbol.asyncDispose]());

describe("429", () => {
  test("a key that asks too often is told when to come back; others are served", async () => {
    await using small = await startServer({ env: { OUTRIDER_RATE_LIMIT: "3" } });
    const busy = caller(small, (await small.createKey("live")).key);
    const remaining = [];
    for (let asked = 0; asked < 3; asked += 1) {
      const reply = await busy("GET", "/campaigns");
      expect(reply.status).toBe(200);
      remaining.push(Number(reply.headers.get("ratelimit-remaining")));
    }
    expect(remaining).toEqual([2, 1, 0]);
    const refused = await busy("GET", "/campaigns");
    expectProblem(refused, 429, "rate_limit_exceeded");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const other = caller(small, (await small.createKey("test")).key);
    expect((await other("GET", "/campaigns")).status).toBe(200);
    expect((await small.fetch("/healthz")).status).toBe(200);
  });
});

describe("Every route of the published document", () => {
  test("is closed to whoever has no key, whatever else is wrong", async () => {
    const document = await done(anybody("GET", "/openapi.json"));
    const routes = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [method.toUpperCase(), path] as const),
    );
    expect(routes.length).toBeGreaterThan(40);
    for (const [method, path] of routes) {
      for (const filled of [path.replace(/\{\w+\}/g, NOBODY), path.replace(/\{\w+\}/g, "x")]) {
        const reply = await anybody(method, filled, method === "GET" ? undefined : "{");
        expectProblem(reply, 401, "authentication_error");
      }
    }
  });
});

describe("A request by hand", () => {
  const withKey = () => `Authorization: Bearer ${key}\r\n`;

  test.each([
    ["a Host so short that a router may cut the path", "/zz/api/v1/campaigns", "a"],
    ["no Host at all", "/zz/api/v1/campaigns", ""],
    ["a path that begins with two slashes", "//api/v1/campaigns", "localhost"],
    ["a path in whole-address form", "http://localhost/api/v1/campaigns", "localhost"],
    ["another host's address", "http://evil.test/api/v1/campaigns", "localhost"],
    ["dots behind a public path", "/u/../api/v1/campaigns", "localhost"],
    ["encoded dots behind a public path", "/u/%2e%2e/api/v1/campaigns", "localhost"],
    ["more dots", "/u/x/../../api/v1/campaigns", "localhost"],
    ["backslashes", "/u/..\\api\\v1\\campaigns", "localhost"],
    ["dots towards a public path", "/api/v1/campaigns/../../../u/x/../../api/v1/keys", "localhost"],
    ["a public path in the query", "/api/v1/campaigns?/u/x", "localhost"],
    ["a public path in the fragment", "/api/v1/campaigns#/healthz", "localhost"],
    ["a public path as Host", "/api/v1/campaigns", "localhost/u/x"],
    ["a Host that makes no address", "/api/v1/campaigns", "a/../b?c#d"],
    ["a Host with a user", "/api/v1/campaigns", "x@localhost"],
  ])("without a key reads nothing: %s", async (_name, path, host) => {
    const hostLine = host === "" ? "" : `Host: ${host}\r\n`;
    const { status, text } = await ask(
      `GET ${path} HTTP/1.1\r\n${hostLine}Connection: close\r\n\r\n`,
    );
    expect([400, 401, 404, 0]).toContain(status);
    expect(text).not.toContain('"data"');
  });

  test.each([
    ["a prefix before the path", "/zz/api/v1/campaigns", "a"],
    ["two slashes", "//api/v1/campaigns", "localhost"],
    ["a slash at the end", "/api/v1/campaigns/", "localhost"],
    ["upper case", "/API/V1/campaigns", "localhost"],
  ])("with a key finds only what is there: %s", async (_name, path, host) => {
    const head = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${withKey()}Connection: close\r\n\r\n`;
    const { status, body } = await ask(head);
    expect({ status, type: body?.type }).toEqual({ status: 404, type: "not_found" });
  });

  test("a Host that makes no address is refused in the common form, key or not", async () => {
    for (const line of ["", withKey()]) {
      const head = `GET /api/v1/campaigns HTTP/1.1\r\nHost: a/../b?c#d\r\n${line}Connection: close\r\n\r\n`;
      const { status, body } = await ask(head);
      expect({ status, type: body?.type }).toEqual({ status: 400, type: "invalid_request" });
    }
  });

  test("two keys are none", async () => {
    const twice = `Authorization: Bearer x\r\n${withKey()}`;
    const { status } = await ask(
      `GET /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\n${twice}Connection: close\r\n\r\n`,
    );
    expect(status).toBe(401);
  });

  test("the word Bearer is read in any case, and nothing is read around the key", async () => {
    const statusOf = async (value: string) => {
      const line = `Authorization: ${value}\r\nConnection: close\r\n\r\n`;
      return (await ask(`GET /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\n${line}`)).status;
    };
    expect(await statusOf(`bearer ${key}`)).toBe(200);
    for (const wrong of [key, `Basic ${key}`, `Bearer  ${key} x`, `Bearer ${key},`, "Bearer"]) {
      expect(await statusOf(wrong)).toBe(401);
    }
  });

  test.each([
    ["two lengths", "Content-Length: 2\r\nContent-Length: 200\r\n", "{}"],
    ["a length and chunks", "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"],
    ["a length that is no number", "Content-Length: 2x\r\n", "{}"],
    ["a negative length", "Content-Length: -2\r\n", "{}"],
    ["a header line that is folded", "X-Fold: a\r\n b\r\n", ""],
    ["a header far too long", `X-Long: ${"x".repeat(64 * 1024)}\r\n`, ""],
    ["a header name with a blank", "Bad Name: x\r\n", ""],
  ])("that is ambiguous is refused, and nothing is made: %s", async (_name, headers, body) => {
    const type = "Content-Type: application/json\r\n";
    const head = `POST /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\n${withKey()}${type}${headers}`;
    const before = (await done(call("GET", "/campaigns"))).total;
    const { status } = await ask(`${head}Connection: close\r\n\r\n${body}`);
    expect(status).not.toBe(500);
    expect(status < 200 || status >= 300).toBe(true);
    expect((await done(call("GET", "/campaigns"))).total).toBe(before);
  });

  test("a body that is too large in pieces is refused like one that says so", async () => {
    const head = `POST /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\n${withKey()}`;
    const type = "Content-Type: application/json\r\nConnection: close\r\n";
    const piece = "x".repeat(1024 * 1024);
    const pieces = Array.from(
      { length: BODY_BYTES_MAX / piece.length + 1 },
      () => `${piece.length.toString(16)}\r\n${piece}\r\n`,
    );
    const chunked = `${head}${type}Transfer-Encoding: chunked\r\n\r\n${pieces.join("")}0\r\n\r\n`;
    const { status, body } = await ask(chunked);
    expect({ status, type: body?.type }).toEqual({ status: 413, type: "payload_too_large" });
    const declared = `${head}${type}Content-Length: ${BODY_BYTES_MAX + 1}\r\n\r\n`;
    expect((await ask(declared)).status).toBe(413);
  });

  test.each([
    ["methods nobody knows", "FOO /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["TRACE", "TRACE /api/v1/campaigns HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["CONNECT", "CONNECT localhost:25 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["no HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\r\n\r\n"],
    ["another protocol", "EHLO localhost\r\nMAIL FROM:<a@b>\r\n\r\n"],
    ["an old protocol", "GET /api/v1/campaigns HTTP/1.0\r\n\r\n"],
    ["a protocol to come", "GET /api/v1/campaigns HTTP/9.9\r\nHost: localhost\r\n\r\n"],
    ["NUL in the path", "GET /api/v1/\u0000campaigns HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["a broken escape", "GET /api/v1/campaigns/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ])("of another kind does no harm: %s", async (_name, request) => {
    const { status } = await ask(request);
    expect(status === 0 || (status >= 400 && status < 500) || status === 505).toBe(true);
    expect((await server.fetch("/healthz")).status).toBe(200);
    expect((await call("GET", "/campaigns")).status).toBe(200);
  });

  test("half a request, and then no more, holds nobody else up", async () => {
    const halves = Array.from({ length: 20 }, () => {
      const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
      socket.on("error", () => undefined);
      socket.write(
        `POST /api/v1/campaigns HTTP/1.1\r\nHost: x\r\n${withKey()}Content-Length: 9\r\n`,
      );
      return socket;
    });
    expect((await call("GET", "/campaigns")).status).toBe(200);
    for (const socket of halves) {
      socket.destroy();
    }
  });
});

interface Heard {
  /** 0: the connection was closed without an answer. */
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape
  body: any;
}

/** Writes `request` as it is and hears the server out, until it closes or an answer is whole. */
async function ask(request: string): Promise<Heard> {
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  const signal = AbortSignal.timeout(ANSWER_MS_MAX);
  let text = "";
  socket.setEncoding("utf8");
  socket.on("error", () => undefined);
  const answered = new Promise<void>((resolve) => {
    socket.on("data", (chunk) => {
      text += chunk;
      if (isWhole(text)) {
        resolve();
      }
    });
  });
  socket.write(request);
  await Promise.race([answered, once(socket, "close", { signal })]);
  socket.destroy();
  const [head = "", content = ""] = text.split("\r\n\r\n", 2);
  const isJson = /^content-type: application\/json/im.test(head);
  return {
    status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1] ?? 0),
    text,
    body: isJson && content !== "" ? JSON.parse(content) : undefined,
  };
}

function isWhole(text: string): boolean {
  const [head = "", content] = text.split("\r\n\r\n", 2);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  return content !== undefined && length !== undefined && content.length >= Number(length);
}
