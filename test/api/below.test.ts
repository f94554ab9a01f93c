/** What the HTTP server refuses before the API sees it: as the page on errors says, and nothing else. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startTestServer, type TestServer } from "../support/running-app.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../docs/errors.md"), "utf8");

let server: TestServer;
let bearer: string;
beforeAll(async () => {
  server = await startTestServer();
  bearer = `Authorization: Bearer ${await server.keyOf("test")}`;
});
afterAll(() => server.stop());

/** What comes of `bytes` until the server closes, or the response is whole. */
function say(bytes: string): Promise<string> {
  const { hostname, port } = new URL(server.url);
  const { promise, resolve } = Promise.withResolvers<string>();
  let text = "";
  void Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      open: (socket) => {
        socket.write(bytes);
        socket.flush();
      },
      data: (socket, chunk) => {
        text += chunk.toString("latin1");
        if (/^Content-Length: \d+\r$/im.test(text) && text.endsWith("}")) {
          socket.end();
        }
      },
      close: () => resolve(text),
      error: () => resolve(text),
    },
  });
  return promise;
}

const HOST = "Host: localhost";
const head = (first: string, ...headers: string[]) => `${[first, ...headers].join("\r\n")}\r\n\r\n`;
const get = (...headers: string[]) => head("GET /api/v1/campaigns HTTP/1.1", ...headers);
const post = (...headers: string[]) => head("POST /api/v1/campaigns HTTP/1.1", HOST, ...headers);

/** A row's first words, and requests that it speaks of. */
const REFUSED: [row: string, answer: string, requests: string[]][] = [
  ["HTTP/1.1 without `Host`", "400", [get()]],
  [
    "a `Content-Length` that",
    "400",
    [
      post("Content-Length: abc"),
      post("Content-Length: -1"),
      post("Content-Length: 1", "Content-Length: 2"),
    ],
  ],
  [
    "both `Content-Length` and",
    "400",
    [post("Content-Length: 1", "Transfer-Encoding: chunked"), post("Transfer-Encoding: gzip")],
  ],
  [
    "a request line or header",
    "400",
    ["\u0016\u0003\u0001\r\n\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", get(HOST, "Bad Name : x")],
  ],
  [
    "request line and headers above 16 KiB",
    "431",
    [
      get(HOST, `X: ${"a".repeat(17_000)}`),
      head(`GET /api/v1/campaigns?x=${"a".repeat(17_000)} HTTP/1.1`, HOST),
      get(HOST, ...Array.from({ length: 199 }, (_, at) => `X-${at}: a`)),
    ],
  ],
  ["a version other than", "505", [head("GET /api/v1/campaigns HTTP/3.0", HOST)]],
  [
    "a method that isn't registered",
    "none",
    [head("FROB /api/v1/campaigns HTTP/1.1", HOST), head("get / HTTP/1.1", HOST)],
  ],
];

describe("refused before the API", () => {
  test("is everything that the page lists", () => {
    const rows = [...PAGE.matchAll(/^\| (.+?) \| (\w+).* \|$/gm)].slice(1);
    expect(rows).toHaveLength(REFUSED.length);
    for (const [index, [, request = "", answer]] of rows.entries()) {
      expect(request).toStartWith(REFUSED[index]?.[0] ?? "-");
      expect(answer).toBe(REFUSED[index]?.[1] ?? "-");
    }
  });

  test.each(REFUSED)("%s: %s", async (_row, answer, requests) => {
    for (const request of requests) {
      const text = await say(request);
      const [line = ""] = text.split("\r\n");
      expect(line.split(" ")[1] ?? "none").toBe(answer);
      expect(text.split("\r\n\r\n")[1] ?? "").toBe("");
    }
  });
});

test.each([
  ["an empty Host", () => get("Host:"), 400],
  ["a Host that no URL can have", () => get("Host: a b["), 400],
  ["HTTP/1.0 without Host", () => head("GET /api/v1/campaigns HTTP/1.0"), 400],
  ["198 headers", () => get(...Array.from({ length: 196 }, () => "A: b"), HOST, bearer), 200],
  ["headers of 12 KiB", () => get(HOST, bearer, `X: ${"a".repeat(12_000)}`), 200],
  [
    "a method that no path takes",
    () => head("TRACE /api/v1/campaigns HTTP/1.1", HOST, bearer),
    405,
  ],
  ["a repeated Host", () => get(HOST, "Host: other"), 400],
])("%s reaches the API", async (_what, bytes, status) => {
  const [headers = "", body = ""] = (await say(bytes())).split("\r\n\r\n");
  expect(headers).toStartWith(`HTTP/1.1 ${status} `);
  expect(headers).toContain("X-Request-Id: ");
  expect(Object.keys(JSON.parse(body))).toContain(status === 200 ? "data" : "errors");
});
